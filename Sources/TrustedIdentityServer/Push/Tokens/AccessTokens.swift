internal import Primitives

/// An access token that all deliveries share, and the one request for the next one.
///
/// The request runs in a separate task, because the other deliveries need it when one delivery is canceled.
actor AccessTokens {
    /// The time before its end at which a token is renewed, unless half of its lifetime is less.
    static let margin = Duration.seconds(5 * 60)
    /// The minimum age of a token that is replaced. It limits the requests when a service refuses every token.
    static let leastAge = Duration.seconds(60)
    /// The time between a request that fails and the next one, unless the token endpoint asks for more. Thousands of
    /// deliveries can wait for a token.
    static let pause = Duration.seconds(2)
    /// The maximum time without a request, regardless of what the token endpoint asks for.
    static let longestPause = Duration.seconds(10 * 60)

    /// A grant of the token endpoint.
    struct Grant: Sendable {
        let text: String
        let lifetime: Duration
    }

    /// The error when the token endpoint currently grants nothing.
    struct Failure: Error {
        let retryAfter: Duration?
    }

    private struct Token {
        let text: String
        let since: Duration
        let renewal: Duration
        let end: Duration
    }

    private let time: any TimeSource
    private let request: @Sendable () async throws -> Grant
    private var token: Token?
    /// The time of the next request after one that failed.
    private var nextRequest: Duration?
    private var waiting: [AsyncStream<Result<String, any Error>>.Continuation] = []

    /// Creates an empty cache.
    ///
    /// - Parameter request: A closure that asks the token endpoint. It must end without being canceled.
    init(time: any TimeSource, request: @escaping @Sendable () async throws -> Grant) {
        self.time = time
        self.request = request
    }

    /// Returns the token, and asks for one when there is none or when it ends soon. After a request that failed, a token
    /// is used until its end.
    ///
    /// - Throws: ``Failure`` for a while after a request that failed; the error of the request; `CancellationError`.
    func current() async throws -> String {
        let now = time.uptime()
        if let token, now < token.renewal || now < min(token.end, nextRequest ?? now) { return token.text }
        return try await next()
    }

    /// Returns a token other than one that the service refuses; nil when the token is too young to be replaced.
    ///
    /// - Throws: ``Failure`` for a while after a request that failed; the error of the request; `CancellationError`.
    func replacement(of refused: String) async throws -> String? {
        guard let token, token.text == refused else { return try await current() }
        guard time.uptime() - token.since >= Self.leastAge else { return nil }
        return try await next()
    }

    /// Waits for the request that runs, or starts it.
    private func next() async throws -> String {
        let now = time.uptime()
        if let nextRequest, now < nextRequest { throw Failure(retryAfter: nextRequest - now) }
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
            let end = now + grant.lifetime
            token = Token(
                text: grant.text, since: now, renewal: end - min(Self.margin, grant.lifetime / 2), end: end)
            nextRequest = nil
            result = .success(grant.text)
        } catch {
            let asked = (error as? Failure)?.retryAfter ?? Self.pause
            nextRequest = time.uptime() + min(max(asked, Self.pause), Self.longestPause)
            result = .failure(error)
        }
        for waiter in waiting {
            waiter.yield(result)
            waiter.finish()
        }
        waiting = []
    }
}
