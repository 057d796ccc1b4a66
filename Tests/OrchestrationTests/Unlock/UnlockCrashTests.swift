import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// Unlocks that are killed or lose the network, and are repeated with the same code: the user ends unlocked, and no
/// secret is wrapped twice.
@Suite struct UnlockCrashTests {
    private static let new = PasswordChangeScene.newPassword
    private static let other = "861407"

    @Test(arguments: 1...4, [true, false])
    func `a process that ends at a write of the store spends nothing`(write: Int, isBefore: Bool) async throws {
        let scene = try await PasswordChangeScene.locked()
        let code = try await scene.unlockCode()
        let store = BreakingStore(scene.stage.store, at: write, isBefore: isBefore)
        do {
            let words = try await scene.unlock(with: code, store: store)
            #expect(words.last == "succeeded" && write == 4)
        } catch is CancellationError {
            #expect(write <= 3)
        }
        // The answer to the code, the new wrap, and the answer to the proof.
        let writes = await store.writes
        #expect(writes == min(write, 3))
        let isStored = write > 2 || write == 2 && !isBefore
        try await requireUnlocked(scene, with: code, isStored: isStored, isProven: write > 2)
    }

    @Test(arguments: [true, false])
    func `a store that reports a failure of the write has stored the new password or not`(
        isBefore: Bool
    ) async throws {
        let scene = try await PasswordChangeScene.locked()
        let code = try await scene.unlockCode()
        let failure = OrchestrationError(.storeUnavailable)
        let store = BreakingStore(scene.stage.store, at: 2, isBefore: isBefore, error: failure)
        if isBefore {
            await #expect(throws: failure) { try await scene.unlock(with: code, store: store) }
        } else {
            let words = try await scene.unlock(with: code, store: store)
            #expect(words.last == "succeeded")
        }
        try await requireUnlocked(scene, with: code, isStored: !isBefore, isProven: !isBefore)
    }

    @Test(arguments: BreakingTransport.Break.allCases, 1...2)
    func `a network that is lost at a message spends nothing`(
        kind: BreakingTransport.Break, message: Int
    ) async throws {
        let scene = try await PasswordChangeScene.locked()
        let code = try await scene.unlockCode()
        let transport = BreakingTransport(scene.stage.platform.transport, kind, at: message)
        do {
            let words = try await scene.unlock(with: code, transport: transport)
            Issue.record("\(words)")
        } catch let error as OrchestrationError {
            #expect(error == OrchestrationError(.transport) && error.recovery == .tryAgain)
        } catch is CancellationError {
            #expect([.killedAfterArrival, .killedBeforeSending].contains(kind))
        }
        let hasArrived = [.killedAfterArrival, .answerLost].contains(kind)
        try await requireUnlocked(scene, with: code, isStored: message == 2, isProven: message == 2 && hasArrived)
    }

    @Test func `a device whose proof was lost stays locked, and the same code ends that`() async throws {
        let scene = try await PasswordChangeScene.locked()
        let code = try await scene.unlockCode()
        let transport = BreakingTransport(scene.stage.platform.transport, .requestLost, at: 2)
        await #expect(throws: OrchestrationError(.transport)) {
            try await scene.unlock(with: code, transport: transport)
        }
        let alice = try scene.stage.orchestrator(user: ScriptedUser(password: Self.new)).user("alice")
        for _ in 0..<2 {
            await #expect(throws: OrchestrationError(.userLocked)) { try await alice.oneTimePassword() }
            await #expect(throws: OrchestrationError(.userLocked)) { try await alice.synchronize() }
        }
        let record = try await scene.record()
        #expect(record.state == .locked(.wrongPassword) && record.generation == 1)
        try await requireUnlocked(scene, with: code, isStored: true, isProven: false)
    }

    @Test func `wrong entries of the stored password are counted, and lock the device until the next code`()
        async throws
    {
        let scene = try await PasswordChangeScene.locked()
        let code = try await scene.unlockCode()
        let transport = BreakingTransport(scene.stage.platform.transport, .requestLost, at: 2)
        await #expect(throws: OrchestrationError(.transport)) {
            try await scene.unlock(with: code, transport: transport)
        }
        // The earlier password is the one that a user types by mistake.
        let wrong = try await scene.unlock(with: code, ScriptedUser(password: Stage.password))
        let rejections = (1...4).reversed().map { "rejected: \(InputRejection.wrongPassword(remainingTries: $0))" }
        #expect(wrong == ["unlock 1/2"] + rejections + ["aborted: userLocked"])
        let locked = try await scene.unlock(with: code, ScriptedUser(password: Self.new))
        #expect(locked == ["unlock 1/2", "aborted: userLocked"])
        let record = try await scene.record()
        #expect(record.state == .locked(.wrongPassword) && record.generation == 1)
        let again = try await scene.unlock(with: scene.unlockCode(), PasswordChangeScene.choosing(Self.other))
        #expect(again == PasswordChangeScene.redeemed + ["unlock 2/2", "succeeded"])
        let valid = try await scene.valid(of: [Stage.password, Self.new, Self.other])
        #expect(valid == [Self.other])
    }

    @Test func `a platform that restarts during the prompts accepts the new password`() async throws {
        let scene = try await PasswordChangeScene.locked()
        let user = ScriptedUser([
            .password(Self.new),
            ScriptedAnswer { [platform = scene.stage.platform] _ in
                try await platform.restart()
                return UserInput(SecretBytes(copying: Self.new.utf8))
            },
        ])
        let words = try await scene.unlock(with: scene.unlockCode(), user)
        #expect(words.last == "succeeded")
        let valid = try await scene.valid(of: [Stage.password, Self.new])
        #expect(valid == [Self.new])
    }

    /// Requires that the same code goes on with an unlock that was interrupted.
    ///
    /// - Parameters:
    ///   - isStored: Whether the device has stored the new password. It then asks for that password.
    ///   - isProven: Whether the platform has accepted its proof. The code is used then. A device without that answer
    ///     is locked, and learns that the platform has unlocked it.
    private func requireUnlocked(
        _ scene: PasswordChangeScene, with code: String, isStored: Bool, isProven: Bool
    ) async throws {
        let before = try await scene.record()
        #expect(before.generation == (isStored ? 1 : 0))
        let user = isStored ? ScriptedUser([.password(Self.new)]) : PasswordChangeScene.choosing(Self.other)
        let words = try await scene.unlock(with: code, user)
        if isProven {
            let isLocked = before.state == .locked(.wrongPassword)
            #expect(words == (isLocked ? ["unlock 2/2", "succeeded"] : ["aborted: unlockCodeRefused"]))
            #expect(user.prompts.isEmpty)
        } else {
            // The wrong passwords are reported with the first use of the code.
            #expect(words.filter { !$0.hasPrefix("warning") } == ["unlock 1/2", "unlock 2/2", "succeeded"])
            #expect(user.prompts.map(\.purpose) == (isStored ? [.authenticate] : [.update, .confirmUpdate]))
        }
        let (after, device) = (try await scene.record(), try await scene.device())
        #expect(after.state == .active && after.generation == 1)
        #expect(!isStored || after.maskedSecret == before.maskedSecret && after.salt == before.salt)
        #expect(device.state == .active && device.generation == 1 && device.passwordFailures == 0)
        let valid = try await scene.valid(of: [Stage.password, Self.new, Self.other])
        #expect(valid == [isStored ? Self.new : Self.other])
    }
}
