package import Primitives

extension [UInt8] {
    /// Creates bytes from a hexadecimal literal. White space is ignored, and a literal that is not hexadecimal gives
    /// other bytes than the test expects.
    package init(hex: String) {
        let digits = hex.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// The bytes in lowercase hexadecimal.
    package var hex: String { Hex.encode(self) }

    /// All byte strings that differ from this one in one bit.
    package var bitFlips: some Sequence<[UInt8]> {
        (0..<count * 8).lazy.map { bit in
            var flipped = self
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            return flipped
        }
    }

    /// All proper prefixes of this byte string, the empty one included.
    package var truncations: some Sequence<[UInt8]> {
        (0..<count).lazy.map { [UInt8](self[..<$0]) }
    }
}

extension SecretBytes {
    /// A copy of the secret, for comparisons in tests.
    package var revealed: [UInt8] { withBytes { span in span.indices.map { span[$0] } } }
}
