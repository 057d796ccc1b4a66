internal import CHashBlocks
internal import Primitives

/// What somebody typed, read without a branch on its digits.
@usableFromInline
struct Candidate {
    /// The number, or one that no code has when the text is not that many digits.
    @usableFromInline let value: UInt64

    // Inlinable because it is generic: a call through the witnesses of `StringProtocol` costs as much as five codes.
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
            // The length is no secret. The search that follows is done all the same.
            isWrong = -1
        }
        self.value = value | UInt64(bitPattern: Int64(isWrong >> (Int.bitWidth - 1)))
    }

    /// All ones when the candidate is this code.
    func mask(_ code: UInt32) -> UInt64 {
        hash_blocks_mask(value, UInt64(code))
    }
}

/// What somebody sent for a code that is a whole HMAC in hexadecimal.
struct HexCandidate {
    private let bytes: [UInt8]

    init(_ text: some StringProtocol, byteCount: Int) {
        let decoded = (try? Hex.decode(text, limit: 2 * byteCount)) ?? []
        bytes = decoded.count == byteCount ? decoded : []
    }

    /// All ones when the candidate is this HMAC.
    func mask(_ authenticationCode: [UInt8]) -> UInt64 {
        guard bytes.count == authenticationCode.count else { return 0 }
        var difference: UInt8 = 0
        for index in bytes.indices { difference |= bytes[index] ^ authenticationCode[index] }
        return ConstantTime.mask(UInt64(difference), equals: 0)
    }
}
