// The calls of the app that send commands and are not flows.
extension FlowEnvironment {
    /// Performs a call, and records it where flows are recorded. A call within a flow or another call belongs to the
    /// outer record.
    ///
    /// - Parameters:
    ///   - call: The name in the record.
    ///   - warnings: The warnings in the result, which are entries of the record.
    /// - Throws: `OrchestrationError` or `CancellationError`.
    func recorded<R: Sendable>(
        _ call: FlowKind, warnings: (R) -> [Warning] = { _ in [] }, _ body: () async throws -> R
    ) async throws -> R {
        let run = TranscriptRun.current == nil ? recorder.map { TranscriptRun($0, time: time, random: random) } : nil
        run?.name(call)
        do {
            let result =
                if let run {
                    try await TranscriptRun.$current.withValue(run) { try await body() }
                } else {
                    try await body()
                }
            run?.succeed(with: warnings(result))
            return result
        } catch {
            let error = OrchestrationError.leavingTheSDK(error)
            run?.end(error)
            throw error
        }
    }
}
