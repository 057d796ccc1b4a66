import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// A device that the platform has locked after wrong passwords, until another activation takes its place.
@Suite struct LockedDeviceTests {
    let stage: Stage
    let account = ActivationExchange.account
    let lockedID: String

    init() async throws {
        stage = try await Stage()
        lockedID = try await stage.activate().deviceID
        let app = try stage.orchestrator(user: ScriptedUser(password: "739152"))
        #expect(try await story(app.changePassword(of: "alice")).last == "aborted: userLocked")
    }

    private func information() async throws -> UserInformation {
        try await stage.orchestrator().user("alice").information
    }

    /// The states of the devices at the platform, with the locked one first.
    private func states() async throws -> [DeviceState] {
        let devices = try await stage.platform.store.read { [name = account.text] in try $0.devices(of: name) }
        return devices.sorted { a, _ in Hex.encode(a.id) == lockedID }.map(\.state)
    }

    /// Begins an activation that gets the answers to a number of commands.
    private func interruptActivation(after commands: Int) async throws -> String {
        let code = try await stage.platform.register("alice")
        let transport = FaultInjectingTransport(
            stage.platform.transport,
            plan: FaultPlan(
                script: Array(repeating: .noFault, count: commands) + Array(repeating: .loseRequest, count: 20)),
            clock: stage.time)
        await #expect(throws: OrchestrationError(.transport)) {
            try await stage.orchestrator(transport: transport).user("alice").activate(with: code)
        }
        return code
    }

    @Test func `the state is stored and shown, and the next flow sends nothing`() async throws {
        #expect(try await information().state == .locked(.wrongPassword))
        let sent = stage.wire.sent.count
        await #expect(throws: OrchestrationError(.userLocked)) {
            try await stage.orchestrator().changePassword(of: "alice").result()
        }
        #expect(stage.wire.sent.count == sent)
    }

    @Test func `activating again revokes the locked device, and deletes its key`() async throws {
        let old = try await stage.orchestrator().environment.vault.deviceKey(account).handle
        let new = try await stage.activate()
        #expect(new.state == .ready && new.deviceID != lockedID)
        #expect(try await states() == [.revoked, .active])
        let entries = try await stage.platform.platform.audit(of: account)
        #expect(entries.contains { $0.event == .deviceRevoked && $0.reason == "replaced" })
        await #expect(throws: OrchestrationError.self) { _ = try await stage.keys.key(handle: old) }
        let made = try await stage.orchestrator().user("alice").oneTimePassword()
        #expect(try await stage.platform.login("alice", code: made.oneTimePassword).status == .accepted)
    }

    @Test(arguments: 2...3)
    func `an interrupted activation leaves the locked device, and is resumed`(commands: Int) async throws {
        let code = try await interruptActivation(after: commands)
        #expect(try await states() == [.locked, .pending])
        let again = try await stage.orchestrator().user("alice").activate(with: code)
        #expect(again.state == .ready)
        #expect(try await states() == [.revoked, .active])
    }

    @Test func `a second activation instead of an interrupted one replaces the locked device, too`() async throws {
        _ = try await interruptActivation(after: 2)
        try await stage.activate()
        #expect(try await states() == [.revoked, .active])
    }

    @Test func `the locked user comes back when the platform drops the activation`() async throws {
        _ = try await interruptActivation(after: 2)
        #expect(try await information().state == .pending)
        let app = try stage.orchestrator(user: ScriptedUser(password: "999999"))
        #expect(try await story(app.resumeActivation(of: "alice")).last == "aborted: userLocked")
        let user = try await information()
        #expect(user.state == .locked(.wrongPassword) && user.deviceID == lockedID)
        #expect(try await states() == [.locked])
        try await stage.activate()
        #expect(try await states() == [.revoked, .active])
    }

    @Test func `the locked user comes back when the time of the activation is over`() async throws {
        _ = try await interruptActivation(after: 2)
        stage.advance(seconds: 1_801)
        #expect(
            try await story(stage.orchestrator().resumeActivation(of: "alice")) == ["outdated: activationExpired"])
        let user = try await information()
        #expect(user.state == .locked(.wrongPassword) && user.deviceID == lockedID)
    }

    @Test(arguments: [true, false])
    func `the deletion of a pending user deletes the locked device, too`(informingPlatform: Bool) async throws {
        let locked = try await stage.orchestrator().environment.vault.deviceKey(account).handle
        _ = try await interruptActivation(after: 2)
        // The platform does not accept the deletion of a pending device, and drops it after its time.
        let warnings = try await stage.orchestrator().user("alice").delete(informingPlatform: informingPlatform)
        #expect(warnings.map(\.code) == (informingPlatform ? [.platformNotInformed] : []))
        #expect(try await states() == [informingPlatform ? .revoked : .locked, .pending])
        #expect(try await stage.store.names().isEmpty)
        await #expect(throws: OrchestrationError.self) { _ = try await stage.keys.key(handle: locked) }
    }

    @Test func `a locked user is deleted at the platform`() async throws {
        #expect(try await stage.orchestrator().user("alice").delete().isEmpty)
        #expect(try await states() == [.revoked])
    }

    @Test func `an activation does not revoke a device that works, whatever it names`() async throws {
        let working = try await ApprovalScene()
        let device = try #require(try await working.platform.platform.account(account)?.devices.first)
        let code = try await working.platform.register("alice")
        let cut = FaultInjectingTransport(
            working.platform.transport,
            plan: FaultPlan(script: Array(repeating: .noFault, count: 3) + Array(repeating: .loseRequest, count: 20)),
            clock: working.time)
        let store = MemoryStore()
        let keys = DeterministicDeviceKeys(seed: 8)
        await #expect(throws: OrchestrationError(.transport)) {
            try await working.stage.orchestrator(transport: cut, store: store, keys: keys).user("alice").activate(
                with: code)
        }
        let app = try working.stage.orchestrator(store: store, keys: keys)
        try await app.environment.vault.update(account) { $0.replacedDevice = device.id }
        try await app.user("alice").activate(with: code)
        let devices = try #require(try await working.platform.platform.account(account)?.devices)
        #expect(devices.count == 2 && devices.allSatisfy { $0.state != .revoked })
    }
}
