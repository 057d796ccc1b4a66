import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// A platform that asks and a device that answers, both real, in one process. The device has registered the pull
/// channel.
struct ApprovalScene: Sendable {
    static let wrongPassword = "739105"

    let stage: Stage

    /// - Parameters:
    ///   - user: Answers the prompts; types the right password by default.
    ///   - showsNumbers: Whether the site shows numbers.
    ///   - policy: The platform's.
    init(
        user: ScriptedUser = ScriptedUser(password: Stage.password), showsNumbers: Bool = false,
        policy: Policy? = nil
    ) async throws {
        stage = try await Stage(user: user, policy: policy, showsNumbers: showsNumbers)
        try await stage.activate()
        try await app().user("alice").registerNotifications()
    }

    var platform: TestPlatform { stage.platform }
    var time: ManualTimeSource { stage.time }

    /// A fresh process of the app.
    func app(user: ScriptedUser? = nil) throws -> Orchestrator { try stage.orchestrator(user: user) }

    /// Activates a user on a device of its own.
    func otherDevice(of user: String = "alice", seed: UInt64 = 6) async throws -> Orchestrator {
        let app = try stage.orchestrator(
            user: ScriptedUser(password: Stage.password), store: MemoryStore(),
            keys: DeterministicDeviceKeys(seed: seed))
        let code = try await platform.register(user)
        try await app.user(user).activate(with: code)
        try await app.user(user).registerNotifications()
        return app
    }

    /// Opens a request on a device and decides.
    func decide(
        _ report: ApprovalReport, on app: Orchestrator? = nil, _ decide: (ApprovalRequest) async throws -> Void
    ) async throws -> ApprovalRun {
        try await ApprovalRun((app ?? self.app()).execute(#require(report.pointer)), deciding: decide)
    }

    /// Checks that the platform returns the same receipt to the application server as to the device, and that it
    /// verifies.
    func checkReceipt(
        _ run: ApprovalRun, of report: ApprovalReport, sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) async throws -> VerifiedReceipt {
        let answered = try #require(run.answered, sourceLocation: sourceLocation)
        let ended = try await platform.approval(report)
        #expect(ended.receipt == answered.receipt.bytes, sourceLocation: sourceLocation)
        let statement = try await verifiedReceipt(of: report)
        #expect(statement == answered.statement, sourceLocation: sourceLocation)
        #expect(statement.approvalID == report.id, sourceLocation: sourceLocation)
        return statement
    }

    /// Returns what the receipt of the application server states.
    func verifiedReceipt(of report: ApprovalReport) async throws -> VerifiedReceipt {
        let bytes = try #require(try await platform.approval(report).receipt)
        return try Receipt(bytes: bytes).verify(with: platform.platform.publishedKeys())
    }

    /// Returns how many answers have ended a request.
    func answerCount() async throws -> Int {
        try await platform.platform.audit(of: ActivationExchange.account).count { $0.event == .approvalAnswered }
    }

    /// The answers that the device keeps.
    func kept() async throws -> [PendingAnswer] {
        try await app().environment.vault.record(ActivationExchange.account)?.pendingAnswers ?? []
    }
}

/// The events of a flow in words, and its result.
struct ApprovalRun: Sendable {
    private(set) var words: [String] = []
    private(set) var answered: AnsweredApproval?

    /// Runs a flow to its end, with a decision about each request. A call that fails has to end the flow in the same way.
    init(
        _ flow: AsyncThrowingStream<FlowEvent, any Error>, deciding decide: (ApprovalRequest) async throws -> Void
    ) async throws {
        var failure: OrchestrationError?
        for try await event in flow {
            words.append(event.word)
            if case .approvalRequired(let request) = event {
                do { try await decide(request) } catch let error as OrchestrationError { failure = error }
            }
            if case .succeeded(.approvalAnswered(let approval)) = event { answered = approval }
            if event.isTerminal, let failure, event.failure != failure { throw failure }
        }
    }

    /// The events of a flow that fetches, shows, and ends with an answer.
    static func answeredWords(_ kind: ApprovalKind) -> [String] {
        ["approval 1/2", "approval: \(kind)", "approval 2/2", "succeeded"]
    }
}
