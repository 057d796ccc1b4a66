import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// An unlock, from the unlock code to both ends.
@Suite struct UnlockFlowTests {
    private static let new = PasswordChangeScene.newPassword

    @Test func `after five wrong passwords, an unlock code and a new password unlock the device`() async throws {
        let scene = try await PasswordChangeScene.locked()
        let before = try await scene.record()
        let user = PasswordChangeScene.choosing()
        let words = try await scene.unlock(with: scene.unlockCode(), user)
        #expect(words == PasswordChangeScene.redeemed + ["unlock 2/2", "succeeded"])
        #expect(user.prompts.map(\.purpose) == [.update, .confirmUpdate])
        let (after, device) = (try await scene.record(), try await scene.device())
        #expect(after.state == .active && after.generation == 1 && after.deviceID == before.deviceID)
        #expect(after.salt != before.salt && after.maskedSecret != before.maskedSecret)
        #expect(after.possessionSecret == before.possessionSecret && after.counters == before.counters)
        #expect(device.state == .active && device.lockReason == nil && device.passwordFailures == 0)
        #expect((device.generation, device.offeredGeneration) == (1, 1))
        let valid = try await scene.valid(of: [Stage.password, Self.new])
        #expect(valid == [Self.new])
        // And a change of the new password, which a locked device could not make.
        let changed = try await scene.change(PasswordChangeScene.user(from: Self.new, to: "861407"))
        #expect(changed.last == "succeeded")
    }

    @Test func `the accepted proof ends the lock, and not the write before it`() async throws {
        let scene = try await PasswordChangeScene.locked()
        let alice = try scene.stage.orchestrator(user: PasswordChangeScene.choosing()).user("alice")
        var events = alice.accountEvents().makeAsyncIterator()
        #expect(try await events.next() == .loaded(.locked(.wrongPassword)))
        let duringProof: @Sendable (OrchestrationCommand) async throws -> OrchestrationCommand = { answer in
            let state = try await alice.state
            #expect(state == .locked(.wrongPassword))
            return answer
        }
        scene.stage.wire.tamper({ $0 }, duringProof)
        try await alice.unlock(with: scene.unlockCode())
        #expect(try await events.next() == .passwordChanged)
        #expect(try await events.next() == .unlocked)
        let state = try await alice.state
        #expect(state == .ready)
    }

    @Test func `a refused code on a device that is locked here alone ends the lock, and is reported`() async throws {
        let scene = try await PasswordChangeScene()
        let code = try await scene.unlockCode()
        scene.stage.advance(seconds: 600)
        try await scene.stage.orchestrator().environment.vault.update(scene.account) {
            $0.state = .locked(.wrongPassword)
        }
        let error = try await scene.refusal(of: code)
        #expect(error.code == .unlockCodeRefused)
        let record = try await scene.record()
        #expect(record.state == .active && record.generation == 0)
        let valid = try await scene.valid(of: [Stage.password])
        #expect(valid == [Stage.password])
    }

    @Test func `a user who has forgotten the password is unlocked on a device that is not locked`() async throws {
        let scene = try await PasswordChangeScene()
        let user = try await scene.stage.orchestrator(user: PasswordChangeScene.choosing()).user("alice")
            .unlock(with: scene.unlockCode().lowercased().replacing("-", with: " "))
        #expect(user.account == scene.account && user.state == .ready)
        let valid = try await scene.valid(of: [Stage.password, Self.new])
        #expect(valid == [Self.new])
    }

    @Test func `a user who gives up keeps the state of the device, and goes on with the same code`() async throws {
        for isLocked in [true, false] {
            let scene = try await PasswordChangeScene()
            if isLocked { try await scene.lock() }
            let (code, before) = (try await scene.unlockCode(), try await scene.record())
            let canceled = try await scene.unlock(with: code, ScriptedUser([.password(Self.new), .abort]))
            #expect(canceled == (isLocked ? PasswordChangeScene.redeemed : ["unlock 1/2"]) + ["aborted: canceled"])
            let after = try await scene.record()
            #expect(after.state == before.state && after.maskedSecret == before.maskedSecret && after.generation == 0)
            if !isLocked {
                let valid = try await scene.valid(of: [Stage.password])
                #expect(valid == [Stage.password])
            }
            let again = try await scene.unlock(with: code, PasswordChangeScene.choosing("861407"))
            #expect(again == ["unlock 1/2", "unlock 2/2", "succeeded"])
            let valid = try await scene.valid(of: [Stage.password, Self.new, "861407"])
            #expect(valid == ["861407"])
        }
    }

