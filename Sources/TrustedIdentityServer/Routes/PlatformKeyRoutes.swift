internal import Hummingbird
internal import Primitives
internal import TrustedIdentity

extension Handlers {
    /// `GET /v1/platform-keys`: all key statements. No API key, because they are public.
    ///
    /// The platform has them in memory, so that the route reads no row.
    func platformKeys(_ request: Request, _ context: ServerContext) async throws -> Response {
        try JSONBody.response(PlatformKeysBody(statements: platform.keyStatements().map(KeyStatementBody.init)))
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
        /// `signing` or `sealing`.
        package let use: String
        package let algorithm: Int64
        /// The public key in base64url without padding.
        package let publicKey: String
        package let notBefore: String
        package let notAfter: String?
    }

    package let sequence: UInt64
    /// The list of signatures in base64url without padding.
    package let statement: String
    /// The SHA-256 of the payload, in hexadecimal.
    package let fingerprint: String
    package let keys: [Key]
}

extension KeyStatementBody {
    init(_ report: KeyStatementReport) {
        sequence = report.sequence
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
