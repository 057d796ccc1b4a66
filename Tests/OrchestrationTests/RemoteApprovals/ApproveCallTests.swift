import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport
import Testing
import TrustedIdentity

@testable import Orchestration

/// The calls that decide about a request and run the rest of its flow.
@Suite struct ApproveCallTests {
    @Test func `a call answers, and returns the receipt of the application server`() async throws {
        let scene = try await ApprovalScene(showsNumbers: true)
        let report = try await scene.platform.requestLogin("alice")
        let request = try await scene.open(report)
        let answer = try await request.approve(number: report.numberToMatch)
        #expect(answer.decision == .approved)
        #expect(try await scene.platform.approval(report).receipt == answer.receipt.bytes)
        let second = try await scene.platform.requestLogin("alice")
        let rejected = try await scene.open(second).reject(.canceled)
        #expect(rejected.decision == .rejected(.canceled))
        #expect(try await scene.platform.approval(second).receipt == rejected.receipt.bytes)
    }

    @Test func `the loop over the stream gets the rest of the events after the call, with the same end`() async throws {
        let scene = try await ApprovalScene(user: ScriptedUser([.password("739105"), .password(Stage.password)]))
        let report = try await scene.platform.requestLogin("alice")
        var words: [String] = []
        for try await event in try scene.app().execute(#require(report.pointer)) {
            words.append(event.word)
            if case .approvalRequired(let request) = event { try await request.approve() }
        }
        #expect(
            words == [
                "approval 1/2", "approval: login", "rejected: wrongPassword(remainingTries: Optional(4))",
                "approval 2/2", "warning: failedPasswords(1)", "succeeded",
            ])
    }

    @Test func `a failed call ends the loop with the same error`() async throws {
        let scene = try await ApprovalScene()
        let report = try await scene.platform.requestLogin("alice")
        var iterator = try scene.app().execute(#require(report.pointer)).makeAsyncIterator()
        while let event = try await iterator.next() {
            guard case .approvalRequired(let request) = event else { continue }
            scene.stage.wire.cut(true)
            await #expect(throws: OrchestrationError(.transport)) { try await request.approve() }
            break
        }
        do {
            _ = try await iterator.next()
            Issue.record("the loop goes on")
        } catch {
            #expect(error as? OrchestrationError == OrchestrationError(.transport))
        }
        let end = try await iterator.next()
        #expect(end == nil)
    }

    @Test func `a second decision is refused, after an approval, after a rejection, and from two tasks`() async throws {
        let scene = try await ApprovalScene()
        let first = try await scene.open(scene.platform.requestLogin("alice", source: "a"))
        try await first.approve()
        await #expect(throws: OrchestrationError(.alreadyDecided)) { try await first.approve() }
        await #expect(throws: OrchestrationError(.alreadyDecided)) { try await first.reject(.notMe) }
        let second = try await scene.open(scene.platform.requestLogin("alice", source: "b"))
        try await second.reject(.canceled)
        await #expect(throws: OrchestrationError(.alreadyDecided)) { try await second.approve() }
        let third = try await scene.open(scene.platform.requestLogin("alice", source: "c"))
        let ends = await withTaskGroup(of: Result<AnsweredApproval, any Error>.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    do { return .success(try await third.approve()) } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let errors = ends.compactMap { if case .failure(let error) = $0 { error as? OrchestrationError } else { nil } }
        #expect(errors == [OrchestrationError(.alreadyDecided)])
        #expect(try await scene.answerCount() == 3)
    }

    @Test func `a number of another form leaves the request undecided`() async throws {
        let scene = try await ApprovalScene(showsNumbers: true)
        let report = try await scene.platform.requestLogin("alice")
        let request = try await scene.open(report)
        await #expect(throws: OrchestrationError(.invalidNumber(digits: request.digits))) {
            try await request.approve()
        }
        try await request.approve(number: report.numberToMatch)
    }

    @Test func `a request can be decided after its stream was released, and not after its loop went on`() async throws {
        let scene = try await ApprovalScene()
        let released = try await scene.open(scene.platform.requestLogin("alice"))
        try await released.approve()
        let report = try await scene.platform.requestLogin("alice")
        var left: ApprovalRequest?
        for try await event in try scene.app().execute(#require(report.pointer)) {
            if case .approvalRequired(let request) = event { left = request }
        }
        await #expect(throws: OrchestrationError(.alreadyDecided)) { try await left?.approve() }
        #expect(try await scene.platform.approval(report).status == .pending)
    }

    @Test(arguments: End.allCases)
    func `a request that no longer waits says why`(end: End) async throws {
        let scene = try await ApprovalScene()
        let tablet = end == .answeredElsewhere ? try await scene.otherDevice() : nil
        let report = try await scene.platform.requestLogin("alice")
        let request = try await scene.open(report)
        switch end {
        case .expired: scene.stage.advance(seconds: 121)
        case .answeredElsewhere: try await scene.open(report, on: tablet).reject(.canceled)
        case .canceled: try await scene.platform.cancelApproval(report, notice: RefusalNotice(text: "Sold out"))
        case .revoked:
            let id = try await scene.app().user("alice").information.deviceID
            try await scene.platform.platform.revokeDevice([UInt8](hex: id), of: ActivationExchange.account)
        }
        let error = await #expect(throws: OrchestrationError.self) { try await request.approve() }
        switch end {
        case .expired: #expect(error?.code == .approvalExpired)
        case .answeredElsewhere: #expect(error?.code == .approvalAnswered)
        case .canceled:
            #expect(error?.code == .approvalCanceled && error?.notice?.text == "Sold out")
            // The call that opens the request has the notice, too.
            let opening = await #expect(throws: OrchestrationError.self) { try await scene.open(report) }
            #expect(opening?.notice?.text == "Sold out")
        case .revoked: #expect(error?.code == .revoked)
        }
        #expect(try await scene.kept().isEmpty)
    }

    /// What happens to a request that the app shows.
    enum End: CaseIterable { case expired, answeredElsewhere, canceled, revoked }

    @Test func `a call that is canceled at the prompt sends nothing`() async throws {
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
        let user = ScriptedUser([
            ScriptedAnswer { _ in
                continuation.yield()
                try await Task.sleep(for: .seconds(3_600))
                throw UserAuthenticationError.aborted
            }
        ])
        let scene = try await ApprovalScene(user: user)
        let report = try await scene.platform.requestLogin("alice")
        let request = try await scene.open(report)
        let call = Task { try await request.approve() }
        for await _ in asked { break }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(try await scene.platform.approval(report).status == .pending)
        #expect(try await scene.kept().isEmpty)
    }

    @Test func `a password that comes after the cancellation is not used`() async throws {
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
        let user = ScriptedUser([
            ScriptedAnswer { _ in
                continuation.yield()
                try? await Task.sleep(for: .seconds(3_600))
                return UserInput(SecretBytes(copying: Stage.password.utf8))
            }
        ])
        let scene = try await ApprovalScene(user: user)
        let report = try await scene.platform.requestLogin("alice")
        let request = try await scene.open(report)
        let call = Task { try await request.approve() }
        for await _ in asked { break }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(try await scene.platform.approval(report).status == .pending)
        #expect(try await scene.kept().isEmpty)
    }

    @Test func `a decision that is given up after a wrong password leaves nothing to approve by`() async throws {
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
        let user = ScriptedUser([
            .password(ApprovalScene.wrongPassword),
            ScriptedAnswer { _ in
                continuation.yield()
                try await Task.sleep(for: .seconds(3_600))
                throw UserAuthenticationError.aborted
            },
        ])
        let scene = try await ApprovalScene(user: user)
        let report = try await scene.platform.requestLogin("alice")
        let request = try await scene.open(report)
        let call = Task { try await request.approve() }
        for await _ in asked { break }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(try await scene.kept().isEmpty)
        // The user is asked for a decision again, and may decide otherwise.
        let again = try await scene.open(report, on: scene.app(user: ScriptedUser(password: Stage.password)))
        try await again.reject(.notMe)
        #expect(try await scene.platform.approval(report).declineReason == .notMe)
    }

    @Test(arguments: [true, false])
    func `a call that is canceled after the answer was sent says so, and the answer is sent again`(
        arrives: Bool
    ) async throws {
        let scene = try await ApprovalScene()
        let first = try await scene.platform.requestLogin("alice", source: "a")
        let network = HoldingTransport(scene.stage.wire)
        var requests = try scene.stage.orchestrator(transport: network).user("alice").approvalRequests()
            .makeAsyncIterator()
        let request = try #require(try await requests.next())
        network.holdNext(arrives: arrives)
        let call = Task { try await request.approve() }
        await network.held()
        call.cancel()
        await #expect(throws: OrchestrationError(.outcomeUnknown)) { try await call.value }
        #expect(try await scene.kept().count == 1)
        let second = try await scene.platform.requestLogin("alice", source: "b")
        async let waker: Void = {
            await scene.time.sleepers(1)
            scene.time.advance(seconds: 30)
        }()
        let next = try #require(try await requests.next())
        await waker
        #expect(try await scene.platform.approval(first).status == .accepted)
        #expect(try await scene.kept().isEmpty)
        try await next.approve()
        #expect(try await scene.platform.approval(second).status == .accepted)
        #expect(try await scene.answerCount() == 2)
    }
}

/// A transport that holds one command, or its reply, until its task is canceled.
private final class HoldingTransport: Transport {
    private let base: any Transport
    private let arrives = Mutex<Bool?>(nil)
    private let (holds, continuation) = AsyncStream.makeStream(of: Void.self)

    init(_ base: any Transport) { self.base = base }

    func holdNext(arrives: Bool) { self.arrives.withLock { $0 = arrives } }

    /// Waits until the command is held.
    func held() async { for await _ in holds { return } }

    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        guard let arrives = arrives.withLock({ $0.take() }) else { return try await base.send(command) }
        if arrives { _ = try await base.send(command) }
        continuation.yield()
        try await Task.sleep(for: .seconds(3_600))
        throw OrchestrationError(.transport)
    }
}

extension ApprovalScene {
    /// Opens a request, and releases the stream.
    func open(_ report: ApprovalReport, on app: Orchestrator? = nil) async throws -> ApprovalRequest {
        let app = try app ?? self.app()
        guard case .approvalRequest(let request) = try await app.user("alice").execute(#require(report.pointer)) else {
            throw OrchestrationError(.internal)
        }
        return request
    }
}