    @Test func `a new password that is weak or confirmed differently is refused, under the rules of the platform`()
        async throws
    {
        let scene = try await PasswordChangeScene.locked()
        let stricter = try #require(PINPolicy(minimumLength: 8, maximumLength: 16, digitsOnly: false, tries: 4))
        try await scene.stage.platform.restart(configuration: PlatformConfiguration(pinPolicy: stricter))
        let user = ScriptedUser([
            .password(Self.new), .password("11111111"), .password("orange-7391"), .password("orange-7392"),
            .password("orange-7391"), .password("orange-7391"),
        ])
        let words = try await scene.unlock(with: scene.unlockCode(), user)
        let rejections: [InputRejection] = [
            .unsuitable(.tooShort(minimum: 8)), .unsuitable(.constantStep), .confirmationDiffers,
        ]
        #expect(
            words == PasswordChangeScene.redeemed + rejections.map { "rejected: \($0)" } + ["unlock 2/2", "succeeded"])
        let record = try await scene.record()
        #expect(record.pinPolicy == stricter)
        let valid = try await scene.valid(of: ["orange-7391"])
        #expect(valid == ["orange-7391"])
    }

    @Test func `a code with a typing error is found on the device, and nothing is sent`() async throws {
        let scene = try await PasswordChangeScene.locked()
        var code = Array(try await scene.unlockCode())
        let place = try #require(
            code.indices.dropLast().first { code[$0] != code[$0 + 1] && code[$0 + 1] != "-" && code[$0] != "-" })
        code.swapAt(place, place + 1)
        let sent = scene.stage.wire.sent.count
        let error = try await scene.refusal(of: String(code))
        #expect(error.code == .unlockCodeMistyped && error.recovery == .tryAgain)
        #expect(error.userMessage() == "The unlock code has a typing error. Please check it.")
        let short = try await scene.refusal(of: "2B7")
        #expect(short.userMessage() == "An unlock code has 12 characters. Please check it.")
        #expect(scene.stage.wire.sent.count == sent)
    }

    @Test func `a wrong code spends a try, and five of them end the right one`() async throws {
        let scene = try await PasswordChangeScene.locked()
        let code = try await scene.unlockCode()
        let handle = try ActivationPassword(parsing: code).handle
        func wrong(_ handle: UInt16) -> String {
            let made = ActivationPassword.make(handle: handle, random: scene.stage.random).formatted()
            return made.withBytes { String(decoding: [UInt8]($0), as: UTF8.self) }
        }
        let other = try await scene.refusal(of: wrong(handle ^ 1))
        #expect(other.code == .unlockCodeRefused && other.remainingTries == nil && other.recovery == .contact)
        for remaining in (0...4).reversed() {
            let error = try await scene.refusal(of: wrong(handle))
            #expect(error.code == .unlockCodeRefused && error.remainingTries == remaining)
        }
        let right = try await scene.refusal(of: code)
        #expect(right.code == .unlockCodeRefused && right.remainingTries == nil)
        let record = try await scene.record()
        #expect(record.state == .locked(.wrongPassword) && record.generation == 0)
        // Another code helps.
        let words = try await scene.unlock(with: scene.unlockCode())
        #expect(words.last == "succeeded")
    }

    @Test func `a code that is used, replaced or expired is refused without a try`() async throws {
        let scene = try await PasswordChangeScene.locked()
        let (replaced, code) = (try await scene.unlockCode(), try await scene.unlockCode())
        let early = try await scene.refusal(of: replaced)
        #expect(early.code == .unlockCodeRefused && early.remainingTries == nil)
        let words = try await scene.unlock(with: code)
        #expect(words.last == "succeeded")
        let used = try await scene.refusal(of: code)
        #expect(used.code == .unlockCodeRefused && used.remainingTries == nil)
        let expiring = try await scene.unlockCode()
        scene.stage.advance(seconds: 600)
        let late = try await scene.refusal(of: expiring)
        #expect(late.code == .unlockCodeRefused && late.remainingTries == nil)
        let valid = try await scene.valid(of: [Stage.password, Self.new])
        #expect(valid == [Self.new])
    }

    @Test func `the code of another device of the user is refused, and stays valid there`() async throws {
        let scene = try await PasswordChangeScene.locked()
        let (store, keys) = (MemoryStore(), DeterministicDeviceKeys(seed: 8))
        let second = try scene.stage.orchestrator(
            user: ScriptedUser(password: Stage.password), store: store, keys: keys)
        let activated = try await second.user("alice").activate(with: scene.stage.platform.register("alice"))
        let code = try await scene.stage.platform.platform.issueUnlockCode(
            for: scene.account, device: Hex.decode(activated.deviceID)
        ).code
        let error = try await scene.refusal(of: code)
        #expect(error.code == .unlockCodeRefused && error.remainingTries == nil)
        let record = try await scene.record()
        #expect(record.state == .locked(.wrongPassword))
        let app = try scene.stage.orchestrator(user: PasswordChangeScene.choosing(), store: store, keys: keys)
        let unlocked = try await app.user("alice").unlock(with: code)
        #expect(unlocked.deviceID == activated.deviceID)
    }

    @Test func `a user who is not activated, and one who is locked for another reason, send no code`() async throws {
        let scene = try await PasswordChangeScene()
        let (code, app) = (try await scene.unlockCode(), try scene.stage.orchestrator())
        let sent = scene.stage.wire.sent.count
        await #expect(throws: OrchestrationError(.notActivated)) { try await app.user("bob").unlock(with: code) }
        await #expect(throws: OrchestrationError(.invalidUser)) { try await app.user("a/b").unlock(with: code) }
        for (reason, error) in [
            (LockReason.cloneSuspected, OrchestrationError.Code.cloneSuspected), (.revoked, .revoked),
        ] {
            try await app.environment.vault.update(scene.account) { $0.state = .locked(reason) }
            let refusal = try await scene.refusal(of: code)
            #expect(refusal.code == error && refusal.recovery == .activateAgain)
        }
        #expect(scene.stage.wire.sent.count == sent)
    }

    @Test func `a device that is locked as a copy is never unlocked`() async throws {
        let scene = try await PasswordChangeScene()
        let (code, copy) = (try await scene.unlockCode(), scene.stage.store.copy())
        _ = try await scene.change()
        let found = try await scene.change(store: copy)
        #expect(found == ["aborted: cloneSuspected"])
        let words = try await scene.unlock(with: code)
        #expect(words == ["aborted: cloneSuspected"])
        let record = try await scene.record()
        #expect(record.state == .locked(.cloneSuspected))
        let platform = scene.stage.platform.platform
        await #expect(throws: PlatformError(.deviceNotUnlockable)) {
            _ = try await platform.issueUnlockCode(for: scene.account, device: record.deviceID)
        }
    }

    @Test func `a copy of the store from before the unlock gets nothing for the used code, and its password locks it`()
        async throws
    {
        let scene = try await PasswordChangeScene()
        let copy = scene.stage.store.copy()
        try await scene.lock()
        let code = try await scene.unlockCode()
        let words = try await scene.unlock(with: code)
        #expect(words.last == "succeeded")
        let refused = try await scene.refusal(of: code, store: copy)
        #expect(refused.code == .unlockCodeRefused)
        let found = try await scene.change(PasswordChangeScene.user(to: "861407"), store: copy)
        #expect(found == ["aborted: cloneSuspected"])
        let device = try await scene.device()
        #expect(device.lockReason == .cloneSuspected && device.passwordFailures == 0)
    }

    @Test func `an unlock ends a change of password that is open, and the other way around`() async throws {
        for unlocksLast in [true, false] {
            let scene = try await PasswordChangeScene()
            let code = try await scene.unlockCode()
            // The second flow runs while the first one waits for the new password.
            let interrupting = ScriptedAnswer { _ in
                let words =
                    unlocksLast
                    ? try await scene.unlock(with: code)
                    : try await scene.change(PasswordChangeScene.user(to: Self.new))
                #expect(words.last == "succeeded")
                return UserInput(SecretBytes(copying: "861407".utf8))
            }
            await #expect(throws: OrchestrationError(.passwordChanged)) {
                if unlocksLast {
                    _ = try await scene.change(
                        ScriptedUser([.password(Stage.password), interrupting, .password("861407")]))
                } else {
                    _ = try await scene.unlock(with: code, ScriptedUser([interrupting, .password("861407")]))
                }
            }
            let valid = try await scene.valid(of: [Stage.password, Self.new, "861407"])
            #expect(valid == [Self.new])
            let device = try await scene.device()
            #expect(device.state == .active && device.passwordFailures == 0)
            let again = try await scene.refusal(of: code)
            #expect(again.code == .unlockCodeRefused)
        }
    }
}
