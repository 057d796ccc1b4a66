internal import Crypto
internal import Logging
internal import OrchestrationProtocol
internal import Primitives

/// The flow of ``Orchestrator/changePassword(of:domain:)``.
///
/// The order is: ask for the present password, prove it, ask for the new one twice, store it, prove it. The device has
/// the secret of the next generation in memory only, until it is wrapped under the new password.
final class PasswordChangeFlow: Flow, StepFlow {
    static let kind = FlowKind("passwordChange")

    /// The number of refused inputs for a new password after which the flow ends: a provider without a person may
    /// return the same inputs without end.
    private static let maximumRefusals = 10

    private enum State {
        case proving
        case choosing(OfferedChange)
        case confirming(OfferedChange, SecretBox<Password>)
        case storing(OfferedChange, SecretBox<Password>)
    }

    private let account: AccountName
    private let orchestrator: Orchestrator
    private var state = State.proving
    /// The reason why the input before was refused.
    private var rejection: InputRejection?
    private var refusedInputs = 0

    private var environment: FlowEnvironment { orchestrator.environment }

    init(_ parameters: UserName, account: AccountName, orchestrator: Orchestrator) {
        self.account = account
        self.orchestrator = orchestrator
    }

    func step() async throws -> [FlowEvent] {
        switch state {
        case .proving: try await prove()
        case .choosing(let change): try await choose(change)
        case .confirming(let change, let password): try await confirm(change, password)
        case .storing(let change, let password):
            // The write completes the change on this device, so that the end belongs to the same step.
            try await finish(change, stored: try await store(change, password))
        }
    }
}

/// The secret of the next generation, which the platform has offered.
private struct OfferedChange: Sendable {
    let deviceID: [UInt8]
    /// The generation of the present password.
    let presentGeneration: UInt64
    /// The generation of the new password.
    let generation: UInt64
    /// K₁ of that generation.
    let secret: SymmetricKey
    /// The rules for the new password.
    let policy: PINPolicy
    /// The present password, which the new one must differ from.
    let present: SecretBox<Password>
}

// The present password.
extension PasswordChangeFlow {
    private func prove() async throws -> [FlowEvent] {
        guard let (record, key) = try await environment.vault.open(account) else {
            throw OrchestrationError(.notActivated)
        }
        try record.requireActive()
        let policy = record.pinPolicy
        guard
            let password = try await environment.password(
                of: account, for: .authenticate, rejection: rejection, remainingTries: rejection?.remainingTries,
                policy: policy)
        else { return [.aborted(.canceled)] }
        // An input of another form cannot be the password. It is refused without a try.
        if let fault = password.secret.formFault(under: policy) {
            return refuse(.unsuitable(fault), limit: policy.tries)
        }
        refusedInputs = 0
        let secret = try await record.passwordInstance(password.secret, key: key)
        let (deviceID, generation) = (record.deviceID, record.generation)
        let reply = try await exchange(.passwordChange, secret, generation: generation, of: deviceID)
        let warnings = reply.warnings.map(FlowEvent.warning)
        switch reply.result {
        case .accepted(let acceptance):
            guard let offer = acceptance.body.answer(to: PasswordChangeMessage.self),
                offer.generation > generation, let newPolicy = offer.policy.policy
            else { throw OrchestrationError(.invalidAnswer) }
            let change = OfferedChange(
                deviceID: deviceID, presentGeneration: generation, generation: offer.generation,
                secret: PasswordGenerations.applying(offer.change.key, to: secret),
                policy: newPolicy, present: password)
            rejection = nil
            state = .choosing(change)
            return [completed(1, reply)] + warnings
        case .refused(let refusal) where refusal.code == .wrongPassword && refusal.remainingTries == 0:
            // With the last try the platform has locked the device.
            return warnings + [.aborted(OrchestrationError(.userLocked, refusal))]
        case .refused(let refusal) where refusal.code == .wrongPassword:
            rejection = .wrongPassword(remainingTries: refusal.remainingTries)
            return warnings + [.inputRejected(.wrongPassword(remainingTries: refusal.remainingTries))]
        case .refused(let refusal): return warnings + refusal.end
        }
    }

    /// Sends a message with a proof of the password, for the device and the generation that the secret belongs to.
    private func exchange(
        _ body: RequestBody, _ secret: SymmetricKey, generation: UInt64, of deviceID: [UInt8]
    ) async throws -> ChannelReply {
        try await ChannelSession(account: account, orchestrator: orchestrator).exchange { record in
            guard record.deviceID == deviceID else { throw OrchestrationError(.notActivated) }
            try record.requireActive()
            return body
        } proof: { _ in
            ChannelProof(password: secret, generation: generation)
        }
    }

