import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// Two processes on one store, and copies of the store.
@Suite struct PasswordChangeRaceTests {
    private static let new = PasswordChangeScene.newPassword
    private static let other = "861407"

    /// Returns an answer that changes the password in another process before it types a text.
    private static func answer(_ text: String, after scene: PasswordChangeScene) -> ScriptedAnswer {
        ScriptedAnswer { _ in
            let words = try await scene.change(PasswordChangeScene.user(to: other))
            #expect(words.last == "succeeded")
            return UserInput(SecretBytes(copying: text.utf8))
        }
    }

    @Test(arguments: 0...2)
    func `of two processes that change the password one wins, and the other reports it`(question: Int) async throws {
        let scene = try await PasswordChangeScene()
        var answers: [ScriptedAnswer] = [.password(Stage.password), .password(Self.new), .password(Self.new)]
        answers[question] = Self.answer(question == 0 ? Stage.password : Self.new, after: scene)
        let user = ScriptedUser(answers)
        await #expect(throws: OrchestrationError(.passwordChanged)) { _ = try await scene.change(user) }
        let valid = try await scene.valid(of: [Stage.password, Self.new, Self.other])
        #expect(valid == [Self.other])
        let device = try await scene.device()
        #expect(device.state == .pendingNotification && device.passwordFailures == 0 && device.generation == 1)
    }

    @Test func `a code is not made with a password that another process has changed meanwhile`() async throws {
        let scene = try await PasswordChangeScene()
        let user = ScriptedUser([Self.answer(Stage.password, after: scene)])
        let app = try scene.stage.orchestrator(user: user)
        await #expect(throws: OrchestrationError(.passwordChanged)) {
            _ = try await app.oneTimePassword(for: .init(user: "alice"))
        }
        let counters = try await scene.record().counters
        #expect(counters.isEmpty)
    }

    @Test func `an approval is not answered with a password that another process has changed meanwhile`()
        async throws
    {
        let scene = try await PasswordChangeScene()
        try await scene.stage.orchestrator().notificationRegistration(for: .init(user: "alice"))
        let report = try await scene.stage.platform.requestLogin("alice")
        let user = ScriptedUser([Self.answer(Stage.password, after: scene), .password(Self.other)])
        user.willDecide(.approve(), .approve())
        let pointer = try #require(report.pointer)
        await #expect(throws: OrchestrationError(.passwordChanged)) {
            _ = try await user.follow(scene.stage.orchestrator(user: user).execute(pointer))
        }
        let failures = try await scene.device().passwordFailures
        #expect(failures == 0)
        let end = try await user.follow(scene.stage.orchestrator(user: user).execute(pointer))
        guard case .succeeded = end else {
            Issue.record("\(end)")
            return
        }
        let ended = try await scene.stage.platform.approval(report)
        #expect(ended.status == .accepted)
    }

    @Test func `an approval with the new password promotes it`() async throws {
        let scene = try await PasswordChangeScene()
        try await scene.stage.orchestrator().notificationRegistration(for: .init(user: "alice"))
        let transport = BreakingTransport(scene.stage.platform.transport, .requestLost, at: 2)
        _ = try await scene.change(transport: transport)
        let open = try await scene.device()
        #expect((open.generation, open.offeredGeneration) == (0, 1))
        let report = try await scene.stage.platform.requestLogin("alice")
        let user = ScriptedUser([.password(Self.new)])
        user.willDecide(.approve())
        _ = try await user.follow(scene.stage.orchestrator(user: user).execute(#require(report.pointer)))
        let ended = try await scene.stage.platform.approval(report)
        #expect(ended.status == .accepted)
        let promoted = try await scene.device()
        #expect(promoted.generation == 1)
    }

    @Test func `a copy of the store from before the change is detected and not counted`() async throws {
        let scene = try await PasswordChangeScene()
        let copy = scene.stage.store.copy()
        _ = try await scene.change()
        let words = try await scene.change(store: copy)
        #expect(words == ["aborted: cloneSuspected"])
        let device = try await scene.device()
        #expect(device.lockReason == .cloneSuspected && device.passwordFailures == 0 && device.generation == 1)
        let record = try await scene.record(in: copy)
        #expect(record.state == .locked(.cloneSuspected))
    }

    @Test func `a newer change of the same process supersedes the older one`() async throws {
        let scene = try await PasswordChangeScene()
        let app = try scene.stage.orchestrator(user: PasswordChangeScene.user())
        var first = app.changePassword(.init(user: "alice")).makeAsyncIterator()
        let step = try await first.next()
        #expect(step?.word == "passwordChange 1/2")
        var second = app.changePassword(.init(user: "alice")).makeAsyncIterator()
        _ = try? await second.next()
        let end = try await first.next()
        #expect(end?.word == "aborted: superseded")
        let valid = try await scene.valid(of: [Stage.password, Self.new])
        #expect(valid == [Stage.password])
    }
}
