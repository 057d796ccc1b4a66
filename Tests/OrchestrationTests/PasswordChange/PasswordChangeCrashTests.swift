import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// Changes of a password that are killed or lose the network: the present or the new password is valid afterwards,
/// and never both or none.
@Suite struct PasswordChangeCrashTests {
    private static let new = PasswordChangeScene.newPassword

    @Test(arguments: 1...4, [true, false])
    func `a process that ends at a write of the store leaves one valid password`(
        write: Int, isBefore: Bool
    ) async throws {
        let scene = try await PasswordChangeScene()
        let store = BreakingStore(scene.stage.store, at: write, isBefore: isBefore)
        let wasKilled: Bool
        do {
            let words = try await scene.change(store: store)
            #expect(words.last == "succeeded")
            wasKilled = false
        } catch is CancellationError {
            wasKilled = true
        }
        let writes = await store.writes
        // The answer to the first message, the new wrap, and the answer to the second one.
        #expect(wasKilled == (write <= 3) && writes == min(write, 3))
        let isNew = !wasKilled || write > 2 || write == 2 && !isBefore
        try await requireOneValidPassword(scene, isNew: isNew)
    }

    @Test(arguments: [true, false])
    func `a store that reports a failure of the write leaves the password that it has stored`(
        isBefore: Bool
    ) async throws {
        let scene = try await PasswordChangeScene()
        let failure = OrchestrationError(.storeUnavailable)
        let store = BreakingStore(scene.stage.store, at: 2, isBefore: isBefore, error: failure)
        if isBefore {
            await #expect(throws: failure) { try await scene.change(store: store) }
        } else {
            let words = try await scene.change(store: store)
            #expect(words.last == "succeeded")
        }
        try await requireOneValidPassword(scene, isNew: !isBefore)
    }

    @Test(arguments: BreakingTransport.Break.allCases, 1...3)
    func `a network that is lost at a message leaves one valid password`(
        kind: BreakingTransport.Break, message: Int
    ) async throws {
        let scene = try await PasswordChangeScene()
        let transport = BreakingTransport(scene.stage.platform.transport, kind, at: message)
        var words: [String] = []
        do {
            words = try await scene.change(transport: transport)
        } catch let error as OrchestrationError {
            #expect(error == OrchestrationError(.transport) && message == 1)
        } catch is CancellationError {
            #expect([.killedAfterArrival, .killedBeforeSending].contains(kind))
        }
        if message == 3 { #expect(words.last == "succeeded") }
        try await requireOneValidPassword(scene, isNew: message > 1)
    }

    @Test(arguments: 1...3)
    func `an app that is left at an event leaves one valid password`(event: Int) async throws {
        let scene = try await PasswordChangeScene()
        let flow = try scene.stage.orchestrator(user: PasswordChangeScene.user()).changePassword(of: "alice")
        var seen = 0
        for try await _ in flow {
            seen += 1
            if seen == event { break }
        }
        try await requireOneValidPassword(scene, isNew: event > 1)
    }

    @Test func `a platform that restarts between the messages offers the same change`() async throws {
        let scene = try await PasswordChangeScene()
        let user = ScriptedUser([
            .password(Stage.password),
            ScriptedAnswer { [platform = scene.stage.platform] _ in
                try await platform.restart()
                return UserInput(SecretBytes(copying: Self.new.utf8))
            },
            .password(Self.new),
        ])
        let words = try await scene.change(user)
        #expect(words.last == "succeeded")
        let promoted = try await scene.device().generation
        #expect(promoted == 1)
        try await requireOneValidPassword(scene, isNew: true)
    }

    /// Requires that exactly one of both passwords is valid, that nothing of the device was counted, and that the
    /// password can be changed afterwards.
    private func requireOneValidPassword(_ scene: PasswordChangeScene, isNew: Bool) async throws {
        let record = try await scene.record()
        #expect(record.generation == (isNew ? 1 : 0))
        let (valid, invalid) = isNew ? (Self.new, Stage.password) : (Stage.password, Self.new)
        let accepted = try await scene.valid(of: [invalid, valid])
        #expect(accepted == [valid])
        let device = try await scene.device()
        #expect(device.state == .active && device.passwordFailures == 0)
        #expect(device.generation == (isNew ? 1 : 0))
        let words = try await scene.change(PasswordChangeScene.user(from: valid, to: "861407"))
        #expect(words.last == "succeeded")
        let last = try await scene.valid(of: [invalid, valid, "861407"])
        #expect(last == ["861407"])
    }
}
