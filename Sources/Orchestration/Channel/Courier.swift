internal import Wire

/// Brings a command to the platform, the same bytes again when the answer is lost.
///
/// A repeat is harmless by design: the platform stores its answer before it leaves and returns the same bytes. There is
/// no pause between the sendings; the transport has time limits of its own.
struct Courier: Sendable {
    /// How often one command is sent at most.
    static let sendings = 3

    let transport: any Transport

    /// Sends a command until something comes back that reads as its answer.
    ///
    /// - Parameter read: gives `nil` for what is not the answer; that counts as lost.
    /// - Throws: `transport` or `invalidAnswer`, whatever was last; `CancellationError`.
    func deliver<Reading>(
        _ command: OrchestrationCommand, read: (OrchestrationCommand) throws -> Reading?
    ) async throws -> Reading {
        var failure = OrchestrationError(.transport)
        for _ in 0..<Self.sendings {
            try Task.checkCancellation()
            let answer: OrchestrationCommand
            do {
                answer = try await transport.send(command)
            } catch {
                if error is CancellationError || Task.isCancelled { throw CancellationError() }
                failure = (error as? OrchestrationError) ?? OrchestrationError(.transport, underlying: error)
                continue
            }
            if let reading = try read(answer) { return reading }
            failure = OrchestrationError(.invalidAnswer)
        }
        throw failure
    }
}
