/// A limit for the whole of an exchange. AsyncHTTPClient's own deadline ends with the head of the response, and a body
/// that trickles would hold a flow for ever.
enum Deadline {
    static func run<R: Sendable>(
        milliseconds: Int64, _ body: @escaping @Sendable () async throws -> R
    ) async throws -> R {
        try await withThrowingTaskGroup(of: R?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: .milliseconds(milliseconds), clock: .continuous)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let result = first else { throw HTTPFailure(.timedOut) }
            return result
        }
    }
}
