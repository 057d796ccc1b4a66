internal import Crypto
internal import Logging
internal import OrchestrationProtocol
internal import Primitives

/// An exchange of one message with the platform for one account, over the secure channel.
///
/// The session applies the ratchet and clock values of a sealed answer in the same atomic write as the effect of the
/// message. Nothing outside the seal changes anything.
struct ChannelSession: Sendable {
    let account: AccountName
    let orchestrator: Orchestrator

    /// The maximum number of answers in a row that bring platform keys only, and the maximum number of answers for all
    /// statements. With eight statements in each, there may be 256; with two of the largest in each, 64.
    static let maximumKeyRounds = 32

    /// The maximum number of repairs of one message whose keys were outdated. The first one is a repetition with the
    /// key statements of the refusal. The second one synchronizes before, because the platform does not carry out a
    /// message of a device that has confirmed too few statements, and only a synchronization confirms them.
    private static let maximumKeyRepairs = 2

    /// The number of times that a message is repeated because the record that it was made from is outdated. Each time,
    /// another process has changed the record.
    private static let maximumRereads = 4

    var environment: FlowEnvironment { orchestrator.environment }

    /// Sends a message and applies its answer.
    ///
    /// - Parameters:
    ///   - opened: The record and its key, where the caller has just opened them. The session reads them again before
    ///     each repetition.
    ///   - message: The message for a record.
    ///   - proof: The secret to prove in addition to the device key.
    ///   - allowsLocked: Whether a locked device may send the message: its deletion, a synchronization, and the
    ///     messages of an unlock.
    ///   - effect: The change of the record by an accepted answer, in addition to the ratchet and the clock.
    /// - Returns: The result. After a refusal of the ratchet, or of the device for good, the user is locked on this
    ///   device.
    /// - Throws: `notActivated` when there is no such user; `userLocked`, `cloneSuspected` or `revoked` for a locked one;
    ///   `passwordChanged` when the password was changed since the secret of the proof was unwrapped; `transport`,
    ///   `invalidAnswer`, errors of the store and the device key, `CancellationError`.
    func exchange(
        with opened: (record: UserRecord, key: any DeviceKey)? = nil,
        _ message: @Sendable (UserRecord) throws -> RequestBody,
        proof: @Sendable (UserRecord) -> ChannelProof? = { _ in nil },
        allowsLocked: Bool = false,
        effect: @escaping @Sendable (inout UserRecord, ChannelReply.Acceptance) -> Void = { _, _ in }
    ) async throws -> ChannelReply {
        var opened = opened
        var isRedated = false
        // The state that the platform has refused as outdated, and the number of times.
        var (outdated, rereads) = (StoredState?.none, 0)
        var (keyRounds, keyRepairs) = (0, 0)
        var bringsRatchet = false
        var isDataRepeated = false
        var dataWarnings: [Warning] = []
        while true {
            let (stored, key) = try await usable(opened.take(), allowsLocked)
            let record = try await asking(stored, key)
            let clock = await orchestrator.clockOffset(of: account, stored: record.clockOffset)
            let body = try message(record)
            // The platform adopts the device's state only with a right proof.
            let proof = proof(record) ?? (bringsRatchet ? ChannelProof(possessionOf: record) : nil)
            // A secret of an earlier generation would count as a wrong password under the current one.
            guard proof == nil || proof?.generation == record.generation else {
                throw OrchestrationError(.passwordChanged)
            }
            let isReread = outdated == StoredState(record)
            let deviceData = try await deviceData(of: record, key, &dataWarnings)
            let delivery = try await send(
                body, of: record, by: key, proof: proof, reread: isReread, brings: bringsRatchet, clock: clock,
                deviceData: deviceData?.part)
            let answer: OpenedAnswer
            switch delivery {
            case .answer(let opened): answer = opened
            case .keys(let statement):
                // The platform has statements for a further answer. Each round brings later statements, and nothing
                // else in this answer has an effect.
                keyRounds += 1
                guard keyRounds <= Self.maximumKeyRounds else { throw OrchestrationError(.invalidAnswer) }
                try await keep(statement, of: record, key)
                guard body.type != SynchronizeMessage.type else { continue }
                guard keyRepairs < Self.maximumKeyRepairs else { throw OrchestrationError(.invalidAnswer) }
                keyRepairs += 1
                try await confirmKeys(
                    after: max(statement.sequence, record.platformKeys.sequence), allowsLocked)
                continue
            }
            let offset = await orchestrator.clockOffset(
                of: account, stored: record.clockOffset, observing: answer.sample)
            log(answer)
            let noted = note(deviceData, answer.message, &dataWarnings)
            switch answer.message.result {
            case .accepted(let body):
                let accepted = try await accept(answer, body, offset, of: record, key, noted, effect)
                return await reply(.accepted(accepted.acceptance), accepted.record, answer, offset, dataWarnings)
            case .refused(let refusal):
                // The ratchet input and the time in the answer are valid regardless of the rest of the answer.
                try await keep(answer, offset, of: record, key, noted)
                reportTries(of: refusal)
                switch refusal.code {
                case .expired where !isRedated:
                    // The device's clock is wrong. The answer contains the platform's time for the date of the next
                    // request.
                    isRedated = true
                    continue
                case .keysOutdated
                where keyRepairs < (body.type == SynchronizeMessage.type ? 1 : Self.maximumKeyRepairs):
                    // The answer contains the keys and the time by which the next request chooses its key.
                    keyRepairs += 1
                    if keyRepairs == Self.maximumKeyRepairs {
                        try await confirmKeys(after: answer.platformKeys.sequence, allowsLocked)
                    }
                    continue
                case .ratchetOutdated where !isReread && rereads < Self.maximumRereads,
                    .generationOutdated where !isReread && rereads < Self.maximumRereads:
                    // Another process may have moved the ratchet or changed the password meanwhile.
                    outdated = StoredState(record)
                    rereads += 1
                    continue
                case .ratchetBehind where !bringsRatchet:
                    // A restored platform adopts the state of this device.
                    bringsRatchet = true
                    continue
                case .deviceDataUnknown where !isDataRepeated:
                    // The platform does not have the data of the hash. The next request contains the data in full.
                    isDataRepeated = true
                    continue
                // Without `isReread`, other processes have changed the record each time, which is not a sign of a copy.
                case .ratchetOutdated where isReread, .generationOutdated where isReread, .cloneSuspected:
                    try await lock(record, .cloneSuspected)
                case .revoked: try await lock(record, .revoked)
                case .locked: try await lock(record, .wrongPassword)
                // With the last try the platform has locked the device.
                case .wrongPassword where refusal.remainingTries == 0: try await lock(record, .wrongPassword)
                default: break
                }
                let refused = ChannelRefusal(refusal, notice: answer.message.notice)
                return await reply(.refused(refused), record, answer, offset, dataWarnings)
            }
        }
    }

