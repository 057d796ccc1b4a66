public import OrchestrationProtocol
internal import Primitives

extension Orchestrator {
    /// Executes a command that the app has received: in a push message, as a QR code, on a stream, or through the
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
        execute(command, for: nil)
    }

    /// Executes a command that has arrived as a text: Base64url, hexadecimal digits, or the text of a QR code (Base45).
    ///
    /// The same as ``execute(_:)-(OrchestrationCommand)``. White space around the text makes no difference.
    ///
    /// - Parameter text: The text.
    /// - Returns: The flow. It throws `commandUnknown` for another text.
    public nonisolated func execute(_ text: String) -> AsyncThrowingStream<FlowEvent, any Error> {
        guard let command = OrchestrationCommand(anyText: text) else { return Self.failing(.commandUnknown) }
        return execute(command)
    }

    /// Executes a command that has arrived as bytes.
    ///
    /// The same as ``execute(_:)-(OrchestrationCommand)``.
    ///
    /// - Parameter bytes: The bytes of the command.
    /// - Returns: The flow. It throws `commandUnknown` for bytes that are not a command.
    public nonisolated func execute(_ bytes: [UInt8]) -> AsyncThrowingStream<FlowEvent, any Error> {
        guard let command = try? OrchestrationCommand(bytes: bytes) else { return Self.failing(.commandUnknown) }
        return execute(command)
    }

    /// Opens an approval request of a user.
    ///
    /// The same as ``execute(_:)-(OrchestrationCommand)`` with a pointer, for a request of
    /// ``UserHandle/pendingApprovals()``. No other user is asked.
    ///
    /// - Parameters:
    ///   - id: The id of the request.
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain; `nil` for the one in `user`, or the default one.
    /// - Returns: The flow, which starts when it is iterated. It throws the errors of
    ///   ``execute(_:)-(OrchestrationCommand)``, and `invalidUser`, `notActivated`, `userLocked`.
    public nonisolated func openApproval(
        _ id: ApprovalID, for user: String, domain: String? = nil
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner<ApprovalFlow>.stream(.init(id: id, user: UserName(user, domain: domain)), on: self)
    }

    nonisolated func pendingApprovals(of account: AccountName) async throws -> [ApprovalSummary] {
        let reply = try await ChannelSession(account: account, orchestrator: self).exchange { record in
            try record.requireActive()
            return .approvalList
        }
        let (answer, offset) = try reply.answer(to: ApprovalListMessage.self)
        let now = offset.requestTime(at: environment.time.now())
        return answer.approvals.map { ApprovalSummary($0, tenant: reply.record.tenant, now: now) }
    }

    /// Executes a command.
    ///
    /// - Parameter user: The user that a pointer is for; `nil` for each activated user in turn.
    fileprivate nonisolated func execute(
        _ command: OrchestrationCommand, for user: UserName?
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        guard let envelope = try? Envelope(decoding: command) else { return Self.failing(.commandUnknown) }
        if case .approvalPointer(let pointer) = envelope {
            return FlowRunner<ApprovalFlow>.stream(
                .init(id: ApprovalID(checked: pointer.id), pointer: pointer, user: user), on: self)
        }
        switch ReplyKey.Direction(envelope) {
        case .request: return Self.failing(.commandUnknown)
        case .reply: return FlowRunner<ReplyFlow>.stream(command, on: self)
        case nil: return Self.failing(.commandUnknown)
        }
    }

    private static func failing(_ code: OrchestrationError.Code) -> AsyncThrowingStream<FlowEvent, any Error> {
        AsyncThrowingStream { throw OrchestrationError(code) }
    }
}

extension UserHandle {
    /// Executes a command that has arrived at the app, for this user.
    ///
    /// The same as ``Orchestrator/execute(_:)-(OrchestrationCommand)``, up to the decision about an approval request. No
    /// other user is asked.
    ///
    /// - Parameter command: The command.
    /// - Returns: The approval request, its answer, or the delivery of a reply.
    /// - Throws: The errors of the flow, including the errors of its other ends.
    @discardableResult
    public func execute(_ command: OrchestrationCommand) async throws -> Execution {
        try await Execution(of: orchestrator.execute(command, for: name))
    }

    /// Executes a command that has arrived as a text, for this user.
    ///
    /// - Parameter text: Base64url, hexadecimal digits, or the text of a QR code.
    /// - Returns: The approval request, its answer, or the delivery of a reply.
    /// - Throws: `commandUnknown` for another text; the errors of ``execute(_:)-(OrchestrationCommand)``.
    @discardableResult
    public func execute(_ text: String) async throws -> Execution {
        guard let command = OrchestrationCommand(anyText: text) else { throw OrchestrationError(.commandUnknown) }
        return try await execute(command)
    }

