/// The draft's injective concatenation: each string goes behind its length (draft-irtf-cfrg-cpace-20 appendix A.1).
package enum LengthValue {
    /// A length as unsigned LEB128: seven bits a byte, least significant first, the high bit set on all but the last.
    package static func prefix(_ count: Int) -> [UInt8] {
        var remaining = UInt(count)
        var bytes: [UInt8] = []
        while remaining >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: remaining) | 0x80)
            remaining >>= 7
        }
        bytes.append(UInt8(remaining))
        return bytes
    }

    /// `lv_cat`: the strings in order, each behind its length.
    package static func concatenate(_ strings: [UInt8]...) -> [UInt8] {
        var bytes: [UInt8] = []
        for string in strings {
            bytes += prefix(string.count)
            bytes += string
        }
        return bytes
    }
}