    /// Synchronizes until the platform has no later key statement. It then knows that this device has all of them.
    ///
    /// - Parameter sequence: The number of the latest statement that the device has.
    private func confirmKeys(after sequence: UInt64, _ allowsLocked: Bool) async throws {
        var confirmed = sequence
        for _ in 0..<Self.maximumKeyRounds {
            // A refusal confirms and brings statements as well. Its reason also applies to the message.
            _ = try await synchronize(allowsLocked: allowsLocked)
            let latest = try await environment.vault.record(account)?.platformKeys.sequence
            guard let latest, latest > confirmed else { return }
            confirmed = latest
        }
    }

    private func usable(
        _ opened: (record: UserRecord, key: any DeviceKey)?, _ allowsLocked: Bool
    ) async throws -> (UserRecord, any DeviceKey) {
        var opened = opened
        if opened == nil { opened = try await environment.vault.open(account) }
        guard let (record, key) = opened else { throw OrchestrationError(.notActivated) }
        if case .locked(let reason) = record.state, !allowsLocked { throw OrchestrationError(.init(reason)) }
        return (record, key)
    }

    /// Returns the record with an input for the next state of the ratchet, when an input is due. The input is stored
    /// before it is sent, because all processes and all repetitions must send the same input.
    private func asking(_ stored: UserRecord, _ key: any DeviceKey) async throws -> UserRecord {
        let now = environment.time.now()
        guard stored.ratchetInput == nil, stored.mayMoveRatchet(at: now) else { return stored }
        let input = SymmetricKey(environment.random.secret(FieldSize.random))
        return try await environment.vault.update(account, expecting: key) { record in
            // Another activation may have replaced the device, and another process may have asked or moved.
            guard record.deviceID == stored.deviceID else { throw OrchestrationError(.userUnknown) }
            if record.ratchetInput == nil, record.mayMoveRatchet(at: now) { record.ratchetInput = input }
            return record
        }.result
    }

