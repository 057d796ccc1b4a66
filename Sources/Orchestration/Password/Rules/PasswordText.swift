/// The form of an entered text. It is checked in place, because a `String` of a secret cannot be wiped.
enum PasswordText {
    /// Returns whether the bytes are UTF-8 without control characters.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - characters: Receives the number of Unicode scalars.
    ///   - onlyDigits: Receives whether all of them are ASCII digits.
    static func isValid(_ bytes: Span<UInt8>, counting characters: inout Int, onlyDigits: inout Bool) -> Bool {
        (characters, onlyDigits) = (0, true)
        var index = 0
        while index < bytes.count {
            guard let (scalar, length) = scalar(bytes, at: index) else { return false }
            if scalar < 0x20 || (0x7F..<0xA0).contains(scalar) { return false }
            if !(0x30...0x39).contains(scalar) { onlyDigits = false }
            characters += 1
            index += length
        }
        return true
    }

    /// Returns the scalar at an index and the number of its bytes (RFC 3629, section 3); `nil` when there is none.
    private static func scalar(_ bytes: Span<UInt8>, at index: Int) -> (UInt32, Int)? {
        let first = UInt32(bytes[index])
        let (length, leading, least): (Int, UInt32, UInt32)
        switch first {
        case 0x00...0x7F: return (first, 1)
        case 0xC2...0xDF: (length, leading, least) = (2, first & 0x1F, 0x80)
        case 0xE0...0xEF: (length, leading, least) = (3, first & 0x0F, 0x800)
        case 0xF0...0xF4: (length, leading, least) = (4, first & 0x07, 0x10000)
        default: return nil
        }
        guard bytes.count - index >= length else { return nil }
        var scalar = leading
        for offset in 1..<length {
            let next = UInt32(bytes[index + offset])
            guard next & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | next & 0x3F
        }
        guard scalar >= least, scalar <= 0x10FFFF, !(0xD800...0xDFFF).contains(scalar) else { return nil }
        return (scalar, length)
    }
}
