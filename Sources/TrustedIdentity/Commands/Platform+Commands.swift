internal import Logging
internal import Primitives
public import Wire

extension Platform {
    /// Answers a command of an authenticator.
    ///
    /// - Parameters:
    ///   - command: as it came; it protects itself.
    ///   - address: whose requests are counted together when they prove no device in time, usually an IP address; nil
    ///     for code in the same process.
    /// - Returns: the answer, a refusal included. A repeat of the same bytes gets the same bytes.
    /// - Throws: ``PlatformError`` with `undecodableCommand` when no command can be the answer: rubbish, an unknown or
    ///   revoked device, a request id used twice; `busy`, `storeFailed`.
    public func execute(
        _ command: OrchestrationCommand, from address: String? = nil
    ) async throws -> OrchestrationCommand {
        metrics.count(.commands)
        let now = time.now()
        do {
            try await deciding { try await sweep(now: now) }
            return try await answer(command, from: address, now: now)
        } catch let error as PlatformError where error.code == .undecodableCommand {
            metrics.count(.refusedCommands)
            logger.debug("command refused", metadata: ["error.code": "\(error.code)"])
            throw error
        }
    }

    private func answer(
        _ command: OrchestrationCommand, from address: String?, now: Timestamp
    ) async throws -> OrchestrationCommand {
        let envelope: Envelope
        do {
            envelope = try Envelope(decoding: command)
        } catch {
            try gates.take(address: address, now: now)
            throw PlatformError(.undecodableCommand, underlying: error)
        }
        switch envelope {
        case .activationRequest(let request):
            try gates.take(address: address, now: now)
            return try await answer(request, from: address)
        case .activationKeyRequest(let request):
            try gates.take(address: address, now: now)
            return try await answer(request)
        case .sealed(let message):
            // Taken before the work and given back to whoever proves a device in time: a request that is late, a
            // repeat or nothing at all costs as much as an honest one until it is opened.
            var admission = gates.admit(from: address, now: now)
            do {
                return try await deciding { try await answer(message, admission: &admission) }
            } catch let error as PlatformError where error.code == .undecodableCommand && admission.door != .address {
                // Rubbish in the name of a device that is known is told the same as of one that is not.
                throw PlatformError(.busy)
            }
        case .activationAnswer, .activationKeyAnswer, .activationRefusal:
            try gates.take(address: address, now: now)
            throw PlatformError(.undecodableCommand)
        }
    }
}
