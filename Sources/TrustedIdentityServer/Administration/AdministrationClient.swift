internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Asks a running server for administration, over its local socket.
package enum AdministrationClient {
    /// Performs a request, and waits at most 30 seconds for the reply.
    ///
    /// - Parameter socket: the path of the server's socket.
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
        } catch {
            throw .unreachable
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

    /// The largest reply that is read, in bytes.
    private static let answerLimit = 16 * 1024 * 1024
}

/// Why a running server could not be asked.
package enum AdministrationError: Error {
    /// The socket does not exist, nothing listens on it, or the connection ended before the reply.
    case unreachable
    /// The reply is not one of our server.
    case badAnswer
}
