internal import Primitives

extension TimeSource {
    /// Returns the result of an operation that is canceled after a time.
    ///
    /// - Parameters:
    ///   - duration: The time.
    ///   - late: The result when the time has passed.
    ///   - operation: The operation. It ends soon after its task is canceled.
    /// - Throws: `CancellationError` when the task was canceled.
    func result<R: Sendable>(
        within duration: Duration, or late: R, _ operation: @escaping @Sendable () async -> R
    ) async throws -> R {
        let result = await withTaskGroup(of: R.self) { group in
            group.addTask { await operation() }
            group.addTask {
                try? await sleep(for: duration)
                return late
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? late
        }
        try Task.checkCancellation()
        return result
    }
}

/// The times between the attempts to deliver a notification or an event.
enum DeliveryBackoff {
    private static let first: Int64 = 2_000
    private static let maximum: Int64 = 60_000

    /// Returns the time after a failure: 2 s, doubled for each further failure up to 60 s. The second half of the time
    /// is random, because deliveries that fail together must not be repeated together.
    static func delay(failures: Int, random: any RandomSource) -> Duration {
        let full = min(maximum, first << Int64(min(max(failures, 1) - 1, 5)))
        let word = random.bytes(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return .milliseconds(full / 2 + Int64((word * UInt64(full / 2)) >> 32))
    }
}
