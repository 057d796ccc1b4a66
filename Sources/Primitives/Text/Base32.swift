/// Base32 (RFC 4648 section 6) with the alphabet A–Z and 2–7. Seeds of one-time passwords use this form.
///
/// Decoding is strict: bytes have one text with padding and one without. Letters are upper case unless the caller
/// allows both cases; spaces, similar characters, incomplete padding and bits after the last byte are refused.
package enum Base32 {
    /// Returns the Base32 form of bytes.
    ///
    /// - Parameters:
    ///   - bytes: Any number of bytes.
    ///   - padded: Whether `=` fills the last group of eight characters.
    package static func encode(_ bytes: [UInt8], padded: Bool = false) -> String {
        ASCII.text(count: (bytes.count + 4) / 5 * 8) { text in
            var buffer = 0
            var bits = 0
            for byte in bytes {
                buffer = (buffer << 8 | Int(byte)) & 0xFFF
                bits += 8
                while bits >= 5 {
                    bits -= 5
                    text.append(character(buffer >> bits & 31))
                }
            }
            if bits > 0 { text.append(character(buffer << (5 - bits) & 31)) }
            if padded {
                while !text.count.isMultiple(of: 8) { text.append(UInt8(ascii: "=")) }
            }
        }
    }

    /// Returns the bytes of a text.
    ///
    /// - Parameters:
    ///   - text: Characters of the alphabet, with the complete padding or without padding.
    ///   - anyCase: Whether lower case is also accepted. Apps that import seeds need it.
    ///   - limit: The maximum number of characters.
    /// - Throws: ``TextDecodingError`` with `.invalidCharacter`, `.invalidLength`, `.invalidPadding`, `.nonCanonical`,
    ///   `.tooLong`.
    package static func decode(
        _ text: some StringProtocol, anyCase: Bool = false, limit: Int = ASCII.defaultLimit
    ) throws(TextDecodingError) -> [UInt8] {
        let characters = try ASCII.bytes(String(text), limit: limit)
        let length = try length(characters.span, anyCase: anyCase)
        var bytes = [UInt8](repeating: 0, count: length * 5 / 8)
        var output = bytes.mutableSpan
        try decode(characters.span, length, into: &output)
        return bytes
    }

    /// Returns the secret of a secret text. No other copy of it is made.
    package static func decode(
        _ text: borrowing SecretBytes, anyCase: Bool = false
    ) throws(TextDecodingError) -> SecretBytes {
        try text.withBytes { (characters) throws(TextDecodingError) in
            let length = try length(characters, anyCase: anyCase)
            return try SecretBytes(count: length * 5 / 8) { (output) throws(TextDecodingError) in
                try decode(characters, length, into: &output)
            }
        }
    }

    /// Checks all characters and the padding, and returns the number of characters before the padding.
    private static func length(_ characters: Span<UInt8>, anyCase: Bool) throws(TextDecodingError) -> Int {
        var length = 0
        while length < characters.count, characters[length] != UInt8(ascii: "=") {
            let isLower = ASCII.mask(Int(characters[length]), 97, 122) != 0
            if value(characters[length]) < 0 || (isLower && !anyCase) {
                throw TextDecodingError(.invalidCharacter, at: length)
            }
            length += 1
        }
        for index in length..<characters.count where characters[index] != UInt8(ascii: "=") {
            throw TextDecodingError(.invalidPadding, at: index)
        }
        // With 1, 3 or 6 characters in the last group, the last character completes no byte.
        guard ![1, 3, 6].contains(length % 8) else { throw TextDecodingError(.invalidLength, at: length) }
        guard characters.count == length || characters.count == (length + 7) / 8 * 8 else {
            throw TextDecodingError(.invalidPadding, at: length)
        }
        return length
    }

    private static func decode(
        _ characters: Span<UInt8>, _ length: Int, into output: inout MutableSpan<UInt8>
    ) throws(TextDecodingError) {
        var buffer = 0
        var bits = 0
        var next = 0
        for index in 0..<length {
            buffer = (buffer << 5 | value(characters[index])) & 0xFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                output[next] = UInt8(truncatingIfNeeded: buffer >> bits)
                next += 1
            }
        }
        guard buffer & ((1 << bits) - 1) == 0 else { throw TextDecodingError(.nonCanonical, at: length - 1) }
    }

    private static func character(_ value: Int) -> UInt8 {
        UInt8(65 + value - (ASCII.mask(value, 26, 31) & 41))
    }

    /// Returns the value of a character, or -1 for a character that is not part of the alphabet.
    private static func value(_ character: UInt8) -> Int {
        let code = Int(character)
        return (ASCII.mask(code, 65, 90) & (code - 65 + 1))
            + (ASCII.mask(code, 97, 122) & (code - 97 + 1))
            + (ASCII.mask(code, 50, 55) & (code - 50 + 27)) - 1
    }
}
