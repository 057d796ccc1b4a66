import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport
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
        #expect(device.state == .active && device.passwordFailures == 0 && device.generation > 0)
    }

    @Test(arguments: 0..<24)
    func `of two processes that change the password in one folder at the same time, one wins`(round: Int) async throws {
        let scene = try await PasswordChangeScene()
        let folder = try TemporaryFolder()
        let origin = try FileStore(directory: folder.path)
        for name in try await scene.stage.store.names() {
            let value = try #require(try await scene.stage.store.read(name))
            try await origin.update(name) { _ in (.replace(value), ()) }
        }
        // Both wait for each other at one of the questions, so that the rest of both changes runs at the same time.
        let meeting = Meeting()
        let question = round % 3
        let words = try await withThrowingTaskGroup(of: (String, String).self) { group in
            for new in [Self.new, Self.other] {
                var answers = [Stage.password, new, new].map { ScriptedAnswer.password($0) }
                let text = question == 0 ? Stage.password : new
                answers[question] = ScriptedAnswer { _ in
                    await meeting.wait()
                    return UserInput(SecretBytes(copying: text.utf8))
                }
                let store = try FileStore(directory: folder.path)
                let user = ScriptedUser(answers)
                group.addTask {
                    do {
                        return (new, try await scene.change(user, store: store).last ?? "")
                    } catch let error as OrchestrationError {
                        return (new, "\(error.code)")
                    }
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(words.values.sorted() == ["passwordChanged", "succeeded"])
        let winner = try #require(words.first { $0.value == "succeeded" }?.key)
        for password in [Stage.password, Self.new, Self.other] {
            let isAccepted = try await scene.login(with: password, store: origin).status == .accepted
            #expect(isAccepted == (password == winner))
            try await scene.stage.platform.platform.liftBlocks(of: scene.account)
        }
        let (device, record) = (try await scene.device(), try await scene.record(in: origin))
        #expect(device.state == .active && device.passwordFailures == 0)
        #expect(device.generation > 0 && record.generation == device.generation)
        #expect(try folder.files().allSatisfy { !$0.hasSuffix(".new") })
    }

    @Test func `a code is not made with a password that another process has changed meanwhile`() async throws {
        let scene = try await PasswordChangeScene()
        let user = ScriptedUser([Self.answer(Stage.password, after: scene)])
        let app = try scene.stage.orchestrator(user: user)
        await #expect(throws: OrchestrationError(.passwordChanged)) {
            _ = try await app.user("alice").oneTimePassword()
        }
        let counters = try await scene.record().counters
        #expect(counters.isEmpty)
    }

    @Test func `an approval is not answered with a password that another process has changed meanwhile`()
        async throws
    {
        let scene = try await PasswordChangeScene()
        try await scene.stage.orchestrator().user("alice").registerNotifications()
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
        try await scene.stage.orchestrator().user("alice").registerNotifications()
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
        #expect(device.lockReason == .cloneSuspected && device.passwordFailures == 0 && device.generation > 0)
        let record = try await scene.record(in: copy)
        #expect(record.state == .locked(.cloneSuspected))
    }

    @Test func `a newer change of the same process supersedes the older one`() async throws {
        let scene = try await PasswordChangeScene()
        let app = try scene.stage.orchestrator(user: PasswordChangeScene.user())
        var first = app.changePassword(of: "alice").makeAsyncIterator()
        let step = try await first.next()
        #expect(step?.word == "passwordChange 1/2")
        var second = app.changePassword(of: "alice").makeAsyncIterator()
        _ = try? await second.next()
        let end = try await first.next()
        #expect(end?.word == "aborted: superseded")
        let valid = try await scene.valid(of: [Stage.password, Self.new])
        #expect(valid == [Stage.password])
    }
}

/// A place where two tasks wait for each other.
private final class Meeting: Sendable {
    private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)

    func wait() async {
        await withCheckedContinuation { continuation in
            let other = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
                defer { waiting = waiting == nil ? continuation : nil }
                return waiting
            }
            guard let other else { return }
            other.resume()
            continuation.resume()
        }
    }
}
