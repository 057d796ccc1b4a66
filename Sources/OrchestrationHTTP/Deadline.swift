/// A limit for a whole exchange. AsyncHTTPClient's deadline ends with the head of the response, and a slow body could
/// hold a flow indefinitely.
enum Deadline {
    static func run<R: Sendable>(
        within limit: Duration, _ body: @escaping @Sendable () async throws -> R
    ) async throws -> R {
        try await withThrowingTaskGroup(of: R?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: limit, clock: .continuous)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let result = first else { throw HTTPFailure(.timedOut) }
            return result
        }
    }
}
