package import Primitives

extension OneTimePasswordKey {
    /// How the text of a key is written.
    package enum TextFormat: String, Sendable, CaseIterable {
        /// Hexadecimal where the text can be that, else Base32. Of the seeds of 80 bits and more that services hand
        /// out in Base32, fewer than one in a million can be read as hexadecimal.
        case automatic = "auto"
        /// Hexadecimal, in either case.
        case hexadecimal = "hex"
        /// Base32, in either case, with padding or without.
        case base32
    }

    /// Makes a key from what a user types or pastes. Spaces between groups of characters do not count.
    ///
    /// - Throws: `invalidKey`, with the decoding error underneath.
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
