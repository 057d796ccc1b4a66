internal import CHashBlocks
internal import Primitives

/// A code that was typed, as a number. Reading it has no branch that depends on a digit.
@usableFromInline
struct TypedCode {
    /// The number, or a number that is never a code if the text does not have the correct number of digits.
    @usableFromInline let value: UInt64

    // Inlinable because it is generic: a call through the witnesses of `StringProtocol` takes as long as five codes.
    @inlinable
    init(_ text: some StringProtocol, digits: Int) {
        var value: UInt64 = 0
        var isWrong = 0
        let count = text.utf8.count
        if count == digits {
            for byte in text.utf8 {
                let digit = Int(byte) - 48
                isWrong |= digit | (9 - digit)
                value = value &* 10 &+ UInt64(truncatingIfNeeded: digit)
            }
        } else {
            // The length is not secret. The search is still performed.
            isWrong = -1
        }
        self.value = value | UInt64(bitPattern: Int64(isWrong >> (Int.bitWidth - 1)))
    }

    /// Returns all ones when the typed code is this code, and otherwise zero.
    func mask(_ code: UInt32) -> UInt64 {
        hash_blocks_mask(value, UInt64(code))
    }
}

/// A code that was sent in hexadecimal, for a suite with the whole HMAC as the code.
struct TypedHexCode {
    private let bytes: [UInt8]

    init(_ text: some StringProtocol, byteCount: Int) {
        let decoded = (try? Hex.decode(text, limit: 2 * byteCount)) ?? []
        bytes = decoded.count == byteCount ? decoded : []
    }

    /// Returns all ones when the typed code is this HMAC, and otherwise zero.
    func mask(_ authenticationCode: [UInt8]) -> UInt64 {
        guard bytes.count == authenticationCode.count else { return 0 }
        var difference: UInt8 = 0
        for index in bytes.indices { difference |= bytes[index] ^ authenticationCode[index] }
        return ConstantTime.mask(UInt64(difference), equals: 0)
    }
}
