internal import CHashBlocks
internal import Primitives

/// A code that was typed, as a number. Reading it has no branch that depends on a digit.
@usableFromInline
struct Candidate {
    /// The number, or a number that no code has when the text does not have the right number of digits.
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
            // The length is not secret. The search follows nevertheless.
            isWrong = -1
        }
        self.value = value | UInt64(bitPattern: Int64(isWrong >> (Int.bitWidth - 1)))
    }

    /// Returns all ones when the candidate is a code, and otherwise zero.
    func mask(_ code: UInt32) -> UInt64 {
        hash_blocks_mask(value, UInt64(code))
    }
}

/// A code that was sent in hexadecimal, for a suite with the whole HMAC as the code.
struct HexCandidate {
    private let bytes: [UInt8]

    init(_ text: some StringProtocol, byteCount: Int) {
        let decoded = (try? Hex.decode(text, limit: 2 * byteCount)) ?? []
        bytes = decoded.count == byteCount ? decoded : []
    }

    /// Returns all ones when the candidate is an HMAC, and otherwise zero.
    func mask(_ authenticationCode: [UInt8]) -> UInt64 {
        guard bytes.count == authenticationCode.count else { return 0 }
        var difference: UInt8 = 0
        for index in bytes.indices { difference |= bytes[index] ^ authenticationCode[index] }
        return ConstantTime.mask(UInt64(difference), equals: 0)
    }
}

/// The search for the first place of a window that matches, in a time that does not depend on where it is or whether
/// there is one.
///
/// The caller visits every place of the window, also after a match. No branch depends on a match before the end.
struct WindowSearch {
    private var found: UInt64 = 0
    private var place: UInt64 = 0

    /// Visits a place.
    ///
    /// - Parameters:
    ///   - place: the counter or time step.
    ///   - match: all ones when the code at this place is the candidate, and otherwise zero.
    ///   - isEligible: whether the place is valid. This is not secret.
    mutating func visit(_ place: UInt64, match: UInt64, isEligible: Bool = true) {
        let eligible: UInt64 = isEligible ? .max : 0
        let first = match & eligible & ~found
        self.place |= place & first
        found |= first
    }

    /// The first place that matched.
    var match: UInt64? { found == 0 ? nil : place }
}
