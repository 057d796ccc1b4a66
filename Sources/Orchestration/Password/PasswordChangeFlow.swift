internal import Logging
internal import OrchestrationProtocol
internal import Primitives

/// The flow of ``Orchestrator/changePassword(of:domain:)``.
///
/// The order is: ask for the current password, prove it, ask for the new one twice, store it, prove it.
struct PasswordChangeFlow: Flow {
    static let kind = FlowKind("passwordChange")

    private let session: ChannelSession

    private var environment: FlowEnvironment { session.environment }

    init(_ parameters: UserName, account: AccountName, orchestrator: Orchestrator) {
        session = ChannelSession(account: account, orchestrator: orchestrator)
    }

    func run(_ events: FlowEvents) async throws -> [FlowEvent] {
        let (offer, current) = try await proveCurrentPassword(events)
        let stored = try await session.choosePassword(for: offer, unlike: current, events)
        // The write has completed the change on this device. No newer flow may come in between from here on.
        return try await proveNewPassword(offer, stored: stored)
    }

    /// Asks for the current password until the platform accepts its proof, and takes the offer in the answer.
    private func proveCurrentPassword(
        _ events: FlowEvents
    ) async throws -> (offer: PasswordOffer, current: SecretBox<Password>) {
        let accepted = try await session.exchangeWithPassword(.passwordChange, events)
        let record = accepted.record
        guard let answer = accepted.body.answer(to: PasswordChangeMessage.self),
            answer.generation > record.generation, let policy = answer.policy.policy
        else { throw OrchestrationError(.invalidAnswer) }
        try await events.send(completed(1, accepted.reply))
        let offer = PasswordOffer(
            to: record, generation: answer.generation,
            secret: PasswordGenerations.applying(answer.change.key, to: accepted.secret), policy: policy)
        return (offer, accepted.password)
    }

    /// Proves the new password, which is stored. It is valid for the user even when the platform does not answer.
    private func proveNewPassword(_ offer: PasswordOffer, stored: UserRecord) async throws -> [FlowEvent] {
        // The enrolled methods stay valid. A person who knew the previous password may have enrolled one.
        let hint = stored.enrolledMethods.isEmpty ? [] : [FlowEvent.warning(Warning(.renewEnrolledMethods))]
        let success = hint + [.succeeded(.passwordChanged(UserInformation(stored)))]
        let reply: ChannelReply
        do {
            reply = try await session.exchange(
                .passwordProve, proving: offer.secret, generation: offer.generation, of: offer.deviceID)
        } catch {
            guard let error = OrchestrationError.leavingTheSDK(error) as? OrchestrationError else { throw error }
            return [.warning(Warning(.passwordNotConfirmed, cause: error))] + success
        }
        switch reply.result {
        case .accepted: return completed(2, reply) + success
        case .refused(let refusal)
        where [.locked, .revoked, .cloneSuspected, .wrongPassword].contains(refusal.code):
            // The device cannot be used with either password.
            throw FlowEnd(refusal.error, after: reply.warnings)
        case .refused(let refusal):
            let warning = Warning(.passwordNotConfirmed, cause: refusal.error)
            return reply.warnings.map(FlowEvent.warning) + [.warning(warning)] + success
        }
    }

    private func completed(_ number: Int, _ reply: ChannelReply) -> [FlowEvent] {
        environment.logger.debug("change of password: step completed", metadata: ["flow.step": "\(number)"])
        let step = FlowStep(kind: Self.kind, number: number, total: 2, command: reply.command)
        return [.stepCompleted(step)] + reply.warnings.map(FlowEvent.warning)
    }
}
