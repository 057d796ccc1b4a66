internal import AsyncHTTPClient
internal import CLibrary
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import Primitives
internal import Synchronization
internal import TrustedIdentity

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A client of the administration routes, over the socket of a running server or in this process.
package struct AdministrationClient: Sendable {
    /// A method of HTTP.
    package enum Method: String, Sendable { case get = "GET", post = "POST", delete = "DELETE" }

    private enum Transport: Sendable {
        case socket(String)
        case process(Platform, RouterResponder<ServerContext>)
    }

    /// A body of a request, for both transports.
    private struct Content: Sendable {
        static let empty = Self(socket: nil, process: RequestBody(buffer: ByteBuffer()))

        let socket: HTTPClientRequest.Body?
        let process: RequestBody
    }

    private let transport: Transport

    /// Creates a client of a running server.
    ///
    /// - Parameter path: The path of the server's socket.
    package init(socket path: String) { transport = .socket(path) }

    /// Creates a client of an installation in this process, which serves nothing.
    package init(_ installation: Installation) { self.init(installation.administration) }

    init(_ routes: AdministrationRoutes) {
        transport = .process(routes.base.platform, routes.router(for: .owner).buildResponder())
    }

    /// Returns a name as a segment of a path or the value of a query. A dot is encoded, too, because a segment of one
    /// or two dots has a special meaning (RFC 3986, section 5.2.4).
    package static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                String(UnicodeScalar(byte))
            default: "%" + Hex.encode([byte])
            }
        }.joined()
    }

    /// Sends a request, and waits for the reply.
    ///
    /// - Parameters:
    ///   - path: The path with its query, without the first slash.
    ///   - isLong: Whether the platform reads a whole table for the reply. The time limit is then an hour instead of 30
    ///     seconds.
    /// - Throws: ``AdministrationRefusal``, ``AdministrationError``.
    package func send<Reply: Decodable & Sendable>(
        _ method: Method, _ path: String, _ body: (any Encodable & Sendable)? = nil, isLong: Bool = false
    ) async throws -> Reply {
        let bytes = try body.map { ByteBuffer(bytes: try JSONBody.encode($0)) }
        let content = Content(socket: bytes.map { .bytes($0) }, process: RequestBody(buffer: bytes ?? ByteBuffer()))
        return try Self.decode(try await answer(method, path, content, within: isLong ? .hours(1) : .seconds(30)))
    }

    /// Sends a file, and waits at most an hour for the reply.
    ///
    /// - Throws: As ``send(_:_:_:isLong:)`` does.
    package func upload<File: AsyncSequence & Sendable, Reply: Decodable & Sendable>(
        _ file: File, to path: String
    ) async throws -> Reply where File.Element == [UInt8], File.AsyncIterator: SendableMetatype {
        let content = Content(
            socket: .stream(file.map { ByteBuffer(bytes: $0) }, length: .unknown),
            process: RequestBody(asyncSequence: file.map { ByteBuffer(bytes: $0) }))
        return try Self.decode(try await answer(.post, path, content, within: .hours(1)))
    }

    /// Reads a file, for at most an hour.
    ///
    /// - Parameter write: A closure that receives each part of the file.
    /// - Throws: As ``send(_:_:_:isLong:)`` does; the errors of `write`.
    package func download(_ path: String, _ write: @escaping @Sendable ([UInt8]) throws -> Void) async throws {
        let refusal = Mutex([UInt8]())
        let status = try await exchange(.get, path, .empty, within: .hours(1)) { status, part in
            guard status != 200 else { return try write(part) }
            try refusal.withLock { try Self.append(part, to: &$0) }
        }
        guard status != 200 else { return }
        throw Self.refusal(refusal.withLock(\.self))
    }

    /// Asks whether the platform can serve requests.
    ///
    /// - Throws: ``AdministrationError``.
    package func health() async throws -> ReadinessBody {
        let (status, content) = try await answer(.get, "v1/readiness", .empty, within: .seconds(30))
        guard [200, 503].contains(status), let body = try? JSONBody.decode(ReadinessBody.self, from: content) else {
            throw AdministrationError.badAnswer
        }
        return body
    }

    /// Reads the metrics in the text form of Prometheus.
    ///
    /// - Throws: ``AdministrationError``.
    package func metrics() async throws -> String {
        let (status, content) = try await answer(.get, "metrics", .empty, within: .seconds(30))
        guard status == 200, let text = String(validating: content, as: UTF8.self) else {
            throw AdministrationError.badAnswer
        }
        return text
    }
}

extension AdministrationClient {
    /// The maximum size of a reply that is read at once, in bytes.
    private static let answerLimit = 16 * 1024 * 1024

    private static func append(_ part: [UInt8], to answer: inout [UInt8]) throws {
        guard answer.count + part.count <= answerLimit else { throw AdministrationError.badAnswer }
        answer += part
    }

    private static func decode<Reply: Decodable>(_ answer: (status: Int, body: [UInt8])) throws -> Reply {
        guard answer.status == 200 else { throw refusal(answer.body) }
        guard let reply = try? JSONBody.decode(Reply.self, from: answer.body) else {
            throw AdministrationError.badAnswer
        }
        return reply
    }

