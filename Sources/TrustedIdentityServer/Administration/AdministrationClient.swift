internal import AsyncHTTPClient
internal import CLibrary
internal import NIOCore
internal import NIOHTTP1
internal import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A client for the administration of a running server.
package enum AdministrationClient {
    /// Performs a request, and waits at most 30 seconds for the reply.
    ///
    /// - Parameter socket: The path of the server's socket.
    /// - Throws: ``AdministrationError``.
    package static func perform(
        _ request: AdministrationRequest, socket path: String
    ) async throws(AdministrationError) -> AdministrationReply {
        guard AdministrationServer.fits(path),
            let url = URL(httpURLWithSocketPath: path, uri: AdministrationServer.path)
        else { throw .unreachable }
        guard let body = try? JSONBody.encode(request) else { throw .badAnswer }
        var question = HTTPClientRequest(url: url.absoluteString)
        question.method = .POST
        question.headers.add(name: "content-type", value: "application/json")
        question.body = .bytes(body)
        let (status, content): (UInt, [UInt8])
        do {
            (status, content) = try await exchange(question)
        } catch is NIOTooManyBytesError {
            throw .badAnswer
        } catch is HTTPParserError {
            throw .badAnswer
        } catch let error as IOError where connectionErrors.contains(error.errnoCode) {
            throw .unreachable
        } catch {
            throw .outcomeUnknown
        }
        guard status == 200, let reply = try? JSONBody.decode(AdministrationReply.self, from: content)
        else { throw .badAnswer }
        return reply
    }

    private static func exchange(_ request: HTTPClientRequest) async throws -> (status: UInt, body: [UInt8]) {
        var configuration = HTTPClient.Configuration()
        // A socket that nothing listens on is the usual case of a server that is stopped: the caller retries.
        configuration.connectionPool.retryConnectionEstablishment = false
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            let response = try await client.execute(request, timeout: .seconds(30))
            let body = try await response.body.collect(upTo: answerLimit)
            return (response.status.code, Array(body.readableBytesView))
        }
    }

    /// The errors of a connection that was not established, after which nothing was sent.
    private static let connectionErrors: Set<CInt> = [ENOENT, ECONNREFUSED, EACCES, ENOTDIR, ENOTSOCK]

    /// The largest reply that is read, in bytes.
    private static let answerLimit = 16 * 1024 * 1024
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
