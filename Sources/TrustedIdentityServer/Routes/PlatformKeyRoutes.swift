internal import Hummingbird
internal import Primitives
internal import Synchronization
internal import TrustedIdentity

extension Handlers {
    /// `GET /v1/platform-keys`: all key statements. No API key, because they are public.
    ///
    /// The route reads no row, and encodes the statements once. A caller that has them already, and says so, gets no
    /// body (RFC 9110, section 13.1.2).
    func platformKeys(_ request: Request, _ context: ServerContext) async throws -> Response {
        let encoded = try statements.encoded(of: platform)
        let headers: HTTPFields = [.eTag: encoded.tag, .cacheControl: "no-cache"]
        let known = (request.headers[.ifNoneMatch] ?? "").filter { !$0.isWhitespace }.split(separator: ",")
        guard !known.contains(where: { $0 == "*" || $0 == encoded.tag || $0 == "W/" + encoded.tag }) else {
            return Response(status: .notModified, headers: headers)
        }
        var response = Response(status: .ok, headers: headers, body: .init(byteBuffer: encoded.body))
        response.headers[.contentType] = "application/json"
        return response
    }
}

/// The encoded key statements, made anew after a rotation.
final class EncodedStatements: Sendable {
    struct Body: Sendable {
        /// The number of the latest statement.
        let number: UInt64
        /// The entity tag: the fingerprint of the latest statement.
        let tag: String
        let body: ByteBuffer
    }

    private let last = Mutex<Body?>(nil)

    func encoded(of platform: Platform) throws -> Body {
        let number = platform.keyStatementNumber
        if let body = last.withLock({ $0 }), body.number >= number { return body }
        let statements = try platform.keyStatements()
        guard let latest = statements.last else { throw PlatformError(.internal) }
        let body = Body(
            number: latest.sequence, tag: "\"\(Hex.encode(latest.fingerprint))\"",
            body: ByteBuffer(
                bytes: try JSONBody.encode(PlatformKeysBody(statements: statements.map(KeyStatementBody.init)))))
        last.withLock { last in
            if body.number > last?.number ?? 0 { last = body }
        }
        return body
    }
}

/// The answer of `GET /v1/platform-keys`.
package struct PlatformKeysBody: Codable, Sendable {
    /// All statements, in ascending order.
    package let statements: [KeyStatementBody]
}

/// A key statement, as it was signed and decoded.
package struct KeyStatementBody: Codable, Sendable {
    /// A key of the statement.
    package struct Key: Codable, Sendable {
        /// The id in hexadecimal.
        package let kid: String
        /// `signing`, `sealing` or `audit`.
        package let use: String
        package let algorithm: Int64
        /// The public key in base64url without padding.
        package let publicKey: String
        package let notBefore: String
        package let notAfter: String?
    }

    package let sequence: UInt64
    /// The fingerprint of the statement before; absent in the first one.
    package let previous: String?
    package let time: String
    /// The list of signatures in base64url without padding.
    package let statement: String
    /// The SHA-256 of the payload, in hexadecimal.
    package let fingerprint: String
    package let keys: [Key]
}

extension KeyStatementBody {
    init(_ report: KeyStatementReport) {
        sequence = report.sequence
        previous = report.previous.map(Hex.encode)
        time = report.time.rfc3339
        statement = Base64URL.encode(report.statement)
        fingerprint = Hex.encode(report.fingerprint)
        keys = report.keys.map { key in
            Key(
                kid: Hex.encode(key.id), use: key.purpose.rawValue, algorithm: key.algorithm,
                publicKey: Base64URL.encode(key.publicKey), notBefore: key.notBefore.rfc3339,
                notAfter: key.notAfter?.rfc3339)
        }
    }
}
