internal import Crypto
package import Primitives

/// The data of a seal, as both sides use it: its SHA-256, and the name or the text that the user sees.
///
/// Both sides check and normalize names and texts with this type, to seal and verify the same bytes. Neither printing
/// nor reflection shows them.
package struct SealContent: Sendable, Hashable, Redacted {
    /// The maximum number of bytes of the data: 64 MiB.
    package static let maximumBytes = 64 << 20

    /// The maximum number of bytes of a name, in UTF-8.
    package static let maximumNameBytes = 255

    /// The maximum number of bytes of a text that the user sees, in UTF-8. Longer data has a name.
    package static let maximumTextBytes = 4_096

    /// The name of the data, in normalization form C; `nil` for data without one.
    package let name: String?

    /// The SHA-256 of the data, 32 bytes. The data of a text is its UTF-8 in normalization form C.
    package let digest: [UInt8]

    /// The text that is sealed, in normalization form C; `nil` for other data, and if only the digest is known.
    package let text: String?

    /// Creates the content of a seal over a text.
    ///
    /// - Throws: ``SealFault``.
    package init(text: String) throws(SealFault) {
        let normal = try Self.normalized(text, limit: Self.maximumTextBytes, else: .textTooLong)
        name = nil
        self.text = normal
        digest = SHA256.hash(data: Array(normal.utf8)).withSpan { [UInt8]($0) }
    }

    /// Creates the content of a seal over data.
    ///
    /// - Parameters:
    ///   - name: The name, for example of a file; `nil` for none.
    ///   - digest: The SHA-256 of the data, 32 bytes.
    /// - Throws: ``SealFault``.
    package init(name: String?, digest: [UInt8]) throws(SealFault) {
        guard digest.count == SHA256.byteCount else { throw .digest }
        var normal: String?
        if let name { normal = try Self.normalized(name, limit: Self.maximumNameBytes, else: .nameTooLong) }
        self.name = normal
        self.digest = digest
        text = nil
    }

    /// The digest as 64 hexadecimal digits in lower case.
    package var hexDigest: String { Hex.encode(digest) }

    /// The fields of the question: the name, if there is one, and the digest in hexadecimal. The digest has more
    /// characters than a transaction field, which means that the host codes of a seal and a signature differ.
    package var signedFields: [DataField] { [name, hexDigest].compactMap { $0.map { DataField(value: $0) } } }

    /// The fields that the user sees: the text, or the name and the digest in hexadecimal.
    package var shownFields: [DataField] { text.map { [DataField(value: $0)] } ?? signedFields }

    private static func normalized(
        _ text: String, limit: Int, else tooLong: SealFault
    ) throws(SealFault) -> String {
        guard DisplayText.isSeen(text) else { throw .empty }
        // Normalization may shorten a text to a third, and its work grows with the length.
        guard text.utf8.count <= 4 * limit else { throw tooLong }
        let normal = NormalizationFormC.of(text)
        guard normal.utf8.count <= limit else { throw tooLong }
        guard DisplayText.hasAllowedCharacters(normal) else { throw .character }
        return normal
    }
}

/// The rule that the content of a seal breaks.
package enum SealFault: Error, Sendable, Hashable, CaseIterable {
    /// A name or a text is empty, or shows nothing.
    case empty
    /// A name has more than ``SealContent/maximumNameBytes`` bytes.
    case nameTooLong
    /// A text has more than ``SealContent/maximumTextBytes`` bytes.
    case textTooLong
    /// A name or a text contains a character that is not allowed.
    case character
    /// A digest does not have 32 bytes.
    case digest

    /// The fault in words, without the name or text.
    package var message: String {
        switch self {
        case .empty: "is empty, or shows nothing"
        case .nameTooLong: "is longer than \(SealContent.maximumNameBytes) bytes"
        case .textTooLong: "is longer than \(SealContent.maximumTextBytes) bytes"
        case .character: "has a character that is not allowed"
        case .digest: "is not a SHA-256 in 64 hexadecimal digits"
        }
    }
}
