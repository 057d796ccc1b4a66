public import Wire

extension Platform {
    /// Answers a command of an authenticator.
    ///
    /// - Parameters:
    ///   - command: as it came; it protects itself.
    ///   - address: whose requests are counted together when they prove no device, usually an IP address; nil for code
    ///     in the same process.
    /// - Returns: the answer, a refusal included. A repeat of the same bytes gets the same bytes.
    /// - Throws: ``PlatformError`` with `undecodableCommand` when no command can be the answer: rubbish, an unknown or
    ///   revoked device, a request id used twice; `busy`, `storeFailed`.
    public func execute(
        _ command: OrchestrationCommand, from address: String? = nil
    ) async throws -> OrchestrationCommand {
        throw PlatformError(.internal)
    }
}
