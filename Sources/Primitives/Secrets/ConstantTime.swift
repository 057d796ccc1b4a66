/// Comparisons whose running time depends on lengths only, never on contents.
///
/// Tags, codes and secrets are compared with these and with nothing else.
package enum ConstantTime {
    /// Whether two byte strings are equal. Different lengths are unequal; lengths are not secret.
    package static func equal(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
        guard a.count == b.count else { return false }
        var difference: UInt8 = 0
        for index in a.indices { difference |= a[index] ^ b[index] }
        return opaque(difference) == 0
    }

    /// Whether two byte strings are equal. Different lengths are unequal; lengths are not secret.
    package static func equal(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        equal(a.span, b.span)
    }

    /// Whether every byte is zero, as an X25519 secret with a low-order point is.
    package static func isZero(_ bytes: Span<UInt8>) -> Bool {
        var union: UInt8 = 0
        for index in bytes.indices { union |= bytes[index] }
        return opaque(union) == 0
    }

    /// Whether two numbers are equal, as all ones or all zeros, without a branch.
    package static func mask(_ a: UInt32, equals b: UInt32) -> UInt32 {
        let difference = a ^ b
        let nonZero = (difference | (0 &- difference)) >> 31
        return opaque(nonZero) &- 1
    }

    /// Whether two numbers are equal, as all ones or all zeros, without a branch.
    package static func mask(_ a: UInt64, equals b: UInt64) -> UInt64 {
        let difference = a ^ b
        let nonZero = (difference | (0 &- difference)) >> 63
        return opaque(nonZero) &- 1
    }

    /// A barrier: keeps the compiler from turning the accumulation before it into an early exit.
    @inline(never)
    private static func opaque<T: FixedWidthInteger>(_ value: T) -> T { value }
}
