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
    /// Performs a request, and waits at most 30 seconds for the reply, or an hour when the server reads the whole audit
    /// log.
    ///
    /// - Parameter socket: The path of the server's socket.
    /// - Throws: ``AdministrationError``.
    package static func perform(
        _ request: AdministrationRequest, socket path: String
    ) async throws(AdministrationError) -> AdministrationReply {
        guard let body = try? JSONBody.encode(request) else { throw .badAnswer }
        var question = try self.request(.POST, AdministrationServer.path, socket: path)
        question.body = .bytes(body)
        return try await reply(to: question, within: request.readsWholeTable ? .hours(1) : .seconds(30))
    }

    /// Sends an exported audit log for a restore, and waits at most an hour for the reply.
    ///
    /// - Parameters:
    ///   - file: The bytes of the file.
    ///   - socket: The path of the server's socket.
    /// - Throws: ``AdministrationError``; nothing was sent with `unreachable`.
    package static func restore<File: AsyncSequence & Sendable>(
        applying file: File, socket path: String
    ) async throws(AdministrationError) -> AdministrationReply where File.Element == [UInt8] {
        var question = try request(.POST, AdministrationServer.restorePath, socket: path)
        question.body = .stream(file.map { ByteBuffer(bytes: $0) }, length: .unknown)
        return try await reply(to: question, within: .hours(1))
    }

    /// Reads an export of the audit log, for at most an hour.
    ///
    /// - Parameters:
    ///   - first: The sequence number of the first entry; nil for the first one that was not pruned.
    ///   - socket: The path of the server's socket.
    ///   - write: A closure that receives each part of the file.
    /// - Returns: The reply to an export that the server refused; `nil` after a complete export.
    /// - Throws: ``AdministrationError``; the errors of `write`.
    package static func exportAudit(
        from first: Int64?, socket path: String, _ write: ([UInt8]) throws -> Void
    ) async throws -> AdministrationReply? {
        let query = first.map { "?first=\($0)" } ?? ""
        return try await export(try request(.GET, AdministrationServer.exportPath + query, socket: path), write)
    }

    /// Reads the entries of the audit log before a date, in order to prune them, for at most an hour.
    ///
    /// - Parameters:
    ///   - date: A day, or a time as in RFC 3339.
    ///   - socket: The path of the server's socket.
    ///   - write: A closure that receives each part of the file.
    /// - Returns: The reply to an export that the server refused; `nil` after a complete export.
    /// - Throws: ``AdministrationError``; the errors of `write`.
    package static func exportAudit(
        before date: String, socket path: String, _ write: ([UInt8]) throws -> Void
    ) async throws -> AdministrationReply? {
        try await export(
            try request(.GET, "\(AdministrationServer.pruningPath)?date=\(escaped(date))", socket: path), write)
    }

    /// Reads an extract of the audit log, for at most an hour.
    ///
    /// - Parameters:
    ///   - user: The user of the entries.
    ///   - socket: The path of the server's socket.
    ///   - write: A closure that receives each part of the file.
    /// - Returns: The reply to an extract that the server refused; `nil` after a complete one.
    /// - Throws: ``AdministrationError``; the errors of `write`.
    package static func auditExtract(
        of user: String, socket path: String, _ write: ([UInt8]) throws -> Void
    ) async throws -> AdministrationReply? {
        try await export(
            try request(.GET, "\(AdministrationServer.extractPath)?user=\(escaped(user))", socket: path), write)
    }

    /// Returns a text as the value of a query.
    private static func escaped(_ text: String) -> String { text.utf8.map { "%" + Hex.encode([$0]) }.joined() }

    private static func export(
        _ question: HTTPClientRequest, _ write: ([UInt8]) throws -> Void
    ) async throws -> AdministrationReply? {
        var failure: (any Error)?
        let refusal = try await mapping { () async throws -> [UInt8]? in
            try await HTTPClient.withHTTPClient(configuration: configuration) { client in
                let response = try await client.execute(question, timeout: .hours(1))
                guard response.headers.first(name: "content-type") == "application/jsonl" else {
                    return Array(try await response.body.collect(upTo: answerLimit).readableBytesView)
                }
                for try await part in response.body {
                    do {
                        try write(Array(part.readableBytesView))
                    } catch {
                        failure = error
                        return nil
                    }
                }
                return nil
            }
        }
        if let failure { throw failure }
        guard let refusal else { return nil }
        guard let reply = try? JSONBody.decode(AdministrationReply.self, from: refusal) else {
            throw AdministrationError.badAnswer
        }
        return reply
    }

    /// Asks whether the server can serve requests, and waits at most 30 seconds for the reply.
    ///
    /// - Parameter socket: The path of the server's socket.
    /// - Throws: ``AdministrationError``.
    package static func health(socket path: String) async throws(AdministrationError) -> ReadinessBody {
        let (status, content) = try await answer(
            to: try request(.GET, ManagementRoutes.readyPath, socket: path), within: .seconds(30))
        guard [200, 503].contains(status), let body = try? JSONBody.decode(ReadinessBody.self, from: content) else {
            throw .badAnswer
        }
        return body
    }

    /// Reads the metrics of the server, and waits at most 30 seconds for them.
    ///
    /// - Parameter socket: The path of the server's socket.
    /// - Returns: The text form of Prometheus.
    /// - Throws: ``AdministrationError``.
    package static func metrics(socket path: String) async throws(AdministrationError) -> String {
        let (status, content) = try await answer(
            to: try request(.GET, ManagementRoutes.metricsPath, socket: path), within: .seconds(30))
        guard status == 200, let text = String(validating: content, as: UTF8.self) else { throw .badAnswer }
        return text
    }

    private static func request(
        _ method: HTTPMethod, _ uri: String, socket path: String
    ) throws(AdministrationError) -> HTTPClientRequest {
        guard AdministrationServer.fits(path), let url = URL(httpURLWithSocketPath: path, uri: uri) else {
            throw .unreachable
        }
        var request = HTTPClientRequest(url: url.absoluteString)
        request.method = method
        return request
    }

    private static func reply(
        to request: HTTPClientRequest, within time: TimeAmount
    ) async throws(AdministrationError) -> AdministrationReply {
        let (status, content) = try await answer(to: request, within: time)
        guard status == 200, let reply = try? JSONBody.decode(AdministrationReply.self, from: content)
        else { throw .badAnswer }
        return reply
    }

    private static func answer(
        to request: HTTPClientRequest, within time: TimeAmount
    ) async throws(AdministrationError) -> (status: UInt, body: [UInt8]) {
        try await mapping {
            try await HTTPClient.withHTTPClient(configuration: configuration) { client in
                let response = try await client.execute(request, timeout: time)
                let body = try await response.body.collect(upTo: answerLimit)
                return (response.status.code, Array(body.readableBytesView))
            }
        }
    }

    /// Runs an operation and maps its errors to ``AdministrationError``.
    private static func mapping<R>(_ operation: () async throws -> R) async throws(AdministrationError) -> R {
        do {
            return try await operation()
        } catch is NIOTooManyBytesError {
            throw .badAnswer
        } catch is HTTPParserError {
            throw .badAnswer
        } catch let error as HTTPClientError where error == .connectTimeout {
            throw .unreachable
        } catch let error as IOError where connectionErrors.contains(error.errnoCode) {
            throw .unreachable
        } catch {
            throw .outcomeUnknown
        }
    }

    private static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        // A socket that nothing listens on is the usual case of a server that is stopped: the caller retries.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
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
