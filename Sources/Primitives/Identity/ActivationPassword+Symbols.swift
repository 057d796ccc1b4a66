extension ActivationPassword {
    static let length = 12
    static let secretLength = 8

    /// Crockford's alphabet: no I, L, O and U.
    static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// The number of a character, or nil when it is none of the alphabet.
    static func symbol(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "i"), UInt8(ascii: "I"), UInt8(ascii: "l"), UInt8(ascii: "L"): return 1
        case UInt8(ascii: "o"), UInt8(ascii: "O"): return 0
        default:
            let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character)
            return alphabet.firstIndex(of: isLower ? character & 0xDF : character).map { UInt8($0) }
        }
    }

    /// Reads typed characters into twelve symbols; spaces and hyphens are left out.
    static func read(
        _ typed: Span<UInt8>, into symbols: inout MutableSpan<UInt8>
    ) throws(ActivationPasswordError) {
        // What a person pastes is short; anything longer is not looked at.
        guard typed.count <= 64 else { throw .wrongLength }
        var count = 0
        for index in typed.indices {
            let character = typed[index]
            if character == UInt8(ascii: " ") || character == UInt8(ascii: "-") { continue }
            guard let symbol = symbol(character) else { throw .invalidCharacter(position: index + 1) }
            if count < length { symbols[count] = symbol }
            count += 1
        }
        guard count == length else { throw .wrongLength }
    }

    static func handle(in symbols: Span<UInt8>) -> UInt16 {
        UInt16(symbols[0]) << 10 | UInt16(symbols[1]) << 5 | UInt16(symbols[2])
    }

    static func secret(in symbols: borrowing SecretBytes) -> SecretBytes {
        symbols.withBytes { span in
            SecretBytes(count: secretLength) { secret in
                for index in 0..<secretLength { secret[index] = alphabet[Int(span[index + 3])] }
            }
        }
    }

    /// The check symbol over the first eleven.
    ///
    /// The symbols are elements of the field of 32 (x⁵ = x² + 1); the check is their sum with the weights x¹¹ … x¹, its
    /// own weight being x⁰. All weights are different and none is zero, so every single wrong symbol and every swap of
    /// two symbols, neighbours or not, is caught. (A weighted sum modulo 32 cannot do that: the weights would have to be
    /// odd and the difference of two neighbours odd, too.)
    static func checkSymbol(over symbols: Span<UInt8>) -> UInt8 {
        var sum: UInt8 = 0
        for index in 0..<length - 1 { sum = timesX(sum ^ symbols[index]) }
        return sum
    }

    private static func timesX(_ element: UInt8) -> UInt8 {
        let shifted = element << 1
        // x⁵ + x² + 1 = 0b100101; the mask is all ones when bit 4 left the five.
        return (shifted ^ (0b100101 & (0 &- (element >> 4 & 1)))) & 31
    }
}
