internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import TrustedIdentity

/// The HTTP client of the gateways of a platform, with its connections.
///
/// It follows no redirects, keeps no cookies, and takes no compressed answers. It logs nothing, because addresses and headers
/// are secrets. Shut it down after the last delivery.
public final class GatewayClient: Sendable {
    private let client: HTTPClient
    private let timeout: Duration

    /// Creates a client that trusts the certificate authorities of the system. It opens connections when they are needed.
    public convenience init() { self.init(connectTimeout: .seconds(5), timeout: Platform.deliveryTimeout) }

    /// Creates a client with other times. Tests on a busy machine wait longer.
    package init(connectTimeout: Duration, timeout: Duration) {
        self.timeout = timeout
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        configuration.timeout.connect = TimeAmount(connectTimeout)
        // The platform repeats deliveries, by its own clock.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }

    /// Closes all connections.
    public func shutdown() async {
        // An error says that it is shut down already.
        try? await client.shutdown()
    }

    /// Sends a POST request, and returns with the head of the answer. The body of the answer is not read.
    ///
    /// - Throws: An error of the connection; `CancellationError`.
    func post(_ body: [UInt8], to url: String, headers: [(String, String)]) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers = HTTPHeaders(headers)
        request.body = .bytes(ByteBuffer(bytes: body))
        // The platform cancels the attempt before.
        let response = try await client.execute(request, timeout: TimeAmount(timeout))
        return Answer(
            status: Int(response.status.code),
            retryAfter: response.headers.first(name: "retry-after").flatMap(Self.seconds))
    }

    /// Returns the value of `Retry-After` in seconds (RFC 9110, section 10.2.3); nil for a date and for anything else.
    private static func seconds(_ text: String) -> Duration? {
        guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text).map { .seconds($0) }
    }

    /// The head of an answer.
    struct Answer: Sendable {
        let status: Int
        let retryAfter: Duration?
    }
}
