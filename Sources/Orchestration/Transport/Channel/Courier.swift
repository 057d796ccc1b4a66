internal import OrchestrationProtocol

/// Sends a command to the platform, and sends the same bytes again when the answer is lost.
///
/// A repetition is harmless: the platform stores its answer before it sends it, and returns the same bytes again. There
/// is no pause between two sendings, because the transport has its own time limits.
struct Courier: Sendable {
    /// The maximum number of sendings of one command.
    static let sendings = 3

    let transport: any Transport

    /// Sends a command until an answer can be read.
    ///
    /// - Parameter read: Returns `nil` for a reply that is not the answer, which then counts as lost.
    /// - Throws: `transport` or `invalidAnswer`, as for the last sending; `CancellationError`.
    func deliver<Reading>(
        _ command: OrchestrationCommand, read: (OrchestrationCommand) throws -> Reading?
    ) async throws -> Reading {
        var failure = OrchestrationError(.transport)
        for _ in 0..<Self.sendings {
            try Task.checkCancellation()
            let answer: OrchestrationCommand
            do {
                answer = try await send(command)
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
