internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import TrustedIdentity

/// The HTTP client of a platform's gateways, with its connections.
///
/// It speaks TLS 1.2 or later, follows no redirects, keeps no cookies, and accepts no compressed answers. It logs
/// nothing and creates no spans, because addresses and headers are secrets. Shut it down after the last delivery.
public final class GatewayClient: Sendable {
    /// A client that uses the HTTP version that the service chooses.
    private let client: HTTPClient
    /// A client that closes connections on which the service does not choose HTTP/2, before a request is sent on them.
    private let http2Client: HTTPClient
    private let timeout: Duration

    /// Creates a client that trusts the certificate authorities of the system. It opens connections when they are
    /// needed.
    public convenience init() { self.init(connectTimeout: .seconds(5), timeout: Platform.deliveryTimeout) }

    /// Creates a client with other time limits. Tests on a busy machine wait longer.
    package convenience init(connectTimeout: Duration, timeout: Duration) {
        self.init(connectTimeout: connectTimeout, timeout: timeout, tls: .makeClientConfiguration())
    }

    /// Creates a client that trusts the certificates in a PEM file and no others. Tests use separate services.
    ///
    /// - Throws: `NIOSSLError` for a file without certificates.
    package convenience init(connectTimeout: Duration, timeout: Duration, trusting path: String) throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(path))
        self.init(connectTimeout: connectTimeout, timeout: timeout, tls: tls)
    }

    private init(connectTimeout: Duration, timeout: Duration, tls: TLSConfiguration) {
        self.timeout = timeout
        var tls = tls
        // Tokens and addresses are secrets. The default accepts TLS 1.0.
        tls.minimumTLSVersion = .tlsv12
        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = tls
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        // Otherwise, the process's tracer would get the full address in each span, and push services would get the
        // trace.
        configuration.tracing.tracer = nil
        configuration.timeout.connect = TimeAmount(connectTimeout)
        // The platform repeats deliveries, by its own clock.
        configuration.connectionPool.retryConnectionEstablishment = false
        // HTTP/1.1 allows one request at a time on a connection. With fewer connections, deliveries would wait for one
        // during the time of their attempt.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Platform.concurrentDeliveries
        // A network that silently drops packets would hold all deliveries on one connection for a quarter of an hour.
        configuration.http2ConnectionDebugInitializer = { channel in
            UnacknowledgedData.limit(to: .seconds(20), on: channel)
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
        configuration.http1_1ConnectionDebugInitializer = { channel in
            // The connection closes after the pool has seen the error and removed it. The pool does not expect an
            // earlier end.
            channel.eventLoop.execute { channel.close(promise: nil) }
            return channel.eventLoop.makeFailedFuture(NoHTTP2())
        }
        http2Client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }

    /// Closes all connections.
    public func shutdown() async {
        // An error means that the client is already shut down.
        try? await client.shutdown()
        try? await http2Client.shutdown()
    }

    /// Sends a POST request, and returns with the answer.
    ///
    /// Each body is read, because the connection must accept further requests. An unread body would end an HTTP/1.1
    /// connection, and a service may close an HTTP/2 connection on which many streams are reset.
    ///
    /// - Parameters:
    ///   - needsHTTP2: Whether nothing is sent to a service that does not speak HTTP/2.
    ///   - explained: The statuses whose body is returned, up to ``maximumByteCount`` bytes. For other statuses, the
    ///     call returns without the body, at most a second after the head.
    /// - Throws: An error of the connection, also for an answer that has not ended in the time of the client;
    ///   `CancellationError`.
    func post(
        _ body: [UInt8], to url: String, headers: [(String, String)], needsHTTP2: Bool = false,
        readingBodyOf explained: Set<Int> = []
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers = HTTPHeaders(headers)
        request.body = .bytes(ByteBuffer(bytes: body))
        let end = ContinuousClock.now + timeout
        // The platform cancels an attempt earlier. A request for a token has only this time limit.
        let response = try await (needsHTTP2 ? http2Client : client).execute(request, timeout: TimeAmount(timeout))
        let status = Int(response.status.code)
        let retryAfter = response.headers.first(name: "retry-after").flatMap(Self.seconds)
        guard explained.contains(status) else {
            // The status alone decides, regardless of the body.
            _ = try? await Self.start(of: response.body, until: min(end, .now + Self.unexplainedTime))
            return Answer(status: status, retryAfter: retryAfter, body: [])
        }
        return Answer(
            status: status, retryAfter: retryAfter, body: try await Self.start(of: response.body, until: end))
    }

    /// The maximum number of bytes of a body that are read.
    private static let maximumByteCount = 16_384
    /// The maximum time for reading a body that does not affect the result.
    private static let unexplainedTime = Duration.seconds(1)

    /// Returns the bytes of a body, or the start of a longer one.
    ///
    /// The time of a request to AsyncHTTPClient ends with the head of the answer.
    private static func start(
        of body: HTTPClientResponse.Body, until end: ContinuousClock.Instant
    ) async throws -> [UInt8] {
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            defer { group.cancelAll() }
            group.addTask { try await start(of: body) }
            group.addTask {
                try await Task.sleep(until: end, clock: .continuous)
                throw HTTPClientError.deadlineExceeded
            }
            return try await group.next() ?? []
        }
    }

    private static func start(of body: HTTPClientResponse.Body) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in body {
            bytes += chunk.readableBytesView.prefix(maximumByteCount - bytes.count)
            guard bytes.count < maximumByteCount else { break }
        }
        return bytes
    }

    /// Returns the value of `Retry-After` in seconds (RFC 9110, section 10.2.3); nil for a date and for anything else.
    private static func seconds(_ text: String) -> Duration? {
        guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text).map { .seconds($0) }
    }

    /// An answer of a service.
    struct Answer: Sendable {
        let status: Int
        let retryAfter: Duration?
        let body: [UInt8]
    }

    /// The service does not speak HTTP/2.
    private struct NoHTTP2: Error {}
}

/// The time after which the system closes a connection whose peer acknowledges nothing (RFC 5482).
private enum UnacknowledgedData {
    static func limit(to duration: Duration, on channel: any Channel) {
        #if os(Linux)
            // TCP_USER_TIMEOUT of Linux, which is 18 on all processors.
            let option = ChannelOptions.Types.SocketOption(level: .tcp, name: NIOBSDSocket.Option(rawValue: 18))
            // The connection also works without it.
            channel.setOption(option, value: SocketOptionValue(duration.components.seconds * 1_000))
                .whenComplete { _ in }
        #endif
    }
}
