/// A number modulo the order n of the P-256 group, for signatures of test keys.
///
/// It is slow, and its running time depends on the numbers. Never use it with a key that protects something.
struct P256Scalar: Equatable {
    private(set) var high: UInt128
    private(set) var low: UInt128

    /// The order n (SEC 2, section 2.4.2).
    static let order = P256Scalar(
        high: 0xFFFF_FFFF_0000_0000_FFFF_FFFF_FFFF_FFFF,
        low: 0xBCE6_FAAD_A717_9E84_F3B9_CAC2_FC63_2551)
    static let zero = P256Scalar(high: 0, low: 0)
    static let one = P256Scalar(high: 0, low: 1)

    private init(high: UInt128, low: UInt128) {
        self.high = high
        self.low = low
    }

    /// Creates a number from 32 bytes, big-endian, without a reduction.
    private init(unreduced bytes: some Collection<UInt8>) {
        self.init(
            high: bytes.prefix(16).reduce(0) { $0 << 8 | UInt128($1) },
            low: bytes.dropFirst(16).reduce(0) { $0 << 8 | UInt128($1) })
    }

    /// Creates the remainder modulo n of 32 bytes, big-endian.
    init(reducing bytes: some Collection<UInt8>) {
        self.init(unreduced: bytes)
        if self >= .order { subtract(.order) }
    }

    /// Creates a number from 32 bytes, big-endian; nil unless it is from 1 to n - 1.
    init?(nonZero bytes: some Collection<UInt8>) {
        self.init(unreduced: bytes)
        guard self != .zero, self < .order else { return nil }
    }

    /// The number as 32 bytes, big-endian.
    var bytes: [UInt8] {
        [high, low].flatMap { half in
            stride(from: 120, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) }
        }
    }

    static func + (a: P256Scalar, b: P256Scalar) -> P256Scalar {
        var sum = a
        let carry = sum.add(b)
        if carry || sum >= .order { sum.subtract(.order) }
        return sum
    }

    /// Multiplies by doubling and adding.
    static func * (a: P256Scalar, b: P256Scalar) -> P256Scalar {
        var product = P256Scalar.zero
        for half in [b.high, b.low] {
            for bit in (0..<128).reversed() {
                product = product + product
                if half >> bit & 1 == 1 { product = product + a }
            }
        }
        return product
    }

    /// The inverse of a number that is not zero, by the binary extended Euclidean algorithm.
    var inverse: P256Scalar {
        var (u, v) = (self, P256Scalar.order)
        var (x, y) = (P256Scalar.one, P256Scalar.zero)  // x · self ≡ u and y · self ≡ v at each step
        while u != .one, v != .one {
            Self.halveWhileEven(&u, &x)
            Self.halveWhileEven(&v, &y)
            if u >= v {
                u.subtract(v)
                x = x - y
            } else {
                v.subtract(u)
                y = y - x
            }
        }
        return u == .one ? x : y
    }

    static func - (a: P256Scalar, b: P256Scalar) -> P256Scalar {
        var difference = a
        if a < b { difference.add(.order) }  // the borrow cancels the carry
        difference.subtract(b)
        return difference
    }

    private static func halveWhileEven(_ number: inout P256Scalar, _ factor: inout P256Scalar) {
        while number.low & 1 == 0 {
            number.shiftRight(carry: false)
            let carry = factor.low & 1 == 1 && factor.add(.order)
            factor.shiftRight(carry: carry)
        }
    }

    @discardableResult
    private mutating func add(_ other: P256Scalar) -> Bool {
        let (low, lowCarry) = low.addingReportingOverflow(other.low)
        let (partial, highCarry) = high.addingReportingOverflow(other.high)
        let (high, extraCarry) = partial.addingReportingOverflow(lowCarry ? 1 : 0)
        (self.high, self.low) = (high, low)
        return highCarry || extraCarry
    }

    private mutating func subtract(_ other: P256Scalar) {
        let borrow: UInt128 = low < other.low ? 1 : 0
        low = low &- other.low
        high = high &- other.high &- borrow
    }

    private mutating func shiftRight(carry: Bool) {
        low = low >> 1 | (high & 1) << 127
        high = high >> 1 | (carry ? 1 << 127 : 0)
    }

    static func < (a: P256Scalar, b: P256Scalar) -> Bool { (a.high, a.low) < (b.high, b.low) }
    static func >= (a: P256Scalar, b: P256Scalar) -> Bool { (a.high, a.low) >= (b.high, b.low) }
}
