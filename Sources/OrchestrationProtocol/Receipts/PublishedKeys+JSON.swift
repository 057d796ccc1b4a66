internal import Foundation
internal import Primitives

extension PublishedKeys {
    /// The maximum length of the JSON of all pages: 64 MiB.
    public static let maximumByteCount = 64 << 20

    /// Creates the keys from the pages of `GET /v1/platform-keys`, or from the file of `platform-key export`.
    ///
    /// The statements are verified from the first one on. Only the member `statement` of each is read; the decoded
    /// members next to it are for display.
    ///
    /// - Parameters:
    ///   - pages: The JSON of all pages in ascending order, at most 64 MiB. A last page that names another page is
    ///     refused, because a later statement may end a key.
    ///   - fingerprint: The fingerprint of any of the statements in hexadecimal digits, preferably the latest one that
    ///     the operator of the platform has confirmed. Without it, the statements are trusted as they are: pass `nil`
    ///     only for a file that came from the operator over a separate channel, or from the platform over TLS.
    /// - Throws: ``ReceiptError`` with the code `platformKeys`.
    public init(pages: [[UInt8]], fingerprint: String? = nil) throws(ReceiptError) {
        do {
            guard pages.reduce(0, { $0 + $1.count }) <= Self.maximumByteCount else { throw WireError(.tooLarge) }
            let pages = try pages.map { try JSONDecoder().decode(PlatformKeysPage.self, from: Data($0)) }
            guard pages.last?.nextPage == nil else { throw WireError(.truncated) }
            let statements = try pages.flatMap(\.statements).map { entry in
                try SignatureList(decoding: Base64URL.decode(entry.statement))
            }
            let expected = try fingerprint.map { try Hex.decode($0, limit: 2 * FieldSize.hash) }
            try self.init(statements: statements, fingerprint: expected)
        } catch {
            throw ReceiptError(.platformKeys, underlying: error)
        }
    }
}

/// The JSON members that are read.
private struct PlatformKeysPage: Decodable {
    struct Entry: Decodable {
        /// The list of signatures in base64url without padding.
        let statement: String
    }

    let statements: [Entry]
    let nextPage: Int?
}