    /// Executes a command that has arrived as bytes, for this user.
    ///
    /// - Parameter bytes: The bytes of the command.
    /// - Returns: The approval request, its answer, or the delivery of a reply.
    /// - Throws: `commandUnknown` for bytes that are not a command; the errors of
    ///   ``execute(_:)-(OrchestrationCommand)``.
    @discardableResult
    public func execute(_ bytes: [UInt8]) async throws -> Execution {
        guard let command = try? OrchestrationCommand(bytes: bytes) else { throw OrchestrationError(.commandUnknown) }
        return try await execute(command)
    }

    /// Opens an approval request of the user.
    ///
    /// The same as ``Orchestrator/openApproval(_:for:domain:)``, up to the decision.
    ///
    /// - Parameter id: The id of the request.
    /// - Returns: The approval request; or the answer of an earlier run, which was sent again.
    /// - Throws: The errors of the flow, including the errors of its other ends.
    public func openApproval(_ id: ApprovalID) async throws -> Execution {
        try await Execution(of: orchestrator.openApproval(id, for: name.text, domain: name.domain))
    }

    /// Returns the pending approval requests of the user.
    ///
    /// Call this method when the app comes to the foreground, because a push message can be lost. It also returns
    /// requests that the platform does not announce.
    ///
    /// - Returns: At most 16 requests, the oldest first.
    /// - Throws: `invalidUser`, `notActivated`, `userLocked`, `transport`, `invalidAnswer`; the code of a refusal;
    ///   the errors of the store and the device key; `CancellationError`.
    public func pendingApprovals() async throws -> [ApprovalSummary] {
        try await environment.recorded(FlowKind("pendingApprovals")) {
            try await orchestrator.pendingApprovals(of: environment.account(name))
        }
    }
}

extension UserHandle {
    /// The result of a command.
    @nonexhaustive
    public enum Execution: Sendable {
        /// The command names this approval request. Show it, and call ``ApprovalRequest/approve(number:)`` or
        /// ``ApprovalRequest/reject(_:by:)``.
        case approvalRequest(ApprovalRequest)
        /// The user has decided in an earlier run of the app. The answer was sent again, and this is its receipt.
        case approvalAnswered(AnsweredApproval)
        /// The reply was delivered to the flow that waits for it.
        case replyDelivered

        /// Runs a flow to its decision, or to its end.
        init(of flow: AsyncThrowingStream<FlowEvent, any Error>) async throws {
            for try await event in flow {
                if case .approvalRequired(let request) = event {
                    self = .approvalRequest(request)
                    return
                }
                switch try event.outcome() {
                case nil: continue
                case .approvalAnswered(let answer): self = .approvalAnswered(answer)
                case .replyDelivered: self = .replyDelivered
                default: throw OrchestrationError(.internal)
                }
                return
            }
            throw CancellationError()
        }
    }
}

extension OrchestrationCommand {
    /// Creates a command from any of its texts, with white space around it. A text that is a command in base64url or
    /// hexadecimal digits is never a command in Base45, because the first byte of a command leads to other characters.
    package init?(anyText text: String) {
        // The text of a QR code may hold spaces within, never around it.
        var line = text.drop(while: \.isWhitespace)
        while let last = line.last, last.isWhitespace { line.removeLast() }
        let text = String(line)
        guard let command = (try? OrchestrationCommand(text: text)) ?? (try? OrchestrationCommand(qrText: text)) else {
            return nil
        }
        self = command
    }
}

/// The flow of a reply. It delivers the reply to the flow that waits for it.
private struct ReplyFlow: RunnableFlow {
    private static let kind = FlowKind("reply")

    let reply: OrchestrationCommand
    let orchestrator: Orchestrator

    static func make(
        _ reply: OrchestrationCommand, on orchestrator: Orchestrator
    ) throws -> (flow: ReplyFlow, subject: FlowSubject) {
        (ReplyFlow(reply: reply, orchestrator: orchestrator), FlowSubject(kind, of: reply.bytes))
    }

    func run(_ events: FlowEvents) async throws -> [FlowEvent] {
        guard let relay = orchestrator.environment.transport as? RelayTransport, relay.deliver(reply) else {
            throw OrchestrationError(.replyNotExpected)
        }
        return [.succeeded(.replyDelivered)]
    }
}
