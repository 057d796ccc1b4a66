/// Base64 with the alphabet for URLs and file names (RFC 4648 section 5), without padding.
///
/// A group is twelve bytes or sixteen characters; the last group of a text may be shorter. `Base64URL+Group.swift`
/// converts a whole group at once.
package enum Base64URL {
    /// Returns the Base64URL form of bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        ASCII.text(count: count(of: bytes.span)) { encode(bytes.span, into: &$0) }
    }

    /// Returns the Base64URL form of a secret. No other copy of it is made.
    package static func encode(_ secret: borrowing SecretBytes) -> SecretBytes {
        secret.withBytes { bytes in
            SecretBytes(count: count(of: bytes)) { text in
                unsafe text.withUnsafeMutableBufferPointer { buffer in
                    var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
                    encode(bytes, into: &output)
                    _ = unsafe output.finalize(for: buffer)
                }
            }
        }
    }

    /// Returns the number of characters.
    private static func count(of bytes: Span<UInt8>) -> Int { (bytes.count * 4 + 2) / 3 }

    private static func encode(_ bytes: Span<UInt8>, into text: inout OutputSpan<UInt8>) {
        var start = text.appendGroups(of: bytes)
        while start < bytes.count {
            let count = min(bytes.count - start, 12)
            text.append(characters(of: sextets(bytes, at: start, count: count)), count: (count * 4 + 2) / 3)
            start += count
        }
    }

    /// Returns the bytes of a text.
    ///
    /// - Parameters:
    ///   - text: Characters of the alphabet, without padding and line breaks.
    ///   - limit: The maximum number of characters.
    /// - Throws: ``TextDecodingError`` with `.invalidCharacter`, `.invalidLength`, `.nonCanonical`, `.tooLong`.
    package static func decode(
        _ text: some StringProtocol, limit: Int = ASCII.defaultLimit
    ) throws(TextDecodingError) -> [UInt8] {
        let characters = try ASCII.bytes(String(text), limit: limit)
        var bytes = [UInt8](repeating: 0, count: characters.count / 4 * 3 + characters.count % 4 * 3 / 4)
        var output = bytes.mutableSpan
        try decode(characters.span, into: &output)
        return bytes
    }

    private static func decode(
        _ text: Span<UInt8>, into bytes: inout MutableSpan<UInt8>
    ) throws(TextDecodingError) {
        var start = 0
        while start < text.count {
            let count = min(text.count - start, 16)
            let values = values(of: count < 16 ? partialGroup(text, at: start) : group(text, at: start))
            guard areValid(values) else {
                for lane in 0..<count where values[lane] < 0 {
                    throw TextDecodingError(.invalidCharacter, at: start + lane)
                }
                break
            }
            bytes.store(octets(values), at: start / 4 * 3, count: min(count * 3 / 4, bytes.count - start / 4 * 3))
            start += count
        }
        guard text.count % 4 != 1 else { throw TextDecodingError(.invalidLength, at: text.count) }
        try checkLastBits(text)
    }

    /// Refuses a text whose last character has nonzero bits after the last byte.
    private static func checkLastBits(_ text: Span<UInt8>) throws(TextDecodingError) {
        let spare: Int8 = [0, 0, 15, 3][text.count % 4]
        guard spare > 0, text.count > 0 else { return }
        let last = values(of: Lanes(repeating: Int8(truncatingIfNeeded: text[text.count - 1])))[0]
        guard last & spare == 0 else { throw TextDecodingError(.nonCanonical, at: text.count - 1) }
    }
}
