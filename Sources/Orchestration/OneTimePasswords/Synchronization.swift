internal import Primitives
internal import Wire

/// Moves the key ratchet after a code was made, as well as the network allows (PROTOCOL §3).
struct Synchronization: Sendable {
    let account: AccountName
    let environment: FlowEnvironment

    /// Sends one `synchronize` request, and a second one where the first has cast doubt on the clock.
    ///
    /// - Parameter limit: how long it may take, in milliseconds of the orchestrator's time source.
    /// - Returns: what to tell, and the reason to abort when the platform said under its seal that codes of this store
    ///   are worth nothing. Every other failure is a warning: the code was made and is good.
    /// - Throws: `CancellationError`.
    func run(limit: Int64) async throws -> (events: [FlowEvent], end: AbortCause?) {
        do {
            let reply = try await withThrowingTaskGroup(of: ChannelReply?.self) { group in
                group.addTask { try await exchange() }
                group.addTask { [time = environment.time] in
                    try await time.sleep(milliseconds: limit)
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
            guard let reply else { return ([.warning(Warning(.notSynchronized))], nil) }
            let step = FlowEvent.stepCompleted(
                FlowStep(kind: .synchronization, number: 1, total: 1, command: reply.command))
            let warnings = reply.warnings.map(FlowEvent.warning)
            guard case .refused(let refusal) = reply.result else { return ([step] + warnings, nil) }
            switch refusal.cause {
            case .cloneSuspected, .revoked: return (warnings, refusal.cause)
            default:
                let cause = OrchestrationError(aborted: refusal.cause)
                return (warnings + [.warning(Warning(.notSynchronized, cause: cause))], nil)
            }
        } catch let error as OrchestrationError where !Task.isCancelled {
            return ([.warning(Warning(.notSynchronized, cause: error))], nil)
        }
    }

    private func exchange() async throws -> ChannelReply {
        let session = ChannelSession(account: account, environment: environment)
        let message: @Sendable (UserRecord) -> RequestBody = { [time = environment.time] record in
            let now = ClockOffset(milliseconds: record.clockOffset).platformTime(at: time.now())
            return .synchronize(generation: record.generation, counters: record.counters(at: now))
        }
        let reply = try await session.exchange(message)
        guard case .accepted(let acceptance) = reply.result, acceptance.offset.candidate != nil else { return reply }
        return try await session.exchange(message)
    }
}
