internal import OrchestrationProtocol
internal import Primitives

extension ChannelSession {
    /// Compares generation, counters, capabilities and platform keys with the platform, and moves the ratchet.
    ///
    /// A device that is locked because of wrong passwords may ask: an accepted answer shows that the platform has unlocked
    /// it.
    ///
    /// - Parameters:
    ///   - number: The number of the key statement whose successors the answer brings; `nil` for the number of the
    ///     latest statement that the device has.
    ///   - allowsLocked: Whether a locked device asks.
    func synchronize(after number: UInt64? = nil, allowsLocked: Bool = false) async throws -> ChannelReply {
        let time = environment.time
        return try await exchange(
            { record in
                let now = ClockOffset(milliseconds: record.clockOffset).platformTime(at: time.now())
                return .synchronize(
                    generation: record.generation, counters: record.counters(at: now),
                    capabilities: Capability.device.numbers, statement: number ?? record.platformKeys.sequence,
                    notice: record.notices.last?.number ?? 0)
            }, allowsLocked: allowsLocked
        ) { record, acceptance in
            guard let answer = acceptance.body.answer(to: SynchronizeMessage.self) else { return }
            record.take(answer)
        }
    }

    /// Synchronizes with one request, and with a second one when the answer has brought a clock candidate.
    ///
    /// - Parameters:
    ///   - limit: The longest time that the method waits; `nil` for no limit.
    ///   - allowsLocked: Whether a locked device asks.
    /// - Returns: The reply, or `nil` when none arrived in time.
    func synchronizeWithClock(within limit: Duration?, allowsLocked: Bool = false) async throws -> ChannelReply? {
        let begin = environment.time.uptime()
        guard let first = try await synchronize(within: limit, allowsLocked) else { return nil }
        guard case .accepted(let acceptance) = first.result, acceptance.offset.candidate != nil else { return first }
        // The first answer has moved the ratchet and has cleared the platform's count of failed codes. It is valid even
        // when the second request fails.
        let left = limit.map { $0 - (environment.time.uptime() - begin) }
        if let left, left <= .zero { return first }
        let second: ChannelReply?
        do {
            second = try await synchronize(within: left, allowsLocked)
        } catch {
            guard OrchestrationError.leavingTheSDK(error) is OrchestrationError else { throw error }
            return first
        }
        switch second?.result {
        case .accepted: return second?.reporting(failedCodesOf: first)
        case .refused(let refusal) where refusal.refusesCodes: return second?.reporting(failedCodesOf: first)
        case .refused, nil: return first
        }
    }

    /// Sends one `synchronize` request.
    ///
    /// - Returns: The reply, or `nil` when none arrived in time.
    private func synchronize(within limit: Duration?, _ allowsLocked: Bool) async throws -> ChannelReply? {
        guard let limit else { return try await synchronize(allowsLocked: allowsLocked) }
        let time = environment.time
        return try await withThrowingTaskGroup(of: ChannelReply?.self) { group in
            group.addTask { try await synchronize(allowsLocked: allowsLocked) }
            group.addTask {
                try await time.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    /// Returns the keys of all statements up to the latest one that the device has.
    ///
    /// The device stores the latest statement only. The platform sends the earlier statements. Each statement names the
    /// previous one by its hash.
    ///
    /// - Returns: The keys, and the warnings of the answers.
    /// - Throws: `invalidAnswer` when the platform does not send the statements, or they do not lead to the latest one;
    ///   the code of a refusal; the errors of ``exchange(with:_:proof:effect:)``.
    func publishedKeys() async throws -> (keys: PublishedKeys, warnings: [Warning]) {
        var (statements, warnings): ([SignatureList], [Warning]) = ([], [])
        for _ in 0..<Self.maximumKeyRounds {
            let reply = try await synchronize(after: UInt64(statements.count))
            if case .refused(let refusal) = reply.result { throw refusal.error }
            guard !reply.statements.isEmpty else { break }
            statements += reply.statements
            warnings += reply.warnings
            let latest = reply.record.platformKeys
            guard UInt64(statements.count) >= latest.sequence else { continue }
            do {
                return (try PublishedKeys(statements: statements, fingerprint: latest.fingerprint), warnings)
            } catch {
                throw OrchestrationError(.invalidAnswer, underlying: error)
            }
        }
        throw OrchestrationError(.invalidAnswer)
    }
}

extension UserRecord {
    /// Applies the answer to a synchronization. Either side may have been updated since the activation.
    fileprivate mutating func take(_ answer: SynchronizeMessage.Answer) {
        capabilities = Capability.device.agreed(with: answer.capabilities)
        // The password was chosen under the policy of the record, which therefore stays.
        if let policy = answer.policy.policy { nextPINPolicy = policy == pinPolicy ? nil : policy }
        synchronizedCounters = counters
        take(answer.notices)
        // The platform serves this device. A suspected clone stays locked, regardless of the answer.
        if state == .locked(.wrongPassword) { state = .active }
    }
}

extension ChannelRefusal {
    /// Whether the platform states under its seal that it does not accept codes of this device.
    var refusesCodes: Bool {
        [.cloneSuspected, .revoked, .userLocked, .suspended].contains(error.code)
    }
}

extension ChannelReply {
    /// Returns the reply with the failed codes of an earlier one, which the platform does not report again.
    fileprivate func reporting(failedCodesOf earlier: ChannelReply) -> ChannelReply {
        let failedCodes = earlier.warnings.filter { $0.code.count != nil }
        return ChannelReply(
            result: result, record: record, command: command, warnings: failedCodes + warnings, statements: statements)
    }
}
