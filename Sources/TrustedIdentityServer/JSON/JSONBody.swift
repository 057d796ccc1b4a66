internal import Hummingbird
internal import TrustedIdentity

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Where JSON becomes values and values become JSON. The routes see neither.
enum JSONBody {
    /// The largest body that is read, in bytes.
    static let limit = 64 * 1024

    /// How many bytes of a body that is too large are read and dropped before the connection is closed on them.
    private static let patience = 1024 * 1024

    /// Reads the whole body of a request and decodes it.
    ///
    /// - Throws: `APIError` with ``ErrorCode/bodyTooLarge``, or ``ErrorCode/malformedRequest`` that names the field.
    @concurrent
    static func decode<T: Decodable & Sendable>(_ type: T.Type, from request: Request) async throws -> T {
        let buffer = try await collect(request)
        return try decode(type, from: [UInt8](buffer.readableBytesView))
    }

    /// Collects a body of at most ``limit`` bytes.
    ///
    /// What is too long is read on for a while and dropped: a server that closes a connection with unread bytes resets it,
    /// and the caller would see that instead of the answer.
    private static func collect(_ request: Request) async throws -> ByteBuffer {
        var isTooLarge = request.headers[.contentLength].flatMap { Int($0) }.map { $0 > limit } ?? false
        var buffer = ByteBuffer()
        var dropped = 0
        for try await var part in request.body {
            isTooLarge = isTooLarge || buffer.readableBytes + part.readableBytes > limit
            if isTooLarge {
                dropped += part.readableBytes
                guard dropped <= patience else { break }
            } else {
                buffer.writeBuffer(&part)
            }
        }
        guard !isTooLarge else { throw APIError(.bodyTooLarge) }
        return buffer
    }

    /// Decodes a body.
    static func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws(APIError) -> T {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw APIError(error)
        } catch {
            throw APIError(.malformedRequest)
        }
    }

    /// The bytes of a value. Keys are sorted, so that equal values have equal bytes.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value))
    }

    /// A response that carries a value.
    static func response(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: try encode(value))))
    }
}
