/// Base45 (RFC 9285), which encodes two bytes as three characters of the alphanumeric alphabet of QR codes.
///
/// It looks characters up in tables and divides, and is therefore not for secrets.
package enum Base45 {
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    /// The value of each of the 128 ASCII characters, or 255.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 128)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// Returns the Base45 form of bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        let alphabet = alphabet
        return ASCII.text(count: (bytes.count * 3 + 1) / 2) { text in
            for start in stride(from: 0, to: bytes.count - 1, by: 2) {
                let value = Int(bytes[start]) << 8 | Int(bytes[start + 1])
                text.append(alphabet[value % 45])
                text.append(alphabet[value / 45 % 45])
                text.append(alphabet[value / 2025])
            }
            if !bytes.count.isMultiple(of: 2), let last = bytes.last {
                text.append(alphabet[Int(last) % 45])
                text.append(alphabet[Int(last) / 45])
            }
        }
    }

    /// Returns the bytes of a text.
    ///
    /// - Parameters:
    ///   - text: Characters of the alphabet, upper case only.
    ///   - limit: The maximum number of characters.
    /// - Throws: ``TextDecodingError`` with `.invalidCharacter`, `.invalidLength`, `.outOfRange`, `.tooLong`.
    package static func decode(
        _ text: some StringProtocol, limit: Int = ASCII.defaultLimit
    ) throws(TextDecodingError) -> [UInt8] {
        let values = values
        let characters = try ASCII.bytes(String(text), limit: limit)
        for (index, character) in characters.enumerated() where character > 127 || values[Int(character)] == 255 {
            throw TextDecodingError(.invalidCharacter, at: index)
        }
        guard characters.count % 3 != 1 else { throw TextDecodingError(.invalidLength, at: characters.count) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count * 2 / 3 + 1)
        for start in stride(from: 0, to: characters.count, by: 3) {
            var value = Int(values[Int(characters[start])]) + Int(values[Int(characters[start + 1])]) * 45
            let isPair = start + 2 == characters.count
            if !isPair { value += Int(values[Int(characters[start + 2])]) * 2025 }
            guard value <= (isPair ? 0xFF : 0xFFFF) else { throw TextDecodingError(.outOfRange, at: start) }
            if !isPair { bytes.append(UInt8(value >> 8)) }
            bytes.append(UInt8(value & 0xFF))
        }
        return bytes
    }
}