    private func accept(
        _ answer: OpenedAnswer, _ body: AnswerBody, _ offset: ClockOffset, of asked: UserRecord, _ key: any DeviceKey,
        _ noted: NotedDeviceData?,
        _ effect: @escaping @Sendable (inout UserRecord, ChannelReply.Acceptance) -> Void
    ) async throws -> (acceptance: ChannelReply.Acceptance, record: UserRecord) {
        let acceptance = ChannelReply.Acceptance(receipt: answer.receipt, body: body, offset: offset)
        let (deviceID, now) = (asked.deviceID, environment.time.now())
        let record = try await environment.vault.update(account, expecting: key) { record in
            // Another activation may have replaced the device that sent the message.
            guard record.deviceID == deviceID else { throw OrchestrationError(.userUnknown) }
            record.moveRatchet(of: asked, by: answer.ratchetInput, at: now)
            record.take(offset, over: asked)
            record.take(answer.platformKeys)
            if let registered = answer.message.registeredMethods {
                record.dropMethods(enrolledIn: asked, exceptFor: registered)
            }
            noted?.apply(to: &record)
            effect(&record, acceptance)
            return record
        }.result
        return (acceptance, record)
    }

    /// Stores the move of the ratchet, the offset, the platform keys and the state of the device data of a refusal,
    /// unless another activation has replaced the device. Nothing is written when all of them are known.
    private func keep(
        _ answer: OpenedAnswer, _ offset: ClockOffset, of asked: UserRecord, _ key: any DeviceKey,
        _ noted: NotedDeviceData?
    ) async throws {
        let (keys, now) = (answer.platformKeys, environment.time.now())
        guard
            answer.ratchetInput != nil || offset.changes(asked.clockOffset)
                || keys.sequence > asked.platformKeys.sequence || noted != nil
        else { return }
        _ = try await environment.vault.update(account, expecting: key) { record in
            guard record.deviceID == asked.deviceID else { return }
            record.moveRatchet(of: asked, by: answer.ratchetInput, at: now)
            record.take(offset, over: asked)
            record.take(keys)
            noted?.apply(to: &record)
        }
    }

    /// Stores platform keys that were verified although their answer was not, unless another activation has replaced
    /// the device.
    private func keep(_ keys: KeyStatement, of asked: UserRecord, _ key: any DeviceKey) async throws {
        guard keys.sequence > asked.platformKeys.sequence else { return }
        _ = try await environment.vault.update(account, expecting: key) { record in
            if record.deviceID == asked.deviceID { record.take(keys) }
        }
    }

    /// Reports the tries that a refusal of a wrong password leaves.
    private func reportTries(of refusal: Refusal) {
        guard refusal.code == .wrongPassword, let tries = refusal.remainingTries else { return }
        environment.vault.watch.send(
            .triesLeft(Int(clamping: tries)), to: environment.vault.name(for: account))
    }

    /// Locks the user on this device, unless another activation has replaced the device.
    private func lock(_ asked: UserRecord, _ reason: LockReason) async throws {
        let deviceID = asked.deviceID
        try await environment.vault.update(account) { record in
            if record.deviceID == deviceID { record.state = .locked(reason) }
        }
    }

    private func reply(
        _ result: ChannelReply.Result, _ record: UserRecord, _ answer: OpenedAnswer, _ offset: ClockOffset,
        _ dataWarnings: [Warning]
    ) async -> ChannelReply {
        var warnings: [Warning] = []
        let failedCodes = Int(clamping: answer.message.failedCodes)
        if failedCodes > 0 { warnings.append(Warning(.failedCodes(failedCodes))) }
        let failedPasswords = Int(clamping: answer.message.failedPasswords)
        if failedPasswords > 0 { warnings.append(Warning(.failedPasswords(failedPasswords))) }
        if offset.candidate != nil { warnings.append(Warning(.clockUncertain)) }
        warnings += await environment.deviceData.unreported(dataWarnings, of: account)
        return ChannelReply(
            result: result, record: record, command: answer.command, warnings: warnings, statements: answer.statements)
    }

    private func log(_ answer: OpenedAnswer) {
        let refusal: RefusalCode? =
            switch answer.message.result {
            case .accepted: nil
            case .refused(let refusal): refusal.code
            }
        environment.logger.debug(
            "request answered",
            metadata: [
                "request.type": "\(answer.message.type)",
                "request.refusal": "\(refusal?.description ?? "none")",
            ])
    }
}

/// The parts of a record that the platform compares with its own state of the device.
private struct StoredState: Equatable {
    let ratchetIndex: UInt64
    let generation: UInt64

    init(_ record: UserRecord) {
        ratchetIndex = record.ratchetIndex
        generation = record.generation
    }
}

extension UserRecord {
    /// Takes the offset of the platform's clock that an answer has confirmed. An answer that confirms the offset of its
    /// request does not replace a newer offset of another flow.
    fileprivate mutating func take(_ offset: ClockOffset, over asked: UserRecord) {
        guard offset.changes(asked.clockOffset) else { return }
        clockOffset = offset.stored(over: clockOffset)
    }
}
