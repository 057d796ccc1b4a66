internal import Hummingbird
internal import Primitives
internal import TrustedIdentity

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// JSON bodies of requests and answers.
///
/// This type, ``APIError`` and the bodies of requests are package-visible for the fuzzer.
package enum JSONBody {
    /// The maximum size of a body that is read, in bytes.
    static let limit = 64 * 1024

    /// The maximum number of bytes of an oversized body that are read and dropped before the refusal is sent.
    private static let patience = 1024 * 1024

    /// Reads the whole body of a request and decodes it.
    ///
    /// - Throws: ``APIError`` with `bodyTooLarge`, or with `malformedRequest` that names the field.
    @concurrent
    static func decode<T: Decodable & Sendable>(_ type: T.Type, from request: Request) async throws -> T {
        let buffer = try await collect(request)
        return try decode(type, from: [UInt8](buffer.readableBytesView))
    }

    /// Reads the whole body of a request and decodes it; `nil` for an empty body.
    ///
    /// - Throws: As ``decode(_:from:)``.
    @concurrent
    static func decodeIfPresent<T: Decodable & Sendable>(_ type: T.Type, from request: Request) async throws -> T? {
        let buffer = try await collect(request)
        return buffer.readableBytes == 0 ? nil : try decode(type, from: [UInt8](buffer.readableBytesView))
    }

    /// Returns whether a request states that its body is too large.
    static func isTooLarge(contentLength: String?) -> Bool {
        contentLength.flatMap { Int($0) }.map { $0 > limit } ?? false
    }

    /// Collects a body of at most ``limit`` bytes.
    ///
    /// A longer body is read and dropped up to a limit before the refusal is sent. Otherwise, the server and a caller
    /// that sends its whole body before it reads would wait for each other.
    ///
    /// A body that ends with an error was malformed or cut by its caller, regardless of the type of the error.
    private static func collect(_ request: Request) async throws -> ByteBuffer {
        var isTooLarge = isTooLarge(contentLength: request.headers[.contentLength])
        // A caller that waits for `100 Continue` has not sent the body.
        guard !isTooLarge || request.headers[.expect] == nil else { throw APIError(.bodyTooLarge) }
        var buffer = ByteBuffer()
        var dropped = 0
        do {
            for try await var part in request.body {
                isTooLarge = isTooLarge || buffer.readableBytes + part.readableBytes > limit
                if isTooLarge {
                    dropped += part.readableBytes
                    guard dropped <= patience else { break }
                } else {
                    buffer.writeBuffer(&part)
                }
            }
        } catch is BodyDeadline.Passed {
            throw APIError(.bodyTimeout)
        } catch  where !(error is CancellationError) {
            throw APIError(.malformedRequest)
        }
        guard !isTooLarge else { throw APIError(.bodyTooLarge) }
        return buffer
    }

    /// Decodes a body.
    ///
    /// - Throws: ``APIError`` with `malformedRequest`. It names the field, or the place in a body that is not JSON.
    package static func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws(APIError) -> T {
        do throws(JSONSyntax.Fault) {
            try JSONSyntax.check(bytes)
        } catch {
            throw APIError(field: "body", "is not JSON: \(error)")
        }
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw APIError(error)
        } catch {
            throw APIError(.malformedRequest)
        }
    }

    /// Returns the JSON of a value. Keys are sorted, so equal values have equal bytes.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value))
    }

    /// Returns a response with a value as its body.
    static func response(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: try encode(value))))
    }
}
