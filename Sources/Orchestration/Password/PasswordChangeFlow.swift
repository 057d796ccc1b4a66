internal import Crypto
internal import Logging
internal import OrchestrationProtocol
internal import Primitives

/// The flow of ``Orchestrator/changePassword(of:domain:)``.
///
/// The order is: ask for the present password, prove it, ask for the new one twice, store it, prove it. The device has
/// the secret of the next generation in memory only, until it is wrapped under the new password.
struct PasswordChangeFlow: Flow {
    static let kind = FlowKind("passwordChange")

    private let account: AccountName
    private let orchestrator: Orchestrator

    private var environment: FlowEnvironment { orchestrator.environment }

    init(_ parameters: UserName, account: AccountName, orchestrator: Orchestrator) {
        self.account = account
        self.orchestrator = orchestrator
    }

    func run(_ events: FlowEvents) async throws -> [FlowEvent] {
        let change = try await provePresentPassword(events)
        let password = try await environment.newPassword(
            of: account, for: (.update, .confirmUpdate), policy: change.policy, unlike: change.present, events)
        // A newer flow may have begun meanwhile.
        try await events.send([])
        let stored = try await store(change, password)
        // The write has completed the change on this device, so that no newer flow comes in between.
        return try await proveNewPassword(change, stored: stored)
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

extension PasswordChangeFlow {
    /// Asks for the present password until the platform accepts its proof, and takes the offer in the answer.
    private func provePresentPassword(_ events: FlowEvents) async throws -> OfferedChange {
        var inputs = RefusedInputs()
        while true {
            guard let (record, key) = try await environment.vault.open(account) else {
                throw OrchestrationError(.notActivated)
            }
            try record.requireActive()
            let password = try await environment.presentPassword(of: account, inputs, policy: record.pinPolicy)
            guard try await inputs.accepts(password, under: record.pinPolicy, events) else { continue }
            let secret = try await record.passwordInstance(password.secret, key: key)
            let reply = try await exchange(
                .passwordChange, secret, generation: record.generation, of: record.deviceID)
            switch reply.result {
            case .accepted(let acceptance):
                guard let offer = acceptance.body.answer(to: PasswordChangeMessage.self),
                    offer.generation > record.generation, let policy = offer.policy.policy
                else { throw OrchestrationError(.invalidAnswer) }
                try await events.send([completed(1, reply)] + reply.warnings.map(FlowEvent.warning))
                return OfferedChange(
                    deviceID: record.deviceID, presentGeneration: record.generation, generation: offer.generation,
                    secret: PasswordGenerations.applying(offer.change.key, to: secret), policy: policy,
                    present: password)
            case .refused(let refusal): try await events.send(try inputs.refuse(refusal, after: reply.warnings))
            }
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
                record.nextPINPolicy = nil
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
    private func proveNewPassword(_ change: OfferedChange, stored: UserRecord) async throws -> [FlowEvent] {
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
            let isLocked = refusal.code == .wrongPassword && refusal.remainingTries == 0
            throw FlowEnd(isLocked ? OrchestrationError(.userLocked, refusal) : refusal.error, after: reply.warnings)
        case .refused(let refusal):
            let warning = Warning(.passwordNotConfirmed, cause: refusal.error)
            return warnings + [.warning(warning), success]
        }
    }

    private func completed(_ number: Int, _ reply: ChannelReply) -> FlowEvent {
        environment.logger.debug("change of password: step completed", metadata: ["flow.step": "\(number)"])
        return .stepCompleted(FlowStep(kind: .passwordChange, number: number, total: 2, command: reply.command))
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
