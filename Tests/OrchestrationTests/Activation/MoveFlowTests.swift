import Foundation
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// A move from one device to another: one of both works at each point, and never both.
@Suite struct MoveFlowTests {
    private static let newPassword = "739164"

    let stage: Stage
    /// The store and the device keys of the new device.
    let store = MemoryStore()
    let keys = DeterministicDeviceKeys(seed: 8)

    init() async throws {
        stage = try await Stage()
        try await stage.activate()
    }

    private func new(
        user: ScriptedUser = ScriptedUser(password: newPassword), transport: (any Transport)? = nil
    ) throws -> Orchestrator {
        try stage.orchestrator(user: user, transport: transport, store: store, keys: keys)
    }

    private func begin() async throws -> String {
        try await stage.orchestrator().user("alice").move().activationPassword
    }

    /// The devices of the account that are activated and not revoked.
    private func activeDevices() async throws -> [AccountReport.Device] {
        let report = try #require(try await stage.platform.platform.account(ActivationExchange.account))
        return report.devices.filter { $0.state == .active || $0.state == .pendingNotification }
    }

    /// Returns whether codes of a device log in.
    private func works(_ device: Orchestrator) async throws -> Bool {
        stage.advance(seconds: 60)
        guard let made = try? await device.user("alice").oneTimePassword(synchronizingWithin: nil) else { return false }
        let decision = try await stage.platform.login("alice", code: made.oneTimePassword)
        try await stage.platform.platform.liftBlocks(of: ActivationExchange.account)
        return decision.status == .accepted
    }

    private func requireMoved() async throws {
        #expect(try await works(new()))
        #expect(try await !works(stage.orchestrator()))
        #expect(try await activeDevices().count == 1)
    }

    @Test func `a user moves to another device, and the old one learns of it`() async throws {
        #expect(try await story(stage.orchestrator().move("alice")) == ["move 1/1", "succeeded"])
        let move = try await stage.orchestrator().user("alice").move()
        let end = stage.platform.time.now().advanced(seconds: 600)
        #expect(move.expiresAt.timeIntervalSince1970 == Double(end.millisecondsSinceEpoch) / 1_000)
        #expect(try await works(stage.orchestrator()))
        let user = try await new().user("alice").activate(with: move.activationPassword)
        #expect(user.state == .ready)
        try await requireMoved()
        #expect(try await story(stage.orchestrator().changePassword(of: "alice")) == ["aborted: revoked"])
        #expect(try await stage.orchestrator().user("alice").state == .deleted)
    }

    @Test func `a move has the link for the new device where the platform knows its address`() async throws {
        #expect(try await stage.orchestrator().user("alice").move().activationLink == nil)
        var configuration = PlatformConfiguration()
        configuration.publicAddress = "https://id.example.com"
        try await stage.platform.restart(configuration: configuration)
        let move = try await stage.orchestrator().user("alice").move()
        let link = try #require(move.activationLink)
        #expect(link.address == "https://id.example.com" && link.account == ActivationExchange.account)
        #expect(!link.text.contains(move.activationPassword.suffix(4)))
        let scanned = try ActivationLink(link.text)
        let typed = SecretBytes(copying: move.activationPassword.utf8.dropFirst(3))
        guard case .activated = try await new().activate(scanned, with: typed).result() else {
            Issue.record("another outcome")
            return
        }
        try await requireMoved()
    }

    @Test func `neither printing nor reflection shows the activation password`() async throws {
        let move = try await stage.orchestrator().user("alice").move()
        var canaries = Canaries()
        canaries.add("activation password", text: move.activationPassword)
        for value in [move, Outcome.moveBegun(move), FlowEvent.succeeded(.moveBegun(move))] as [Any] {
            #expect(canaries.found(in: Printed.text(value)) == [])
        }
    }

