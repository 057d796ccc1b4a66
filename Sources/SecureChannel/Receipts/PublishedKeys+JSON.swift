internal import Foundation
internal import Primitives
internal import Wire

extension PublishedKeys {
    /// The maximum length of the JSON: 64 MiB.
    public static let maximumByteCount = 64 << 20

    /// Creates the keys from the answer of `GET /v1/platform-keys`, or from a file with it.
    ///
    /// The statements are verified from the first one on. Only the member `statement` of each is read; the decoded
    /// members beside it are for display.
    ///
    /// - Parameters:
    ///   - json: The JSON, at most 64 MiB.
    ///   - fingerprint: The fingerprint of any of the statements in hexadecimal digits, preferably the latest one that
    ///     the operator of the platform has confirmed. Without it, the statements are trusted as they are: pass `nil`
    ///     only for a file that came from the operator over a separate channel, or from the platform over TLS.
    /// - Throws: ``ReceiptError`` with the code `platformKeys`.
    public init(json: [UInt8], fingerprint: String? = nil) throws(ReceiptError) {
        do {
            guard json.count <= Self.maximumByteCount else { throw WireError(.tooLarge) }
            let file = try JSONDecoder().decode(PlatformKeysFile.self, from: Data(json))
            let statements = try file.statements.map { entry in
                try SignatureList(decoding: Base64URL.decode(entry.statement))
            }
            let expected = try fingerprint.map { try Hex.decode($0, limit: 2 * FieldSize.hash) }
            try self.init(statements: statements, fingerprint: expected)
        } catch {
            throw ReceiptError(.platformKeys, underlying: error)
        }
    }
}

/// The member of the JSON that is read.
private struct PlatformKeysFile: Decodable {
    struct Entry: Decodable {
        /// The list of signatures in base64url without padding.
        let statement: String
    }

    let statements: [Entry]
}
