internal import Crypto
internal import Logging
internal import OrchestrationProtocol
internal import Primitives

/// The flow of ``Orchestrator/move(_:domain:)``.
///
/// The order is: ask for the password, prove it, take the activation password for the new device. Nothing is stored: the
/// platform revokes this device when the new one is activated.
struct MoveFlow: Flow {
    static let kind = FlowKind("move")

    private let account: AccountName
    private let orchestrator: Orchestrator

    private var environment: FlowEnvironment { orchestrator.environment }

    init(_ parameters: UserName, account: AccountName, orchestrator: Orchestrator) {
        self.account = account
        self.orchestrator = orchestrator
    }

    func run(_ events: FlowEvents) async throws -> [FlowEvent] {
        var inputs = RefusedInputs()
        while true {
            guard let (record, key) = try await environment.vault.open(account) else {
                throw OrchestrationError(.notActivated)
            }
            try record.requireActive()
            let password = try await environment.presentPassword(of: account, inputs, policy: record.pinPolicy)
            guard try await inputs.accepts(password, under: record.pinPolicy, events) else { continue }
            // A newer flow may have begun during the prompt. This one would end its move.
            try await events.send([])
            let secret = try await record.passwordInstance(password.secret, key: key)
            let reply = try await begin(secret, generation: record.generation, of: record.deviceID)
            switch reply.result {
            case .accepted(let acceptance):
                let tenant = environment.configuration.tenant
                guard let answer = acceptance.body.answer(to: MoveBeginMessage.self),
                    let move = DeviceMove(answer, tenant: tenant, account: account)
                else { throw OrchestrationError(.invalidAnswer) }
                environment.logger.debug("move begun")
                let step = FlowStep(kind: .move, number: 1, total: 1, command: reply.command)
                return [.stepCompleted(step)] + reply.warnings.map(FlowEvent.warning)
                    + [.succeeded(.moveBegun(move))]
            case .refused(let refusal): try await events.send(try inputs.refuse(refusal, after: reply.warnings))
            }
        }
    }

    /// Sends the message with a proof of the password, for the device and the generation that the secret belongs to.
    private func begin(
        _ secret: SymmetricKey, generation: UInt64, of deviceID: [UInt8]
    ) async throws -> ChannelReply {
        try await ChannelSession(account: account, orchestrator: orchestrator).exchange { record in
            guard record.deviceID == deviceID else { throw OrchestrationError(.notActivated) }
            try record.requireActive()
            return .moveBegin
        } proof: { _ in
            ChannelProof(password: secret, generation: generation)
        }
    }
}
