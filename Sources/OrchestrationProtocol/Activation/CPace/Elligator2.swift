package import Primitives

/// The Elligator2 map from a field element to a u-coordinate of Curve25519 (RFC 9380, section 6.7.1 with J = 486662,
/// K = 1, Z = 2; draft-irtf-cfrg-cpace-20, section 7.2).
///
/// This file contains the only field arithmetic of the package. Its input is a hash of the activation password, so no
/// branch, index or loop count here depends on a value. All arithmetic is on five limbs of 51 bits with wrapping
/// operators, and the one choice the map makes is a masked selection. Input and output are in wiped memory; the limbs
/// are in registers and on the stack, which Swift cannot wipe. They are useless without their exchange.
package enum Elligator2 {
    /// Maps 32 bytes to a point.
    ///
    /// - Parameter bytes: A field element, 32 bytes, least significant byte first. The highest bit is ignored and
    ///   values of p and above are taken modulo p, as RFC 7748, section 5 decodes a u-coordinate.
    /// - Returns: The u-coordinate, 32 bytes, canonical (below p).
    package static func uCoordinate(from bytes: Span<UInt8>) -> SecretBytes {
        precondition(bytes.count == 32, "uCoordinate(from:) takes 32 bytes")
        let r = FieldElement(decoding: bytes)
        // 1 + 2r² is never zero: -1/2 is not a square modulo p. So x1 needs no exceptional case.
        let rr = r.squared()
        let x1 = (FieldElement.one + rr + rr).inverted() * FieldElement.minusJ
        // g(x1) = x1³ + J·x1² + x1 is never zero either: x1 is not, and J² - 4 is not a square.
        let gx1 = ((x1 + .j) * x1 + .one) * x1
        // Euler's criterion: 1 for a square, -1 otherwise; then the partner -x1 - J is on the curve.
        let isNonSquare = (gx1.raisedToHalfOrder() + .one).isZeroMask()
        let x2 = FieldElement.zero - x1 - .j
        return FieldElement.select(x2, over: x1, where: isNonSquare).encoded()
    }
}

/// An element of the field of 2^255 - 19 in five limbs of 51 bits, least significant first.
///
/// Between operations a limb is below 2^52: each operation requires and ensures that.
private struct FieldElement {
    var a, b, c, d, e: UInt64

    static let zero = FieldElement(a: 0, b: 0, c: 0, d: 0, e: 0)
    static let one = FieldElement(a: 1, b: 0, c: 0, d: 0, e: 0)
    static let j = FieldElement(a: 486_662, b: 0, c: 0, d: 0, e: 0)
    static let minusJ = zero - j

    private static let limbMask: UInt64 = (1 << 51) &- 1

    init(a: UInt64, b: UInt64, c: UInt64, d: UInt64, e: UInt64) {
        (self.a, self.b, self.c, self.d, self.e) = (a, b, c, d, e)
    }

    init(decoding bytes: Span<UInt8>) {
        func word(_ start: Int) -> UInt64 {
            var value: UInt64 = 0
            for index in 0..<8 { value |= UInt64(bytes[start &+ index]) &<< UInt64(8 &* index) }
            return value
        }
        // Limb k starts at bit 51k, which is inside the eight bytes read here; the last shift also drops bit 255.
        a = word(0) & Self.limbMask
        b = (word(6) &>> 3) & Self.limbMask
        c = (word(12) &>> 6) & Self.limbMask
        d = (word(19) &>> 1) & Self.limbMask
        e = (word(24) &>> 12) & Self.limbMask
    }

    /// Returns the canonical 32 bytes, least significant first.
    func encoded() -> SecretBytes {
        var t = carried().carried()
        // t is below 2p now: q is 1 when t is p or more, and then 19 more makes the subtraction of 2^255 one of p.
        var q = (t.a &+ 19) &>> 51
        q = (t.b &+ q) &>> 51
        q = (t.c &+ q) &>> 51
        q = (t.d &+ q) &>> 51
        q = (t.e &+ q) &>> 51
        t.a = t.a &+ 19 &* q
        t.b = t.b &+ (t.a &>> 51)
        t.c = t.c &+ (t.b &>> 51)
        t.d = t.d &+ (t.c &>> 51)
        t.e = t.e &+ (t.d &>> 51)
        t = FieldElement(
            a: t.a & Self.limbMask, b: t.b & Self.limbMask, c: t.c & Self.limbMask, d: t.d & Self.limbMask,
            e: t.e & Self.limbMask)
        return SecretBytes(count: 32) { span in
            func write(_ word: UInt64, at start: Int) {
                for index in 0..<8 { span[start &+ index] = UInt8(truncatingIfNeeded: word &>> UInt64(8 &* index)) }
            }
            write(t.a | t.b &<< 51, at: 0)
            write(t.b &>> 13 | t.c &<< 38, at: 8)
            write(t.c &>> 26 | t.d &<< 25, at: 16)
            write(t.d &>> 39 | t.e &<< 12, at: 24)
        }
    }

    /// Returns the element after one pass of carries. The carry of the top limb is added times 19, because 2^255 = 19.
    private func carried() -> FieldElement {
        var r = self
        r.b = r.b &+ (r.a &>> 51)
        r.c = r.c &+ (r.b &>> 51)
        r.d = r.d &+ (r.c &>> 51)
        r.e = r.e &+ (r.d &>> 51)
        return FieldElement(
            a: (r.a & Self.limbMask) &+ 19 &* (r.e &>> 51), b: r.b & Self.limbMask, c: r.c & Self.limbMask,
            d: r.d & Self.limbMask, e: r.e & Self.limbMask)
    }

