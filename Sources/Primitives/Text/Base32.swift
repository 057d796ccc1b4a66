/// Base32 (RFC 4648 section 6): the alphabet A–Z, 2–7, in which the seeds of one-time passwords are written.
///
/// Decoding is strict: upper case unless the caller allows both, no spaces, no characters that look alike, padding
/// that is complete or absent, and no bits after the last byte, so that bytes have one text (two with padding).
package enum Base32 {
    /// The Base32 form.
    ///
    /// - Parameters:
    ///   - bytes: any number of bytes.
    ///   - padded: whether `=` fills the last group of eight characters.
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

    /// The bytes that a text stands for.
    ///
    /// - Parameters:
    ///   - text: with the right padding or none.
    ///   - anyCase: whether lower case is read too, as apps that import seeds have to.
    ///   - limit: the largest number of characters.
    /// - Throws: `.invalidCharacter`, `.invalidLength`, `.invalidPadding`, `.nonCanonical`, `.tooLong`.
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

    /// The secret that a secret text stands for. No copy of it is left behind.
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

    /// The number of characters before the padding, when all of them and the padding are right.
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
        // 1, 3 or 6 characters hold no whole number of bytes more than one character less does.
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

    /// The value of a character, or -1.
    private static func value(_ character: UInt8) -> Int {
        let code = Int(character)
        return (ASCII.mask(code, 65, 90) & (code - 65 + 1))
            + (ASCII.mask(code, 97, 122) & (code - 97 + 1))
            + (ASCII.mask(code, 50, 55) & (code - 50 + 27)) - 1
    }
}
