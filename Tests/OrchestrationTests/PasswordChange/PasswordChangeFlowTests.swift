import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// A change of the password, from the questions to both ends.
@Suite struct PasswordChangeFlowTests {
    private static let new = PasswordChangeScene.newPassword

    @Test func `a change asks three times, and then the new password alone is valid`() async throws {
        let scene = try await PasswordChangeScene()
        let before = try await scene.record()
        let user = PasswordChangeScene.user()
        let words = try await scene.change(user)
        #expect(words == ["passwordChange 1/2", "passwordChange 2/2", "succeeded"])
        #expect(user.prompts.map(\.purpose) == [.authenticate, .update, .confirmUpdate])
        #expect(user.prompts.allSatisfy { $0.rejection == nil && $0.policy == before.pinPolicy })
        let after = try await scene.record()
        #expect((before.generation, after.generation) == (0, 1))
        #expect(after.salt != before.salt && after.maskedSecret != before.maskedSecret)
        #expect(after.possessionSecret == before.possessionSecret && after.counters == before.counters)
        let device = try await scene.device()
        #expect((device.generation, device.offeredGeneration, device.passwordFailures) == (1, 1, 0))
        let valid = try await scene.valid(of: [Stage.password, Self.new])
        #expect(valid == [Self.new])
        // And once more, back to the first one.
        let back = try await scene.change(PasswordChangeScene.user(from: Self.new, to: Stage.password))
        #expect(back.last == "succeeded")
        let again = try await scene.valid(of: [Stage.password, Self.new])
        #expect(again == [Stage.password])
    }

    @Test func `the outcome names the user`() async throws {
        let scene = try await PasswordChangeScene()
        let flow = try scene.stage.orchestrator(user: PasswordChangeScene.user()).changePassword(of: "alice")
        guard case .passwordChanged(let user) = try await flow.result() else {
            Issue.record("another outcome")
            return
        }
        #expect(user.account == scene.account)
    }

