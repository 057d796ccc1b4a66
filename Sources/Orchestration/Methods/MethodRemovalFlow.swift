internal import OrchestrationProtocol
internal import Primitives

/// The flow of ``Orchestrator/remove(_:of:domain:)``.
///
/// The order is: remove from the record, delete the keys, inform the platform. The method is of no use from the first
/// step on.
struct MethodRemovalFlow: Flow {
    static let kind = FlowKind("methodRemoval")

    private let method: AuthenticationMethod
    private let account: AccountName
    private let orchestrator: Orchestrator

    init(
        _ parameters: MethodFlowParameters, account: AccountName, orchestrator: Orchestrator
    ) throws(OrchestrationError) {
        guard parameters.method.isEnrollable else { throw OrchestrationError(.invalidConfiguration) }
        method = parameters.method
        self.account = account
        self.orchestrator = orchestrator
    }

    func run(_ events: FlowEvents) async throws -> [FlowEvent] {
        let environment = orchestrator.environment
        guard try await environment.vault.record(account) != nil else { throw OrchestrationError(.notActivated) }
        let method = method
        // Also for a user who is locked: it removes rights and gives none.
        let record = try await environment.vault.update(account) { record in
            record.removeMethod(method)
            return record
        }
        let name = environment.vault.name(for: account)
        for provider in environment.methods where provider.method == method {
            do {
                try await ProviderCall.run { try await provider.deleteKeys(of: name, except: nil) }
            } catch let error as UserAuthenticationError {
                throw OrchestrationError(.storeUnavailable, underlying: error)
            }
        }
        return try await inform(of: record) + [.succeeded(.methodRemoved(UserInformation(record)))]
    }

    private func inform(of stored: UserRecord) async throws -> [FlowEvent] {
        let method = method
        let reply: ChannelReply
        do {
            reply = try await ChannelSession(account: account, orchestrator: orchestrator).exchange { record in
                guard record.deviceID == stored.deviceID else { throw OrchestrationError(.notActivated) }
                return .methodRemove(method)
            }
        } catch {
            guard let error = OrchestrationError.leavingTheSDK(error) as? OrchestrationError else { throw error }
            return [.warning(Warning(.methodRemovalNotConfirmed, cause: error))]
        }
        let warnings = reply.warnings.map(FlowEvent.warning)
        switch reply.result {
        case .accepted:
            let step = FlowStep(kind: .methodRemoval, number: 1, total: 1, command: reply.command)
            return [.stepCompleted(step)] + warnings
        case .refused(let refusal):
            let cause = refusal.error
            return warnings + [.warning(Warning(.methodRemovalNotConfirmed, cause: cause))]
        }
    }
}
