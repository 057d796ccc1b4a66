/// A slow model of the field of p = 2^255 - 19 and of the map, to check the fast one against.
///
/// It shares nothing with it: four limbs of 64 bits, always reduced, long multiplication, the Jacobi symbol by
/// reciprocity instead of a power, and no inversion, because it judges a result instead of computing one.
struct FieldModel: Equatable {
    var limbs: [UInt64]

    static let prime: [UInt64] = [0xFFFF_FFFF_FFFF_FFED, .max, .max, 0x7FFF_FFFF_FFFF_FFFF]
    static let zero = FieldModel(limbs: [0, 0, 0, 0])
    static let one = FieldModel(limbs: [1, 0, 0, 0])
    static let j = FieldModel(limbs: [486_662, 0, 0, 0])

    init(limbs: [UInt64]) { self.limbs = Self.reduced(limbs) }

    /// 32 bytes, least significant first; bit 255 is ignored.
    init(bytes: [UInt8]) {
        var limbs = (0..<4).map { limb in (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[limb * 8 + $1]) << ($1 * 8) } }
        limbs[3] &= 0x7FFF_FFFF_FFFF_FFFF
        self.init(limbs: limbs)
    }

    var bytes: [UInt8] { limbs.flatMap { limb in (0..<8).map { UInt8(truncatingIfNeeded: limb >> ($0 * 8)) } } }

    private static func isBelow(_ a: [UInt64], _ b: [UInt64]) -> Bool {
        for index in (0..<4).reversed() where a[index] != b[index] { return a[index] < b[index] }
        return false
    }

    private static func subtract(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] {
        var result = a
        var borrow: UInt64 = 0
        for index in 0..<4 {
            let (first, under) = a[index].subtractingReportingOverflow(b[index])
            let (second, underAgain) = first.subtractingReportingOverflow(borrow)
            result[index] = second
            borrow = under || underAgain ? 1 : 0
        }
        return result
    }

    /// For a value below 2^256.
    private static func reduced(_ value: [UInt64]) -> [UInt64] {
        var value = value
        while !isBelow(value, prime) { value = subtract(value, prime) }
        return value
    }

    static func + (a: FieldModel, b: FieldModel) -> FieldModel {
        // Two values below 2^255: the sum fits.
        var sum: [UInt64] = []
        var carry: UInt64 = 0
        for index in 0..<4 {
            let (first, over) = a.limbs[index].addingReportingOverflow(b.limbs[index])
            let (second, overAgain) = first.addingReportingOverflow(carry)
            sum.append(second)
            carry = over || overAgain ? 1 : 0
        }
        return FieldModel(limbs: sum)
    }

    static prefix func - (a: FieldModel) -> FieldModel {
        FieldModel(limbs: subtract(prime, a.limbs))
    }

    static func * (a: FieldModel, b: FieldModel) -> FieldModel {
        var product = [UInt64](repeating: 0, count: 8)
        for i in 0..<4 {
            add(a.limbs[i], times: b.limbs, into: &product, at: i)
        }
        // 2^256 = 38. Twice, since the first time may overflow by a few bits again.
        while product[4...].contains(where: { $0 != 0 }) {
            let high = Array(product[4...])
            product = Array(product[..<4]) + [0, 0, 0, 0]
            add(38, times: high, into: &product, at: 0)
        }
        return FieldModel(limbs: Array(product[..<4]))
    }

    private static func add(_ factor: UInt64, times b: [UInt64], into sum: inout [UInt64], at shift: Int) {
        var carry: UInt64 = 0
        for j in 0..<sum.count - shift {
            let (high, low) = factor.multipliedFullWidth(by: j < b.count ? b[j] : 0)
            let (first, over) = sum[shift + j].addingReportingOverflow(low)
            let (second, overAgain) = first.addingReportingOverflow(carry)
            sum[shift + j] = second
            carry = high + (over ? 1 : 0) + (overAgain ? 1 : 0)
        }
    }

    /// Whether there is a square root; zero has one. The binary form of the law of quadratic reciprocity.
    var isSquare: Bool {
        if self == .zero { return true }
        var (high, low) = (Self.half(limbs[2...]), Self.half(limbs[..<2]))
        var (primeHigh, primeLow) = (Self.half(Self.prime[2...]), Self.half(Self.prime[..<2]))
        var symbol = true
        while (high, low) != (0, 0) {
            while low & 1 == 0 {
                // Two at a time say nothing; the shift by an odd number counts.
                let zeros = low == 0 ? 127 : low.trailingZeroBitCount
                low = low >> zeros | high << (128 - zeros)
                high >>= zeros
                let residue = primeLow & 7
                if zeros & 1 == 1 && (residue == 3 || residue == 5) { symbol.toggle() }
            }
            if (high, low) < (primeHigh, primeLow) {
                swap(&high, &primeHigh)
                swap(&low, &primeLow)
                if low & 3 == 3 && primeLow & 3 == 3 { symbol.toggle() }
            }
            let (difference, borrows) = low.subtractingReportingOverflow(primeLow)
            low = difference
            high -= primeHigh + (borrows ? 1 : 0)
        }
        return symbol
    }

    private static func half(_ limbs: ArraySlice<UInt64>) -> UInt128 {
        limbs.reversed().reduce(UInt128(0)) { $0 << 64 | UInt128($1) }
    }

    /// Whether this is x1 = -J / (1 + 2u²), which there is one of: 1 + 2u² is never zero.
    func isFirstCandidate(for u: FieldModel) -> Bool { self * (.one + u * u + u * u) == -.j }

    /// Whether this is what RFC 9380, section 6.7.1 maps u to: x1 if x1³ + Jx1² + x1 is a square, else x2 = -x1 - J.
    func isElligator2(of u: FieldModel) -> Bool {
        let other = -self + -.j
        if isFirstCandidate(for: u) { return ((self + .j) * self * self + self).isSquare }
        return other.isFirstCandidate(for: u) && !((other + .j) * other * other + other).isSquare
    }
}
