internal import OrchestrationProtocol
internal import Primitives

/// The flow of ``Orchestrator/registerNotifications(for:domain:identifier:)``: one exchange.
struct NotificationRegistrationFlow: Flow {
    static let kind = FlowKind("notificationRegistration")

    struct Parameters: FlowParameters {
        let user: UserName
        let identifier: NotificationIdentifier
    }

    private let identifier: NotificationIdentifier
    private let session: ChannelSession

    init(_ parameters: Parameters, account: AccountName, orchestrator: Orchestrator) throws {
        if case .push(let text) = parameters.identifier,
            !(1...1_024).contains(text.utf8.count) || !DisplayText.hasAllowedCharacters(text)
        {
            throw OrchestrationError(.invalidArgument)
        }
        identifier = parameters.identifier
        session = ChannelSession(account: account, orchestrator: orchestrator)
    }

    func run(_ events: FlowEvents) async throws -> [FlowEvent] {
        let reply = try await session.exchange { record in
            try record.requireActive()
            return .notificationsRegister(identifier: identifier.text(deviceID: record.deviceID))
        } effect: { [identifier] record, _ in
            record.notificationIdentifier = identifier.text(deviceID: record.deviceID)
        }
        let warnings = reply.warnings.map(FlowEvent.warning)
        switch reply.result {
        case .accepted:
            let step = FlowStep(kind: Self.kind, number: 1, total: 1, command: reply.command)
            let outcome = Outcome.notificationsRegistered(UserInformation(reply.record))
            return [.stepCompleted(step)] + warnings + [.succeeded(outcome)]
        case .refused(let refusal):
            return warnings + refusal.end
        }
    }
}
