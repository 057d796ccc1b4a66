/// The error correction of a block: a Reed–Solomon code over GF(2⁸) with the polynomial x⁸ + x⁴ + x³ + x² + 1
/// (ISO/IEC 18004, 7.5.2 and annex A).
struct ReedSolomon {
    /// The coefficients of the generator polynomial, without the leading 1.
    private let generator: [UInt8]

    /// - Parameter degree: The number of codewords for error correction.
    init(degree: Int) {
        // The product of (x - 2⁰) to (x - 2ᵈ⁻¹).
        var product: [UInt8] = [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            var next = product + [0]
            for (place, coefficient) in product.enumerated() { next[place + 1] ^= Self.product(coefficient, root) }
            product = next
            root = Self.product(root, 2)
        }
        generator = Array(product.dropFirst())
    }

    /// Returns the codewords for error correction: the remainder of the data, divided by the generator.
    func remainder(of data: some Sequence<UInt8>) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: generator.count)
        for byte in data {
            let factor = byte ^ remainder[0]
            for place in remainder.indices {
                let following = place + 1 < remainder.count ? remainder[place + 1] : 0
                remainder[place] = following ^ Self.product(generator[place], factor)
            }
        }
        return remainder
    }

    private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var (sum, factor, rest) = (UInt8(0), a, b)
        while rest != 0 {
            if rest & 1 == 1 { sum ^= factor }
            factor = factor << 1 ^ (factor & 0x80 == 0 ? 0 : 0x1D)
            rest >>= 1
        }
        return sum
    }
}
