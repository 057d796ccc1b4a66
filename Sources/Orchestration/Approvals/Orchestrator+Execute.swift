public import OrchestrationProtocol
internal import Primitives

extension Orchestrator {
    /// Executes a command that has arrived at the app: in a push message, as a QR code, on a stream, or through the
    /// application server.
    ///
    /// - A *pointer* starts the flow of an approval request. It fetches the request, verifies it, asks for the decision
    ///   with ``FlowEvent/approvalRequired(_:)``, and ends with ``Outcome/approvalAnswered(_:)``. A newer flow for the
    ///   same request supersedes it.
    /// - A *reply* of the platform to a command that a flow of this process sent through a ``RelayTransport`` is
    ///   delivered to that flow. The flow of the reply ends with ``Outcome/replyDelivered``.
    ///
    /// A command is not trusted. A pointer of another tenant ends with `.outdated` (`approvalUnknown`), and
    /// sends nothing.
    ///
    /// - Parameter command: The command.
    /// - Returns: The flow, which starts when it is iterated. It throws `commandUnknown` and
    ///   `replyNotExpected` for other commands; `cannotDisplay`, `providerUnavailable`, `transport`, `invalidAnswer`,
    ///   the errors of the store and the device key, and `CancellationError`.
    public nonisolated func execute(_ command: OrchestrationCommand) -> AsyncThrowingStream<FlowEvent, any Error> {
        guard let envelope = try? Envelope(decoding: command) else { return Self.failing(.commandUnknown) }
        if case .approvalPointer(let pointer) = envelope {
            return FlowRunner<ApprovalFlow>.stream(
                .init(id: ApprovalID(checked: pointer.id), tenant: pointer), on: self)
        }
        switch ReplyKey.Direction(envelope) {
        case .reply: return FlowRunner<ReplyFlow>.stream(command, on: self)
        case .request, nil: return Self.failing(.commandUnknown)
        }
    }

    /// Opens an approval request of a user.
    ///
    /// The same as ``execute(_:)`` with a pointer, for a request of ``pendingApprovals(for:domain:)``. No other user is
    /// asked.
    ///
    /// - Parameters:
    ///   - id: The id of the request.
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain, where it is not the default.
    /// - Returns: The flow, which starts when it is iterated. It throws the errors of ``execute(_:)``, and
    ///   `invalidUser`, `notActivated`, `userLocked`.
    public nonisolated func openApproval(
        _ id: ApprovalID, for user: String, domain: String? = nil
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<ApprovalFlow>.stream(.init(id: id, user: user, domain: domain), on: self)
    }

    /// Returns the pending approval requests of a user.
    ///
    /// Call this method when the app comes to the foreground: a push message can be lost.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain, where it is not the default.
    /// - Returns: At most 16 requests, the oldest first.
    /// - Throws: `invalidUser`, `notActivated`, `userLocked`, `transport`, `invalidAnswer`; the code of
    ///   a refusal; the errors of the store and the device key; `CancellationError`.
    public nonisolated func pendingApprovals(
        for user: String, domain: String? = nil
    ) async throws -> [ApprovalSummary] {
        try await environment.recorded(FlowKind("pendingApprovals")) {
            try await pendingApprovals(of: environment.account(user: user, domain: domain))
        }
    }

    nonisolated func pendingApprovals(of account: AccountName) async throws -> [ApprovalSummary] {
        let reply = try await ChannelSession(account: account, orchestrator: self).exchange { record in
            try record.requireActive()
            return .approvalList
        }
        switch reply.result {
        case .refused(let refusal): throw refusal.error
        case .accepted(let acceptance):
            guard let answer = acceptance.body.answer(to: ApprovalListMessage.self) else {
                throw OrchestrationError(.invalidAnswer)
            }
            let now = acceptance.offset.requestTime(at: environment.time.now())
            return answer.approvals.map { ApprovalSummary($0, tenant: reply.record.tenant, now: now) }
        }
    }

    private static func failing(_ code: OrchestrationError.Code) -> AsyncThrowingStream<FlowEvent, any Error> {
        AsyncThrowingStream { throw OrchestrationError(code) }
    }
}

/// The flow of a reply. It delivers the reply to the flow that waits for it.
private final class ReplyFlow: RunnableFlow {
    private static let kind = FlowKind("reply")

    private let reply: OrchestrationCommand
    private let orchestrator: Orchestrator

    private init(_ reply: OrchestrationCommand, _ orchestrator: Orchestrator) {
        self.reply = reply
        self.orchestrator = orchestrator
    }

    static func make(
        _ reply: OrchestrationCommand, on orchestrator: Orchestrator
    ) throws -> (flow: ReplyFlow, subject: FlowSubject) {
        (ReplyFlow(reply, orchestrator), FlowSubject(kind, of: reply.bytes))
    }

    func step() async throws -> [FlowEvent] {
        guard let relay = orchestrator.environment.transport as? RelayTransport, relay.deliver(reply) else {
            throw OrchestrationError(.replyNotExpected)
        }
        return [.succeeded(.replyDelivered)]
    }
}
