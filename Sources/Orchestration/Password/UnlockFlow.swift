internal import Crypto
internal import Logging
internal import OrchestrationProtocol
internal import Primitives

/// The flow of ``Orchestrator/unlock(_:domain:with:)-(_,_,SecretBytes)``.
///
/// The order is: send the unlock code, ask for a new password twice, store it, prove it. A flow that was interrupted
/// after the new password was stored gets the same offer again. It asks for that password and proves it. If only the
/// answer to the proof was lost, it synchronizes.
struct UnlockFlow: Flow {
    struct Parameters: FlowParameters {
        let user: UserName
        /// The unlock code as it was typed.
        let unlockCode: OneShotSecret
    }

    static let kind = FlowKind("unlock")

    private let unlockCode: OneShotSecret
    private let session: ChannelSession

    private var environment: FlowEnvironment { session.environment }

    init(_ parameters: Parameters, account: AccountName, orchestrator: Orchestrator) {
        unlockCode = parameters.unlockCode
        session = ChannelSession(account: account, orchestrator: orchestrator)
    }

    func run(_ events: FlowEvents) async throws -> [FlowEvent] {
        let offer = try await redeemCode(events)
        // A second wrap of the same secret would be a check value for the password.
        let isStored = offer.generation == offer.previousGeneration
        if !isStored { _ = try await session.choosePassword(for: offer, events) }
        return try await provePassword(offer, secret: isStored ? nil : offer.secret, events)
    }

    /// Sends the unlock code, and takes the offer in the answer.
    private func redeemCode(_ events: FlowEvents) async throws -> PasswordOffer {
        // Nothing leaves the device before the code has passed its check.
        let code = try unlockCode.activationPassword(orEndingWith: .unlockCodeMistyped)
        guard let (asked, key) = try await environment.vault.open(session.account) else {
            throw OrchestrationError(.notActivated)
        }
        let message = RequestBody.unlock(
            handle: code.handle, secret: MessageSecret(code.secret.copy()), generation: asked.generation)
        let reply = try await session.exchange(
            with: (asked, key),
            { record in
                try record.requirePassword(of: asked.generation, on: asked.deviceID, unlocks: true)
                return message
            }, allowsLocked: true)
        switch reply.result {
        case .accepted(let acceptance):
            guard let answer = acceptance.body.answer(to: UnlockMessage.self),
                answer.generation >= asked.generation, let policy = answer.policy.policy
            else { throw OrchestrationError(.invalidAnswer) }
            try await events.send(completed(1, reply))
            return PasswordOffer(
                to: asked, generation: answer.generation, secret: answer.secret.key, policy: policy, unlocks: true)
        case .refused(let refusal):
            let end = FlowEnd(refusal.error, after: reply.warnings)
            // A code that was used is refused without a number of tries.
            guard refusal.code == .unlockCodeRefused, refusal.remainingTries == nil, reply.record.state != .active
            else { throw end }
            throw try await endOfEarlierFlow() ?? end
        }
    }

    /// Returns the end of an unlock whose proof has arrived but whose answer was lost; `nil` when there was no such
    /// unlock.
    ///
    /// Only the platform knows whether it has unlocked the device. The password of generation 0 never comes from an
    /// offer.
    private func endOfEarlierFlow() async throws -> FlowEnd? {
        let reply = try await session.synchronize(allowsLocked: true)
        guard case .accepted(let acceptance) = reply.result,
            let answer = acceptance.body.answer(to: SynchronizeMessage.self), answer.generation > 0,
            answer.generation == reply.record.generation
        else { return nil }
        return FlowEnd(completed(2, reply) + [.succeeded(.unlocked(UserInformation(reply.record)))])
    }

    /// Proves the stored new password, until the platform accepts it.
    ///
    /// - Parameter secret: The secret that the new password unwraps; `nil` to ask for the password.
    private func provePassword(
        _ offer: PasswordOffer, secret: SymmetricKey?, _ events: FlowEvents
    ) async throws -> [FlowEvent] {
        var (secret, inputs) = (secret, RefusedInputs())
        while true {
            if secret == nil { secret = try await recall(offer, &inputs, events) }
            guard let proven = secret.take() else { throw OrchestrationError(.internal) }
            let reply = try await session.exchange(
                .passwordProve, proving: proven, generation: offer.generation, of: offer.deviceID, unlocks: true)
            switch reply.result {
            case .accepted: return completed(2, reply) + [.succeeded(.unlocked(UserInformation(reply.record)))]
            case .refused(let refusal): try await events.send(try inputs.refuse(refusal, after: reply.warnings))
            }
        }
    }

    /// Asks for the password that an earlier flow has stored.
    ///
    /// - Returns: The secret that the password unwraps. Only the platform knows whether it is right.
    private func recall(
        _ offer: PasswordOffer, _ inputs: inout RefusedInputs, _ events: FlowEvents
    ) async throws -> SymmetricKey {
        while true {
            guard let (record, key) = try await environment.vault.open(session.account) else {
                throw OrchestrationError(.notActivated)
            }
            try record.requirePassword(of: offer.generation, on: offer.deviceID, unlocks: true)
            let password = try await environment.currentPassword(
                of: session.account, inputs, policy: record.pinPolicy, text: .unlockedPassword)
            guard try await inputs.accepts(password, under: record.pinPolicy, events) else { continue }
            // A newer flow may have begun during the prompt, and the proof may cost a try.
            try await events.send([])
            return try await record.passwordInstance(password.secret, key: key)
        }
    }

    private func completed(_ number: Int, _ reply: ChannelReply) -> [FlowEvent] {
        environment.logger.debug("unlock: step completed", metadata: ["flow.step": "\(number)"])
        let step = FlowStep(kind: Self.kind, number: number, total: 2, command: reply.command)
        return [.stepCompleted(step)] + reply.warnings.map(FlowEvent.warning)
    }
}
