internal import OrchestrationProtocol
internal import Primitives

extension ChannelSession {
    /// Compares generation, counters, capabilities and platform keys with the platform, and moves the ratchet.
    ///
    /// - Parameter number: The number of the key statement whose successors the answer brings; `nil` for that of the
    ///   latest one that the device has.
    func synchronize(after number: UInt64? = nil) async throws -> ChannelReply {
        let time = environment.time
        return try await exchange { record in
            let now = ClockOffset(milliseconds: record.clockOffset).platformTime(at: time.now())
            return .synchronize(
                generation: record.generation, counters: record.counters(at: now),
                capabilities: Capability.device.numbers, statement: number ?? record.platformKeys.sequence)
        } effect: { record, acceptance in
            // Either side may have been updated since the activation.
            guard let answer = acceptance.body.answer(to: SynchronizeMessage.self) else { return }
            record.capabilities = Capability.device.agreed(with: answer.capabilities)
        }
    }

    /// Returns the keys of all statements up to the latest one that the device has.
    ///
    /// The device stores the latest statement only. The platform sends the earlier ones, each of which the next one
    /// names by its hash.
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
