internal import Primitives
internal import Wire

/// The flow behind ``Orchestrator/registerNotifications(_:)``: one exchange.
final class NotificationRegistrationFlow: Flow {
    private let parameters: NotificationRegistrationParameters
    private let environment: FlowEnvironment
    private var ticket: FlowTicket?
    private var told: [FlowEvent] = []

    init(parameters: NotificationRegistrationParameters, environment: FlowEnvironment) {
        self.parameters = parameters
        self.environment = environment
    }

    func next() async throws -> FlowEvent {
        if told.isEmpty { try await run() }
        if let ticket, !environment.seats.holds(ticket) { return .aborted(.superseded) }
        return told.removeFirst()
    }

    private func run() async throws {
        let account = try environment.account(user: parameters.user, domain: parameters.domain)
        if case .push(let text) = parameters.identifier, !(1...1024).contains(text.utf8.count) {
            throw OrchestrationError(.invalidNotificationIdentifier)
        }
        ticket = environment.seats.take(.notificationRegistration, of: account)
        guard let record = try await environment.vault.record(account) else { throw OrchestrationError(.notActivated) }
        let identifier = parameters.identifier.text(deviceID: record.deviceID)
        let session = ChannelSession(account: account, environment: environment)
        let reply = try await session.exchange { record in
            try record.requireActive()
            return .notificationsRegister(identifier: identifier)
        } effect: { record, _ in
            record.notificationIdentifier = identifier
        }
        switch reply.result {
        case .accepted:
            told.append(
                .stepCompleted(
                    FlowStep(kind: .notificationRegistration, number: 1, total: 1, command: reply.command)))
            told.append(contentsOf: reply.warnings.map(FlowEvent.warning))
            told.append(.succeeded(.notificationsRegistered(UserInformation(reply.record))))
        case .refused(let refusal):
            told.append(contentsOf: reply.warnings.map(FlowEvent.warning))
            told.append(.aborted(refusal.cause))
        }
    }
}

extension NotificationRegistrationParameters.Identifier {
    /// The text that the platform gets. The platform's own channel is named after the device, so that it is unique for
    /// device and app as every other identifier is (requirement E2).
    func text(deviceID: [UInt8]) -> String {
        switch self {
        case .push(let text): text
        case .pullChannel: "pull:" + Hex.encode(deviceID)
        }
    }
}
