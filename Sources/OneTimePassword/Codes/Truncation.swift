internal import Primitives

/// Dynamic truncation (RFC 4226 section 5.3), without a branch, an address or a division that depends on the HMAC.
enum Truncation {
    /// The number that a code of some digits shows.
    ///
    /// - Parameters:
    ///   - authenticationCode: at least 20 bytes.
    ///   - digits: 4 to 10. With 10 the number is below 2³¹ all the same, so that the first digit is 0, 1 or 2.
    static func value(_ authenticationCode: [UInt8], digits: Int) -> UInt64 {
        let offset = UInt32(authenticationCode[authenticationCode.count - 1] & 0xF)
        var selected: UInt32 = 0
        // Reads all sixteen places and keeps one: an index made from the HMAC would show in the cache.
        for place in 0..<16 {
            var word: UInt32 = 0
            for byte in 0..<4 { word = word << 8 | UInt32(authenticationCode[place + byte]) }
            selected |= word & ConstantTime.mask(UInt32(place), equals: offset)
        }
        return remainder(UInt64(selected & 0x7FFF_FFFF), powerOfTen: digits)
    }

    /// A 31-bit number modulo a power of ten from 10⁴ on. The processor's own division takes time by its operands.
    private static func remainder(_ value: UInt64, powerOfTen: Int) -> UInt64 {
        var modulus: UInt64 = 1
        for _ in 0..<powerOfTen { modulus *= 10 }
        var rest = value
        for shift in stride(from: 18 as UInt64, through: 0, by: -1) {
            let difference = rest &- (modulus << shift)
            let isNegative = 0 &- (difference >> 63)
            rest = (rest & isNegative) | (difference & ~isNegative)
        }
        return rest
    }
}