    private func refuse(_ rejection: InputRejection, limit: Int) -> [FlowEvent] {
        refusedInputs += 1
        self.rejection = rejection
        let event = FlowEvent.inputRejected(rejection)
        return refusedInputs < limit ? [event] : [event, .aborted(.inputRejectedTooOften)]
    }

    private func completed(_ number: Int, _ reply: ChannelReply) -> FlowEvent {
        environment.logger.debug("change of password: step completed", metadata: ["flow.step": "\(number)"])
        return .stepCompleted(FlowStep(kind: .passwordChange, number: number, total: 2, command: reply.command))
    }
}

// The new password.
extension PasswordChangeFlow {
    private func choose(_ change: OfferedChange) async throws -> [FlowEvent] {
        guard
            let password = try await environment.password(
                of: account, for: .update, rejection: rejection, policy: change.policy)
        else { return [.aborted(.canceled)] }
        if let fault = password.secret.fault(under: change.policy) {
            return refuse(.unsuitable(fault), limit: Self.maximumRefusals)
        }
        guard !password.secret.equals(change.present.secret) else {
            return refuse(.unsuitable(.unchanged), limit: Self.maximumRefusals)
        }
        state = .confirming(change, password)
        return []
    }

    private func confirm(_ change: OfferedChange, _ password: SecretBox<Password>) async throws -> [FlowEvent] {
        guard
            let confirmation = try await environment.password(
                of: account, for: .confirmUpdate, policy: change.policy)
        else { return [.aborted(.canceled)] }
        guard confirmation.secret.equals(password.secret) else {
            state = .choosing(change)
            return refuse(.confirmationDiffers, limit: Self.maximumRefusals)
        }
        state = .storing(change, password)
        return []
    }

    /// Replaces the wrap, its generation and its policy in one atomic write, if no other change came in between.
    private func store(_ change: OfferedChange, _ password: SecretBox<Password>) async throws -> UserRecord {
        guard let (present, key) = try await environment.vault.open(account) else {
            throw OrchestrationError(.notActivated)
        }
        try present.requireUnchanged(before: change)
        let (salt, cost) = (environment.random.bytes(32), environment.configuration.passwordCost)
        let masked = try await PasswordMask.mask(
            secret: change.secret, password: password.secret, salt: salt, cost: cost,
            deviceSecret: key.secret(.password))
        do {
            return try await environment.vault.update(account, expecting: key) { record in
                try record.requireUnchanged(before: change)
                record.maskedSecret = masked
                record.salt = salt
                record.cost = cost
                record.generation = change.generation
                record.pinPolicy = change.policy
                return record
            }.result
        } catch let error as OrchestrationError {
            // A store may report a failure after the write took effect. The user then has the new password.
            guard let stored = try? await environment.vault.record(account), stored.deviceID == change.deviceID,
                stored.generation == change.generation, stored.maskedSecret == masked
            else { throw error }
            return stored
        }
    }

    /// Proves the new password, which is stored. The user has it also when the platform does not answer.
    private func finish(_ change: OfferedChange, stored: UserRecord) async throws -> [FlowEvent] {
        let success = FlowEvent.succeeded(.passwordChanged(UserInformation(stored)))
        let reply: ChannelReply
        do {
            reply = try await exchange(
                .passwordProve, change.secret, generation: change.generation, of: change.deviceID)
        } catch {
            guard let error = OrchestrationError.leavingTheSDK(error) as? OrchestrationError else { throw error }
            return [.warning(Warning(.passwordNotConfirmed, cause: error)), success]
        }
        let warnings = reply.warnings.map(FlowEvent.warning)
        switch reply.result {
        case .accepted: return [completed(2, reply)] + warnings + [success]
        case .refused(let refusal)
        where [.locked, .revoked, .cloneSuspected, .wrongPassword].contains(refusal.code):
            // The device is of no use with either password.
            return warnings + refusal.end
        case .refused(let refusal):
            let warning = Warning(.passwordNotConfirmed, cause: refusal.error)
            return warnings + [.warning(warning), success]
        }
    }
}

extension UserRecord {
    /// Requires that the record is the one that a change was offered for.
    ///
    /// - Throws: `notActivated` for another device, `userLocked`, `passwordChanged` after another change.
    fileprivate func requireUnchanged(before change: OfferedChange) throws(OrchestrationError) {
        guard deviceID == change.deviceID else { throw OrchestrationError(.notActivated) }
        try requireActive()
        guard generation == change.presentGeneration else { throw OrchestrationError(.passwordChanged) }
    }
}
