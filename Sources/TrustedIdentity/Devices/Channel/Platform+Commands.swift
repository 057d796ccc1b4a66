internal import Logging
public import OrchestrationProtocol
internal import Primitives

extension Platform {
    /// Answers a command of an authenticator.
    ///
    /// - Parameters:
    ///   - command: The command as it was received. It protects itself.
    ///   - address: The address of the sender, usually an IP address. Requests that prove no device in time are limited
    ///     by address. `nil` for code in the same process, which is not limited.
    /// - Returns: The answer, which may be a refusal. A repeat of the same bytes gets the same bytes, or the same
    ///   refusal.
    /// - Throws: ``PlatformError`` with `undecodableCommand` for a command that has no answer: malformed bytes, an
    ///   unknown device, one that was revoked long ago (``Retention/revokedDevices``), a request id with other
    ///   bytes; `busy`, `storeFailed`.
    public func execute(
        _ command: OrchestrationCommand, from address: String? = nil
    ) async throws -> OrchestrationCommand {
        metrics.count(.commands)
        let now = time.now()
        do {
            return try await PlatformError.mapping {
                try await answer(command, from: address, now: now)
            }
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
            try limiter.charge(address: address, now: now)
            throw PlatformError(.undecodableCommand, underlying: error)
        }
        switch envelope {
        case .activationRequest(let request):
            try limiter.charge(address: address, now: now)
            return try await answer(request, from: address)
        case .activationKeyRequest(let request):
            try limiter.charge(address: address, now: now)
            return try await answer(request)
        case .sealed(let message):
            let request: ChannelRequest
            do {
                request = try ChannelRequest(message)
            } catch {
                try limiter.charge(address: address, now: now)
                throw PlatformError(.undecodableCommand, underlying: error)
            }
            return try await answer(request, from: address)
        case .activationAnswer, .activationKeyAnswer, .activationRefusal, .approvalPointer:
            try limiter.charge(address: address, now: now)
            throw PlatformError(.undecodableCommand)
        }
    }
}
