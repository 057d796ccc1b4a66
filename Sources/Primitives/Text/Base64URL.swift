/// Base64 with the alphabet that is safe in URLs and file names (RFC 4648 section 5), without padding.
package enum Base64URL {
    /// The Base64URL form.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var buffer = 0
        var bits = 0
        for byte in bytes {
            buffer = (buffer << 8 | Int(byte)) & 0x3FFF
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(character(buffer >> bits & 63))
            }
        }
        if bits > 0 { text.append(character(buffer << (6 - bits) & 63)) }
        return ASCII.text(text)
    }

    /// The bytes that a text stands for.
    ///
    /// - Parameters:
    ///   - text: characters of the alphabet only: no padding, no line breaks.
    ///   - limit: the largest number of characters.
    /// - Throws: `.invalidCharacter`, `.invalidLength`, `.nonCanonical`, `.tooLong`.
    package static func decode(
        _ text: some StringProtocol, limit: Int = ASCII.defaultLimit
    ) throws(TextDecodingError) -> [UInt8] {
        let characters = try ASCII.bytes(text, limit: limit)
        for index in characters.indices where value(characters[index]) < 0 {
            throw TextDecodingError(.invalidCharacter, at: index)
        }
        guard characters.count % 4 != 1 else { throw TextDecodingError(.invalidLength, at: characters.count) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count * 3 / 4)
        var buffer = 0
        var bits = 0
        for character in characters {
            buffer = (buffer << 6 | value(character)) & 0x3FFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
        }
        guard buffer & ((1 << bits) - 1) == 0 else {
            throw TextDecodingError(.nonCanonical, at: characters.count - 1)
        }
        return bytes
    }

    private static func character(_ value: Int) -> UInt8 {
        UInt8(
            (ASCII.mask(value, 0, 25) & (value + 65)) | (ASCII.mask(value, 26, 51) & (value + 71))
                | (ASCII.mask(value, 52, 61) & (value - 4)) | (ASCII.mask(value, 62, 62) & 45)
                | (ASCII.mask(value, 63, 63) & 95))
    }

    /// The value of a character, or -1.
    private static func value(_ character: UInt8) -> Int {
        let code = Int(character)
        return (ASCII.mask(code, 65, 90) & (code - 65 + 1))
            + (ASCII.mask(code, 97, 122) & (code - 97 + 27))
            + (ASCII.mask(code, 48, 57) & (code - 48 + 53))
            + (ASCII.mask(code, 45, 45) & 63)
            + (ASCII.mask(code, 95, 95) & 64) - 1
    }
}
