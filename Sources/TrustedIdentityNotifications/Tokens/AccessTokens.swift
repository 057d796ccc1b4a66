internal import Primitives

/// An access token that all deliveries share, and the one request for the next one.
///
/// The request runs in a task of its own, so that a delivery that is canceled leaves it to the others.
actor AccessTokens {
    /// The time before its end at which a token is renewed.
    static let margin = Duration.seconds(5 * 60)
    /// The least age of a token that is replaced, so that a service that refuses every token is not asked all the time.
    static let leastAge = Duration.seconds(60)

    /// What the token endpoint grants.
    struct Grant: Sendable {
        let text: String
        let lifetime: Duration
    }

    /// The token endpoint grants nothing now.
    struct Failure: Error {
        let retryAfter: Duration?
    }

    private struct Token {
        let text: String
        let since: Duration
        let end: Duration
    }

    private let time: any TimeSource
    private let request: @Sendable () async throws -> Grant
    private var token: Token?
    private var waiting: [AsyncStream<Result<String, any Error>>.Continuation] = []

    /// Creates an empty cache.
    ///
    /// - Parameter request: Asks the token endpoint. It must end by itself.
    init(time: any TimeSource, request: @escaping @Sendable () async throws -> Grant) {
        self.time = time
        self.request = request
    }

    /// Returns the token, and asks for one when there is none or when it ends soon.
    ///
    /// - Throws: The error of the request; `CancellationError`.
    func current() async throws -> String {
        if let token, time.uptime() < token.end - Self.margin { return token.text }
        return try await next()
    }

    /// Returns another token than one that the service refuses; nil when the token is too young to be replaced.
    ///
    /// - Throws: The error of the request; `CancellationError`.
    func replacement(of refused: String) async throws -> String? {
        guard let token, token.text == refused else { return try await current() }
        guard time.uptime() - token.since >= Self.leastAge else { return nil }
        return try await next()
    }

    /// Waits for the request that runs, or starts it.
    private func next() async throws -> String {
        let (results, result) = AsyncStream.makeStream(of: Result<String, any Error>.self)
        waiting.append(result)
        if waiting.count == 1 { Task { await ask() } }
        // The stream ends without a result when this task is canceled.
        for await result in results { return try result.get() }
        throw CancellationError()
    }

    private func ask() async {
        let result: Result<String, any Error>
        do {
            let grant = try await request()
            let now = time.uptime()
            token = Token(text: grant.text, since: now, end: now + grant.lifetime)
            result = .success(grant.text)
        } catch {
            result = .failure(error)
        }
        for waiter in waiting {
            waiter.yield(result)
            waiter.finish()
        }
        waiting = []
    }
}