    @Test func `a wrong password is asked for again, and the fifth locks the device`() async throws {
        let once = ScriptedUser([.password("739152"), .password(Stage.password)])
        #expect(
            try await story(stage.orchestrator(user: once).move("alice")) == [
                "rejected: \(InputRejection.wrongPassword(remainingTries: 4))", "move 1/1",
                "warning: failedPasswords(1)", "succeeded",
            ])
        let wrong = try stage.orchestrator(user: ScriptedUser(password: "739152"))
        #expect(try await story(wrong.move("alice")).last == "aborted: userLocked")
        let sent = stage.wire.sent.count
        await #expect(throws: OrchestrationError(.userLocked)) { _ = try await begin() }
        #expect(stage.wire.sent.count == sent)
    }

    @Test func `a user who cancels, or is not activated, begins no move`() async throws {
        let sent = stage.wire.sent.count
        #expect(
            try await story(stage.orchestrator(user: ScriptedUser([.abort])).move("alice")) == ["aborted: canceled"])
        await #expect(throws: OrchestrationError(.notActivated)) {
            _ = try await stage.orchestrator().user("bob").move()
        }
        #expect(stage.wire.sent.count == sent)
    }

    // Killed or lost at any point.

    @Test(arguments: BreakingTransport.Break.allCases)
    func `a move whose message is lost is begun again, and the old device works`(kind: BreakingTransport.Break)
        async throws
    {
        let transport = BreakingTransport(stage.platform.transport, kind, at: 1)
        await #expect(throws: (any Error).self) {
            _ = try await stage.orchestrator(transport: transport).user("alice").move()
        }
        #expect(try await works(stage.orchestrator()))
        try await new().user("alice").activate(with: begin())
        try await requireMoved()
    }

    @Test(arguments: BreakingTransport.Break.allCases, 1...4)
    func `an activation that breaks at a message leaves one device that works, and goes on`(
        kind: BreakingTransport.Break, message: Int
    ) async throws {
        let code = try await begin()
        let transport = BreakingTransport(stage.platform.transport, kind, at: message)
        await #expect(throws: (any Error).self) {
            _ = try await new(transport: transport).user("alice").activate(with: code)
        }
        #expect(try await activeDevices().count == 1)
        let hasArrived = message == 4 && [.killedAfterArrival, .answerLost].contains(kind)
        #expect(try await works(stage.orchestrator()) == !hasArrived)
        try await new().user("alice").activate(with: code)
        try await requireMoved()
    }

    @Test(arguments: 1...3)
    func `an app that is left at an event of the activation leaves one device that works`(event: Int) async throws {
        let code = try await begin()
        var seen = 0
        for try await _ in try new().activate("alice", with: code) {
            seen += 1
            if seen == event { break }
        }
        #expect(try await works(stage.orchestrator()))
        #expect(try await activeDevices().count == 1)
        try await new().user("alice").activate(with: code)
        try await requireMoved()
    }

    @Test func `a platform that restarts completes the move`() async throws {
        let code = try await begin()
        try await stage.platform.restart()
        let user = ScriptedUser([
            .password(Self.newPassword),
            ScriptedAnswer { [platform = stage.platform] _ in
                try await platform.restart()
                return UserInput(SecretBytes(copying: Self.newPassword.utf8))
            },
        ])
        try await new(user: user).user("alice").activate(with: code)
        try await requireMoved()
    }

    // Bad input.

    @Test func `the activation password does not activate the device that moves, and stays valid`() async throws {
        let code = try await begin()
        let sent = stage.wire.sent.count
        await #expect(throws: OrchestrationError(.alreadyActivated)) {
            try await stage.orchestrator().user("alice").activate(with: code)
        }
        #expect(stage.wire.sent.count == sent)
        try await new().user("alice").activate(with: code)
        try await requireMoved()
    }

    @Test func `the activation password of a completed move activates no other device`() async throws {
        let code = try await begin()
        try await new().user("alice").activate(with: code)
        let other = try stage.orchestrator(store: MemoryStore(), keys: DeterministicDeviceKeys(seed: 9))
        await #expect(throws: OrchestrationError(.activationPasswordNotConfirmed)) {
            try await other.user("alice").activate(with: code)
        }
        try await requireMoved()
    }

    @Test func `the activation password of a revoked device is refused`() async throws {
        let code = try await begin()
        let old = try #require(try await activeDevices().first)
        try await stage.platform.platform.revokeDevice(old.id, of: ActivationExchange.account)
        await #expect(throws: OrchestrationError(.activationPasswordNotConfirmed)) {
            try await new().user("alice").activate(with: code)
        }
    }

    @Test func `an activation ends when the old device is revoked meanwhile, and leaves no user`() async throws {
        let code = try await begin()
        let old = try #require(try await activeDevices().first)
        let user = ScriptedUser([
            .password(Self.newPassword),
            ScriptedAnswer { [platform = stage.platform] _ in
                try await platform.platform.revokeDevice(old.id, of: ActivationExchange.account)
                return UserInput(SecretBytes(copying: Self.newPassword.utf8))
            },
        ])
        let words = try await story(new(user: user).activate("alice", with: code))
        #expect(words == ["activation 1/4", "activation 2/4", "activation 3/4", "outdated: activationExpired"])
        #expect(try await !new().user("alice").isActivated)
        #expect(try await activeDevices().isEmpty)
    }
}
