internal import Logging
internal import Primitives
internal import SecureChannel
internal import Wire

/// Exchanges one kind of message with the platform for one user, over the channel of PROTOCOL §6.
///
/// What a sealed answer says about the ratchet and the clock is applied here, in the same atomic write as the effect of
/// the message. Nothing that came outside the seal changes anything.
struct ChannelSession: Sendable {
    let account: AccountName
    let environment: FlowEnvironment

    /// How long a request is good for, in milliseconds. The platform takes up to 5 minutes ahead of its clock, and after
    /// a restore nothing less than that: 10 seconds are left for what the clocks differ.
    static let lifetime: Int64 = 290_000

    /// Sends a message and applies its answer.
    ///
    /// - Parameters:
    ///   - message: what to say; may depend on the record that it is sent with.
    ///   - proof: what to prove besides the device key.
    ///   - effect: what an accepted answer changes in the record, beside the ratchet and the clock.
    /// - Returns: how it ended. A refusal of the ratchet or of the device for good has locked the user on this device.
    /// - Throws: `notActivated` when there is no such user, `userLocked`, `transport`, `invalidAnswer`, errors of the
    ///   store and the device key, `CancellationError`.
    func exchange(
        _ message: @Sendable (UserRecord) throws -> RequestBody,
        proof: @Sendable (UserRecord) -> ChannelProof? = { _ in nil },
        effect: @escaping @Sendable (inout UserRecord, ChannelReply.Acceptance) -> Void = { _, _ in }
    ) async throws -> ChannelReply {
        var reread = false
        var redated: ClockOffset?
        while true {
            let (record, key) = try await usableRecord()
            let before = redated ?? environment.doubts.offset(of: account, stored: record.clockOffset)
            let answer = try await send(
                message(record), of: record, by: key, proof: proof(record), reread: reread, clock: before)
            let offset = before.observing(answer)
            environment.doubts.keep(offset, of: account)
            environment.logger.debug(
                "request answered",
                metadata: [
                    "request.type": "\(answer.message.type)",
                    "request.refusal": "\(answer.message.result.refusal.map { $0.code.description } ?? "none")",
                ])
            switch answer.message.result {
            case .accepted:
                let acceptance = ChannelReply.Acceptance(receipt: answer.receipt, offset: offset)
                // Another activation may have taken the place of the device that asked.
                let deviceID = record.deviceID
                let after = try await environment.vault.update(account, expecting: key) { record in
                    guard record.deviceID == deviceID else { throw OrchestrationError(.userUnknown) }
                    try record.moveRatchet(to: answer.message.ratchetIndex)
                    record.clockOffset = offset.stored(over: record.clockOffset)
                    effect(&record, acceptance)
                    return record
                }.result
                return ChannelReply(
                    result: .accepted(acceptance), record: after, command: answer.command,
                    warnings: warnings(answer.message, offset))
            case .refused(let refusal):
                // What the platform says about the time counts whatever it says besides.
                try await keep(offset, of: record, key)
                switch refusal.code {
                case .expired where redated == nil:
                    // The clock is off. The answer brought the platform's time; the next request is dated with it.
                    redated = offset
                    continue
                case .ratchetOutdated where !reread:
                    // Another process may have moved the ratchet meanwhile: the store is read again, once.
                    reread = true
                    continue
                case .ratchetOutdated, .cloneSuspected: try await lock(record, .cloneSuspected)
                case .revoked: try await lock(record, .revoked)
                default: break
                }
                return ChannelReply(
                    result: .refused(ChannelRefusal(refusal)), record: record, command: answer.command,
                    warnings: warnings(answer.message, offset))
            }
        }
    }

    private func usableRecord() async throws -> (UserRecord, any DeviceKey) {
        guard let (record, key) = try await environment.vault.open(account) else {
            throw OrchestrationError(.notActivated)
        }
        if case .locked = record.state { throw OrchestrationError(.userLocked) }
        return (record, key)
    }

    /// Stores the offset that an answer has confirmed, unless another activation has taken the place of the one that
    /// asked. Nothing is written when nothing is new.
    private func keep(_ offset: ClockOffset, of asked: UserRecord, _ key: any DeviceKey) async throws {
        guard offset.stored(over: asked.clockOffset) != asked.clockOffset else { return }
        let deviceID = asked.deviceID
        _ = try await environment.vault.update(account, expecting: key) { record in
            if record.deviceID == deviceID { record.clockOffset = offset.stored(over: record.clockOffset) }
        }
    }

    /// Locks the user on this device, unless another activation has taken the place of the one that asked.
    private func lock(_ asked: UserRecord, _ reason: LockReason) async throws {
        let deviceID = asked.deviceID
        try await environment.vault.update(account) { record in
            if record.deviceID == deviceID { record.state = .locked(reason) }
        }
    }

    private func warnings(_ message: AnswerMessage, _ offset: ClockOffset) -> [Warning] {
        var warnings: [Warning] = []
        if message.failedCodes > 0 { warnings.append(Warning(.failedCodes(Int(clamping: message.failedCodes)))) }
        if offset.candidate != nil { warnings.append(Warning(.clockUncertain)) }
        return warnings
    }
}

extension AnswerResult {
    fileprivate var refusal: Refusal? {
        guard case .refused(let refusal) = self else { return nil }
        return refusal
    }
}