    static func + (x: FieldElement, y: FieldElement) -> FieldElement {
        FieldElement(a: x.a &+ y.a, b: x.b &+ y.b, c: x.c &+ y.c, d: x.d &+ y.d, e: x.e &+ y.e).carried()
    }

    /// x - y as x + 4p - y: a limb of 4p is above any limb of y, so no limb becomes negative.
    static func - (x: FieldElement, y: FieldElement) -> FieldElement {
        let low: UInt64 = 0x1F_FFFF_FFFF_FFB4
        let high: UInt64 = 0x1F_FFFF_FFFF_FFFC
        return FieldElement(
            a: x.a &+ low &- y.a, b: x.b &+ high &- y.b, c: x.c &+ high &- y.c, d: x.d &+ high &- y.d,
            e: x.e &+ high &- y.e
        ).carried()
    }

    /// Schoolbook multiplication; a partial product above 2^255 counts 19 times. A sum of five stays below 2^112.
    static func * (x: FieldElement, y: FieldElement) -> FieldElement {
        let (b19, c19, d19, e19) = (19 &* y.b, 19 &* y.c, 19 &* y.d, 19 &* y.e)
        var r0 = WideSum(x.a, y.a)
        r0.add(x.b, e19)
        r0.add(x.c, d19)
        r0.add(x.d, c19)
        r0.add(x.e, b19)
        var r1 = WideSum(x.a, y.b)
        r1.add(x.b, y.a)
        r1.add(x.c, e19)
        r1.add(x.d, d19)
        r1.add(x.e, c19)
        r1.add(r0.upper, 1)
        var r2 = WideSum(x.a, y.c)
        r2.add(x.b, y.b)
        r2.add(x.c, y.a)
        r2.add(x.d, e19)
        r2.add(x.e, d19)
        r2.add(r1.upper, 1)
        var r3 = WideSum(x.a, y.d)
        r3.add(x.b, y.c)
        r3.add(x.c, y.b)
        r3.add(x.d, y.a)
        r3.add(x.e, e19)
        r3.add(r2.upper, 1)
        var r4 = WideSum(x.a, y.e)
        r4.add(x.b, y.d)
        r4.add(x.c, y.c)
        r4.add(x.d, y.b)
        r4.add(x.e, y.a)
        r4.add(r3.upper, 1)
        // The last carry is below 2^61, times 19 it would not fit next to a limb. It is added in 128 bits.
        var top = WideSum(19, r4.upper)
        top.add(r0.lower, 1)
        return FieldElement(a: top.lower, b: r1.lower &+ top.upper, c: r2.lower, d: r3.lower, e: r4.lower).carried()
    }

    func squared(_ times: Int = 1) -> FieldElement {
        var result = self
        for _ in 0..<times { result = result * result }
        return result
    }

    /// Returns x^(2^250 - 1) and x^11, with which both exponents below end.
    private func ladder() -> (power250: FieldElement, power11: FieldElement) {
        let x2 = squared()
        let x9 = x2.squared(2) * self
        let x11 = x9 * x2
        let p5 = x11.squared() * x9
        let p10 = p5.squared(5) * p5
        let p20 = p10.squared(10) * p10
        let p40 = p20.squared(20) * p20
        let p50 = p40.squared(10) * p10
        let p100 = p50.squared(50) * p50
        let p200 = p100.squared(100) * p100
        return (p200.squared(50) * p50, x11)
    }

    /// 1/x as x^(p - 2) = x^(2^255 - 21). The inverse of zero is zero.
    func inverted() -> FieldElement {
        let (power250, power11) = ladder()
        return power250.squared(5) * power11
    }

    /// x^((p - 1) / 2) = x^(2^254 - 10).
    func raisedToHalfOrder() -> FieldElement {
        let power6 = squared().squared() * squared()
        return ladder().power250.squared(4) * power6
    }

    /// All ones when the element is zero, else all zeros.
    func isZeroMask() -> UInt64 {
        let union: UInt64 = encoded().withBytes { span in
            var union: UInt64 = 0
            for index in span.indices { union |= UInt64(span[index]) }
            return union
        }
        return ConstantTime.mask(union, equals: 0)
    }

    /// x where the mask is all ones, y where it is all zeros.
    static func select(_ x: FieldElement, over y: FieldElement, where mask: UInt64) -> FieldElement {
        FieldElement(
            a: y.a ^ (mask & (x.a ^ y.a)), b: y.b ^ (mask & (x.b ^ y.b)), c: y.c ^ (mask & (x.c ^ y.c)),
            d: y.d ^ (mask & (x.d ^ y.d)), e: y.e ^ (mask & (x.e ^ y.e)))
    }
}

/// A sum of products in two words. Carries are computed, not branched on, in debug builds too.
private struct WideSum {
    private var low: UInt64
    private var high: UInt64

    init(_ x: UInt64, _ y: UInt64) {
        (high, low) = x.multipliedFullWidth(by: y)
    }

    mutating func add(_ x: UInt64, _ y: UInt64) {
        let product = x.multipliedFullWidth(by: y)
        let sum = low &+ product.low
        let carry = ((low & product.low) | ((low | product.low) & ~sum)) &>> 63
        low = sum
        high = high &+ product.high &+ carry
    }

    /// The lowest 51 bits: a limb.
    var lower: UInt64 { low & ((1 << 51) &- 1) }

    /// The sum divided by 2^51; the sum is below 2^112.
    var upper: UInt64 { low &>> 51 | high &<< 13 }
}
