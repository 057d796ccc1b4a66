internal import Dispatch

/// Runs a read that blocks on a thread of its own, so that it holds none of the tasks' threads, and ends it when the
/// task is canceled.
enum BlockingRead {
    static func run(_ read: @escaping @Sendable (WakeUp) throws -> UserInput) async throws -> UserInput {
        try Task.checkCancellation()
        let wakeUp: WakeUp
        do { wakeUp = try WakeUp() } catch { throw OrchestrationError(.inputUnavailable, underlying: error) }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(with: Result { try read(wakeUp) })
                }
            }
        } onCancel: {
            wakeUp.signal()
        }
    }
}
