internal import Hummingbird
internal import Primitives
internal import Synchronization
internal import TrustedIdentity

extension Handlers {
    /// `GET /v1/platform-keys`: a page of the key statements. It needs no API key, because the statements are public.
    ///
    /// The route reads no row, and encodes the statements once. A caller that states that it already has them gets no
    /// body (RFC 9110, section 13.1.2).
    func platformKeys(_ request: Request, _ context: ServerContext) async throws -> Response {
        let encoded = try statements.encoded(of: platform)
        guard let page = Int(request.uri.queryParameters["page"] ?? "1"), encoded.pages.indices.contains(page - 1)
        else { throw APIError(field: "page", "must be a whole number from 1 to \(encoded.pages.count)") }
        let headers: HTTPFields = [.eTag: encoded.tag, .cacheControl: "no-cache"]
        let known = (request.headers[.ifNoneMatch] ?? "").filter { !$0.isWhitespace }.split(separator: ",")
        guard !known.contains(where: { $0 == "*" || $0 == encoded.tag || $0 == "W/" + encoded.tag }) else {
            return Response(status: .notModified, headers: headers)
        }
        var response = Response(status: .ok, headers: headers, body: .init(byteBuffer: encoded.pages[page - 1]))
        response.headers[.contentType] = "application/json"
        return response
    }
}

/// The encoded key statements, encoded again after a rotation.
final class EncodedStatements: Sendable {
    struct Pages: Sendable {
        /// The number of the latest statement.
        let number: UInt64
        /// The entity tag of each page: the fingerprint of the latest statement.
        let tag: String
        let pages: [ByteBuffer]
    }

    private let last = Mutex<Pages?>(nil)

    func encoded(of platform: Platform) throws -> Pages {
        let number = platform.keyStatementNumber
        if let pages = last.withLock({ $0 }), pages.number >= number { return pages }
        let statements = try platform.keyStatements().map(KeyStatementBody.init)
        guard let latest = statements.last else { throw PlatformError(.internal) }
        let pages = Pages(
            number: latest.sequence, tag: "\"\(latest.fingerprint)\"",
            pages: try PlatformKeysBody.pages(of: statements).map { ByteBuffer(bytes: try JSONBody.encode($0)) })
        last.withLock { last in
            if pages.number > last?.number ?? 0 { last = pages }
        }
        return pages
    }
}

/// The answer of `GET /v1/platform-keys`, and the file of `platform-key export`, which contains all statements.
package struct PlatformKeysBody: Codable, Sendable {
    /// The maximum number of statements of a page. It bounds the answer to a caller without a key.
    static let pageLimit = 8

    /// The statements, in ascending order.
    package let statements: [KeyStatementBody]
    /// The number of the next page; `nil` in the last one.
    var nextPage: Int?

    /// Returns the pages of some statements.
    static func pages(of statements: [KeyStatementBody]) -> [Self] {
        stride(from: 0, to: statements.count, by: pageLimit).map { start in
            let end = start + pageLimit
            return Self(
                statements: Array(statements[start..<min(end, statements.count)]),
                nextPage: end < statements.count ? end / pageLimit + 1 : nil)
        }
    }
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
    /// The fingerprint of the previous statement; absent in the first one.
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
