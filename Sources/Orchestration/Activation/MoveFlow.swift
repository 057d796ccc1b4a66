internal import Logging
internal import OrchestrationProtocol
internal import Primitives

/// The flow of ``Orchestrator/move(_:domain:)``.
///
/// The order is: ask for the password, prove it, take the activation password for the new device. Nothing is stored: the
/// platform revokes this device when the new one is activated.
struct MoveFlow: Flow {
    static let kind = FlowKind("move")

    private let session: ChannelSession

    init(_ parameters: UserName, account: AccountName, orchestrator: Orchestrator) {
        session = ChannelSession(account: account, orchestrator: orchestrator)
    }

    func run(_ events: FlowEvents) async throws -> [FlowEvent] {
        let accepted = try await session.exchangeWithPassword(.moveBegin, events)
        let tenant = session.environment.configuration.tenant
        guard let answer = accepted.body.answer(to: MoveBeginMessage.self),
            let move = DeviceMove(answer, tenant: tenant, account: session.account)
        else { throw OrchestrationError(.invalidAnswer) }
        session.environment.logger.debug("move begun")
        let step = FlowStep(kind: Self.kind, number: 1, total: 1, command: accepted.reply.command)
        return [.stepCompleted(step)] + accepted.reply.warnings.map(FlowEvent.warning)
            + [.succeeded(.moveBegun(move))]
    }
}
