package import Primitives

extension OneTimePasswordKey {
    /// The form of the text of a seed.
    package enum TextFormat: String, Sendable, CaseIterable {
        /// Hexadecimal if the text can be hexadecimal, and otherwise Base32. Of the Base32 seeds of 80 bits or more,
        /// fewer than one in a million can be hexadecimal.
        case automatic = "auto"
        /// Hexadecimal in upper or lower case.
        case hexadecimal = "hex"
        /// Base32 in upper or lower case, with or without padding.
        case base32
    }

    /// Creates a key from text that a user typed or pasted. Spaces are ignored.
    ///
    /// - Throws: ``OneTimePasswordError/Code/invalidKey``, with the ``TextDecodingError`` as the underlying error.
    package init(
        text: borrowing SecretBytes, format: TextFormat = .automatic, algorithm: HashAlgorithm
    ) throws(OneTimePasswordError) {
        let characters = Self.withoutSpaces(text)
        var isHexadecimal = format == .hexadecimal
        if format == .automatic {
            isHexadecimal = characters.withBytes { span in
                span.count.isMultiple(of: 2)
                    && span.indices.allSatisfy { Character(UnicodeScalar(span[$0])).isHexDigit }
            }
        }
        try self.init(Self.decoded(characters, isHexadecimal), algorithm: algorithm)
    }

    private static func decoded(
        _ characters: borrowing SecretBytes, _ isHexadecimal: Bool
    ) throws(OneTimePasswordError) -> SecretBytes {
        do throws(TextDecodingError) {
            return try isHexadecimal ? Hex.decode(characters) : Base32.decode(characters, anyCase: true)
        } catch {
            throw isHexadecimal
                ? OneTimePasswordError(.invalidKey, "the key is not hexadecimal", blame: .user, underlying: error)
                : OneTimePasswordError(.invalidKey, "the key is not Base32", blame: .user, underlying: error)
        }
    }

    private static func withoutSpaces(_ text: borrowing SecretBytes) -> SecretBytes {
        text.withBytes { text in
            let places = text.indices.filter { text[$0] != UInt8(ascii: " ") }
            return SecretBytes(count: places.count) { (output: inout MutableSpan<UInt8>) in
                for (target, source) in places.enumerated() { output[target] = text[source] }
            }
        }
    }
}
