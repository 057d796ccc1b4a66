extension ActivationPassword {
    /// The number of characters without hyphens.
    package static let length = 12
    static let secretLength = 8

    /// Crockford's alphabet, which omits I, L, O and U.
    static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// Returns the number of a character, or `nil` for a character that is not part of the alphabet.
    static func symbol(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "i"), UInt8(ascii: "I"), UInt8(ascii: "l"), UInt8(ascii: "L"): return 1
        case UInt8(ascii: "o"), UInt8(ascii: "O"): return 0
        default:
            let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character)
            return alphabet.firstIndex(of: isLower ? character & 0xDF : character).map { UInt8($0) }
        }
    }

    /// Reads typed characters into twelve symbols and skips spaces and hyphens.
    static func read(
        _ typed: Span<UInt8>, into symbols: inout MutableSpan<UInt8>
    ) throws(ActivationPasswordError) {
        // Bounds the work for a text that cannot be valid.
        guard typed.count <= 64 else { throw ActivationPasswordError(.wrongLength) }
        var count = 0
        for index in typed.indices {
            let character = typed[index]
            if character == UInt8(ascii: " ") || character == UInt8(ascii: "-") { continue }
            guard let symbol = symbol(character) else {
                throw ActivationPasswordError(.invalidCharacter, position: index + 1)
            }
            if count < length { symbols[count] = symbol }
            count += 1
        }
        guard count == length else { throw ActivationPasswordError(.wrongLength) }
    }

    static func handle(in symbols: Span<UInt8>) -> UInt16 {
        UInt16(symbols[0]) << 10 | UInt16(symbols[1]) << 5 | UInt16(symbols[2])
    }

    /// Returns the three characters of a handle.
    ///
    /// - Parameter handle: A number below 2^15.
    package static func text(ofHandle handle: UInt16) -> String {
        let symbols = [10, 5, 0].map { alphabet[Int(handle >> UInt16($0)) & 31] }
        return String(decoding: symbols, as: UTF8.self)
    }

    /// Returns the handle that three characters of the alphabet encode; `nil` for another text.
    package static func handle(ofText text: String) -> UInt16? {
        let symbols = text.utf8.compactMap { alphabet.firstIndex(of: $0) }
        guard text.utf8.count == 3, symbols.count == 3 else { return nil }
        return symbols.reduce(0) { $0 << 5 | UInt16($1) }
    }

    static func secret(in symbols: borrowing SecretBytes) -> SecretBytes {
        symbols.withBytes { span in
            SecretBytes(count: secretLength) { secret in
                for index in 0..<secretLength { secret[index] = alphabet[Int(span[index + 3])] }
            }
        }
    }

    /// Returns the check symbol over the first eleven symbols.
    ///
    /// The symbols are elements of the field with 32 elements (x⁵ = x² + 1). The check symbol is their sum with the
    /// weights x¹¹ … x¹; its own weight is x⁰. All weights are different and nonzero, which means that the check finds
    /// every single wrong symbol and every swap of two symbols. A weighted sum modulo 32 would not: it finds all wrong
    /// symbols only with odd weights, and all swaps of neighbors only with odd differences of weights.
    static func checkSymbol(over symbols: Span<UInt8>) -> UInt8 {
        var sum: UInt8 = 0
        for index in 0..<length - 1 { sum = timesX(sum ^ symbols[index]) }
        return sum
    }

    private static func timesX(_ element: UInt8) -> UInt8 {
        let shifted = element << 1
        // x⁵ + x² + 1 = 0b100101. The mask is all ones when bit 4 was shifted out of the five bits.
        return (shifted ^ (0b100101 & (0 &- (element >> 4 & 1)))) & 31
    }
}
