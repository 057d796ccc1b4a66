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

    /// Reads the whole body of a request and decodes it.
    ///
    /// - Throws: `APIError` with ``ErrorCode/bodyTooLarge``, or ``ErrorCode/malformedRequest`` that names the field.
    @concurrent
    static func decode<T: Decodable & Sendable>(_ type: T.Type, from request: Request) async throws -> T {
        // A body that says that it is too long is refused before a byte of it is read.
        if let announced = request.headers[.contentLength].flatMap({ Int($0) }), announced > limit {
            throw APIError(.bodyTooLarge)
        }
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: limit)
        } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
            throw APIError(.bodyTooLarge)
        }
        return try decode(type, from: [UInt8](buffer.readableBytesView))
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
