/// Hexadecimal (RFC 4648 section 8), with two digits per byte. Encoding writes lower case; decoding accepts both.
package enum Hex {
    /// Returns the hexadecimal form of bytes in lower case.
    package static func encode(_ bytes: [UInt8]) -> String {
        ASCII.text(count: bytes.count * 2) { text in
            for byte in bytes {
                text.append(digit(Int(byte >> 4)))
                text.append(digit(Int(byte & 15)))
            }
        }
    }

    /// Returns the bytes of a text.
    ///
    /// - Parameters:
    ///   - text: An even number of digits, without prefix and spaces.
    ///   - limit: The maximum number of characters.
    /// - Throws: ``TextDecodingError`` with `.invalidCharacter`, `.invalidLength`, `.tooLong`.
    package static func decode(
        _ text: some StringProtocol, limit: Int = ASCII.defaultLimit
    ) throws(TextDecodingError) -> [UInt8] {
        let characters = try ASCII.bytes(String(text), limit: limit)
        var bytes = [UInt8](repeating: 0, count: try count(characters.span))
        var output = bytes.mutableSpan
        try decode(characters.span, into: &output)
        return bytes
    }

    /// Returns the secret of a secret text. No other copy of it is made.
    package static func decode(_ text: borrowing SecretBytes) throws(TextDecodingError) -> SecretBytes {
        try text.withBytes { (characters) throws(TextDecodingError) in
            try SecretBytes(count: try count(characters)) { (output) throws(TextDecodingError) in
                try decode(characters, into: &output)
            }
        }
    }

    private static func count(_ characters: Span<UInt8>) throws(TextDecodingError) -> Int {
        // This check precedes the number of digits: for a prefix or a space, the character's position is the better
        // message.
        for index in characters.indices where value(characters[index]) < 0 {
            throw TextDecodingError(.invalidCharacter, at: index)
        }
        guard characters.count.isMultiple(of: 2) else {
            throw TextDecodingError(.invalidLength, at: characters.count)
        }
        return characters.count / 2
    }

    private static func decode(
        _ characters: Span<UInt8>, into output: inout MutableSpan<UInt8>
    ) throws(TextDecodingError) {
        for index in output.indices {
            output[index] = UInt8(value(characters[2 * index]) << 4 | value(characters[2 * index + 1]))
        }
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(48 + value + (ASCII.mask(value, 10, 15) & 39))
    }

    /// Returns the value of a digit, or -1 for another character.
    private static func value(_ character: UInt8) -> Int {
        let code = Int(character)
        return (ASCII.mask(code, 48, 57) & (code - 48 + 1))
            + (ASCII.mask(code, 65, 70) & (code - 65 + 11))
            + (ASCII.mask(code, 97, 102) & (code - 97 + 11)) - 1
    }
}