    private static func refusal(_ body: [UInt8]) -> any Error {
        let refusal = try? JSONBody.decode(AdministrationRefusal.self, from: body)
        // The server and the client are of the same version of the program.
        guard let refusal, refusal.errorCode != APIErrorCode.notFound.number else {
            return AdministrationError.badAnswer
        }
        return refusal
    }

    private func answer(
        _ method: Method, _ path: String, _ content: Content, within time: TimeAmount
    ) async throws -> (status: Int, body: [UInt8]) {
        let body = Mutex([UInt8]())
        let status = try await exchange(method, path, content, within: time) { _, part in
            try body.withLock { try Self.append(part, to: &$0) }
        }
        return (status, body.withLock(\.self))
    }

    /// Sends a request.
    ///
    /// - Parameter receive: A closure that receives the status and each part of the body of the answer.
    /// - Returns: The status.
    private func exchange(
        _ method: Method, _ path: String, _ content: Content, within time: TimeAmount,
        _ receive: @escaping @Sendable (_ status: Int, _ part: [UInt8]) throws -> Void
    ) async throws -> Int {
        switch transport {
        case .process(_, let responder):
            let request = Request(
                head: HTTPRequest(
                    method: .init(method), scheme: "http", authority: "localhost", path: "/" + path),
                body: content.process)
            let context = ServerContext(logger: Logger(label: "administration") { _ in SwiftLogNoOpLogHandler() })
            let response = try await responder.respond(to: request, context: context)
            let status = response.status.code
            try await response.body.write(PartWriter { try receive(status, $0) })
            return status
        case .socket(let socket):
            guard AdministrationServer.fits(socket), let url = URL(httpURLWithSocketPath: socket, uri: "/" + path)
            else { throw AdministrationError.unreachable }
            var request = HTTPClientRequest(url: url.absoluteString)
            request.method = HTTPMethod(rawValue: method.rawValue)
            request.body = content.socket
            return try await Self.mapping { [request] in
                try await HTTPClient.withHTTPClient(configuration: Self.configuration) { client in
                    let response = try await client.execute(request, timeout: time)
                    let status = Int(response.status.code)
                    for try await part in response.body {
                        do {
                            try receive(status, Array(part.readableBytesView))
                        } catch {
                            throw ReceiverFailure(error: error)
                        }
                    }
                    return status
                }
            }
        }
    }

    /// An error of the closure that receives an answer.
    private struct ReceiverFailure: Error {
        let error: any Error
    }

    /// Runs an operation over the socket and maps its errors to ``AdministrationError``.
    private static func mapping<R>(_ operation: () async throws -> R) async throws -> R {
        do {
            return try await operation()
        } catch let failure as ReceiverFailure {
            throw failure.error
        } catch is HTTPParserError {
            throw AdministrationError.badAnswer
        } catch let error as HTTPClientError where error == .connectTimeout {
            throw AdministrationError.unreachable
        } catch let error as IOError where connectionErrors.contains(error.errnoCode) {
            throw AdministrationError.unreachable
        } catch {
            throw AdministrationError.outcomeUnknown
        }
    }

    private static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        // When nothing listens on the socket, the server is usually stopped, and the caller retries.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    /// The errors of a connection that was not established, after which nothing was sent.
    private static let connectionErrors: Set<CInt> = [ENOENT, ECONNREFUSED, EACCES, ENOTDIR, ENOTSOCK]
}

extension HTTPRequest.Method {
    fileprivate init(_ method: AdministrationClient.Method) {
        self =
            switch method {
            case .get: .get
            case .post: .post
            case .delete: .delete
            }
    }
}

/// A writer of the body of an answer in this process.
private struct PartWriter: ResponseBodyWriter, Sendable {
    let receive: @Sendable ([UInt8]) throws -> Void

    init(_ receive: @escaping @Sendable ([UInt8]) throws -> Void) { self.receive = receive }

    func write(_ buffer: ByteBuffer) async throws { try receive(Array(buffer.readableBytesView)) }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// The platform's refusal of a request, in the form of a REST API error.
package struct AdministrationRefusal: Error, Decodable, Sendable {
    private struct Field: Decodable, Sendable {
        let field: String
        let message: String
    }

    let errorCode: Int
    private let message: String
    private let validationErrors: [Field]?

    /// The name of the error's code.
    package var code: String { APIErrorCode.all.first { $0.number == errorCode }?.description ?? "internal" }
    /// The field of the request, or the part of the data, that is the cause.
    package var field: String? { validationErrors?.first?.field }
    /// The description of the fault.
    package var text: String { validationErrors?.first?.message ?? message }
}

/// The reason why a running server did not perform a request.
package enum AdministrationError: Error {
    /// The socket does not exist, or nothing listens on it. The request was not sent.
    case unreachable
    /// The connection or the time ended before the reply. The server may have performed the request.
    case outcomeUnknown
    /// The reply is not one of our server.
    case badAnswer
}