    @Test func `a wrong current password is counted and asked for again, and writes nothing`() async throws {
        let scene = try await PasswordChangeScene()
        let user = ScriptedUser([
            .password("739152"), .password(Stage.password), .password(Self.new), .password(Self.new),
        ])
        let words = try await scene.change(user)
        #expect(
            words == [
                "rejected: \(InputRejection.wrongPassword(remainingTries: 4))", "passwordChange 1/2",
                "warning: failedPasswords(1)", "passwordChange 2/2",
                "succeeded",
            ])
        #expect(user.prompts[1].remainingTries == 4 && user.prompts[2].rejection == nil)
        let failures = try await scene.device().passwordFailures
        #expect(failures == 0)
    }

    @Test func `the fifth wrong current password locks the device and ends the flow`() async throws {
        let scene = try await PasswordChangeScene()
        let before = try await scene.record()
        let words = try await scene.change(ScriptedUser(password: "739152"))
        #expect(words.count == 5 && words.last == "aborted: userLocked")
        let device = try await scene.device()
        #expect(device.state == .locked && device.offeredGeneration == 0)
        let after = try await scene.record()
        #expect(after.maskedSecret == before.maskedSecret && after.generation == 0)
    }

    @Test func `an input of another form than the current password costs no try`() async throws {
        let scene = try await PasswordChangeScene()
        let words = try await scene.change(ScriptedUser(password: "12ab"))
        #expect(words.count == 6 && words.last == "aborted: inputRejectedTooOften")
        #expect(scene.stage.wire.sent.count == 4, "the activation alone was sent")
    }

    @Test func `a new password that is weak, the current one, of another form or confirmed differently is refused`()
        async throws
    {
        let scene = try await PasswordChangeScene()
        let user = ScriptedUser([
            .password(Stage.password), .password("111111"), .password(Stage.password), .password("1"),
            .password("a739164"), .password(Self.new), .password("739165"), .password(Self.new), .password(Self.new),
        ])
        let words = try await scene.change(user)
        let rejections: [InputRejection] = [
            .unsuitable(.constantStep), .unsuitable(.unchanged), .unsuitable(.tooShort(minimum: 6)),
            .unsuitable(.notDigits), .confirmationDiffers,
        ]
        #expect(
            words == ["passwordChange 1/2"] + rejections.map { "rejected: \($0)" } + [
                "passwordChange 2/2", "succeeded",
            ])
        #expect(user.prompts[3].rejectionText?.contains("current password") == true)
        let valid = try await scene.valid(of: [Stage.password, Self.new])
        #expect(valid == [Self.new])
    }

    @Test func `a provider that always gives the current password ends the flow`() async throws {
        let scene = try await PasswordChangeScene()
        let words = try await scene.change(ScriptedUser(password: Stage.password))
        #expect(words.count == 12 && words.last == "aborted: inputRejectedTooOften")
        let valid = try await scene.valid(of: [Stage.password])
        #expect(valid == [Stage.password])
    }

    @Test(arguments: 0...2)
    func `a user who gives up at a question keeps the current password`(question: Int) async throws {
        let scene = try await PasswordChangeScene()
        var answers: [ScriptedAnswer] = [.password(Stage.password), .password(Self.new), .password(Self.new)]
        answers[question] = .abort
        let words = try await scene.change(ScriptedUser(answers))
        #expect(words.last == "aborted: canceled")
        let record = try await scene.record()
        #expect(record.generation == 0)
        let valid = try await scene.valid(of: [Stage.password, Self.new])
        #expect(valid == [Stage.password])
        // Later the change succeeds.
        let later = try await scene.change()
        #expect(later.last == "succeeded")
    }

    @Test func `the rules of the platform at the time of the change hold from then on`() async throws {
        let scene = try await PasswordChangeScene()
        let stricter = try #require(PINPolicy(minimumLength: 8, maximumLength: 16, digitsOnly: false, tries: 4))
        try await scene.stage.platform.restart(configuration: PlatformConfiguration(pinPolicy: stricter))
        let user = ScriptedUser([
            .password(Stage.password), .password(Self.new), .password("orange-7391"), .password("orange-7391"),
        ])
        let words = try await scene.change(user)
        #expect(words[1] == "rejected: \(InputRejection.unsuitable(.tooShort(minimum: 8)))")
        #expect(words.last == "succeeded")
        #expect(user.prompts[0].policy == .default && user.prompts[1].policy == stricter)
        let record = try await scene.record()
        #expect(record.pinPolicy == stricter)
        let valid = try await scene.valid(of: ["orange-7391"])
        #expect(valid == ["orange-7391"])
    }

    @Test func `without a network after the write, the new password is valid and its first use confirms it`()
        async throws
    {
        let scene = try await PasswordChangeScene()
        let transport = BreakingTransport(scene.stage.platform.transport, .requestLost, at: 2)
        let words = try await scene.change(transport: transport)
        #expect(words == ["passwordChange 1/2", "warning: passwordNotConfirmed", "succeeded"])
        var device = try await scene.device()
        #expect((device.generation, device.offeredGeneration) == (0, 1))
        let valid = try await scene.valid(of: [Stage.password, Self.new])
        #expect(valid == [Self.new])
        device = try await scene.device()
        #expect(device.generation == 1)
    }

    @Test func `a device that was offline for a week after the write gets in with the new password`() async throws {
        let scene = try await PasswordChangeScene()
        let transport = BreakingTransport(scene.stage.platform.transport, .requestLost, at: 2)
        let words = try await scene.change(transport: transport)
        #expect(words.last == "succeeded")
        scene.stage.advance(seconds: 7 * 86_400)
        let user = ScriptedUser(password: Self.new)
        let online = try await story(
            scene.stage.orchestrator(user: user).oneTimePassword(for: "alice"))
        #expect(online.last == "succeeded")
        let valid = try await scene.valid(of: [Stage.password, Self.new])
        #expect(valid == [Self.new])
        let device = try await scene.device()
        #expect(device.generation == 1 && device.passwordFailures == 0)
    }

    @Test func `a user who is not activated, and one who is locked, change no password`() async throws {
        let scene = try await PasswordChangeScene()
        let app = try scene.stage.orchestrator()
        await #expect(throws: OrchestrationError(.notActivated)) {
            _ = try await app.changePassword(of: "bob").result()
        }
        await #expect(throws: OrchestrationError(.invalidUser)) {
            _ = try await app.changePassword(of: "a/b").result()
        }
        for (reason, code) in LockReason.allCases.map({ ($0, OrchestrationError.Code($0)) }) {
            try await app.environment.vault.update(scene.account) { $0.state = .locked(reason) }
            await #expect(throws: OrchestrationError(code)) {
                _ = try await app.changePassword(of: "alice").result()
            }
        }
        let alone = try scene.stage.orchestrator(providers: [])
        await #expect(throws: OrchestrationError.self) {
            _ = try await alone.changePassword(of: "alice").result()
        }
    }
}
