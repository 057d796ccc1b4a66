internal import CPrimitives

/// Comparisons with a running time that depends on lengths, never on contents.
///
/// Tags, codes and secrets are compared only with these functions. `Tests/Scripts/constant-time.sh` checks the
/// instructions that the compiler generates for this file.
package enum ConstantTime {
    /// Returns whether two byte strings are equal. Lengths are not secret: byte strings of different lengths are
    /// unequal immediately.
    package static func equal(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
        guard a.count == b.count else { return false }
        var difference: UInt8 = 0
        for index in a.indices { difference |= a[index] ^ b[index] }
        return opaque(difference) == 0
    }

    /// Returns whether two byte strings are equal. Lengths are not secret: byte strings of different lengths are
    /// unequal immediately.
    package static func equal(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        equal(a.span, b.span)
    }

    /// Returns whether all bytes are zero, as in an X25519 secret with a low-order point.
    package static func isZero(_ bytes: Span<UInt8>) -> Bool {
        var union: UInt8 = 0
        for index in bytes.indices { union |= bytes[index] }
        return opaque(union) == 0
    }

    /// Returns all ones when two numbers are equal and all zeros when they are not, without a branch.
    package static func mask(_ a: UInt32, equals b: UInt32) -> UInt32 {
        let difference = a ^ b
        let nonZero = (difference | (0 &- difference)) >> 31
        return opaque(nonZero) &- 1
    }

    /// Returns all ones when two numbers are equal and all zeros when they are not, without a branch.
    package static func mask(_ a: UInt64, equals b: UInt64) -> UInt64 {
        let difference = a ^ b
        let nonZero = (difference | (0 &- difference)) >> 63
        return opaque(nonZero) &- 1
    }

    /// The barrier. Without it the optimizer may turn the computation of a value into an early exit from its loop.
    @inline(__always)
    private static func opaque<T: FixedWidthInteger & UnsignedInteger>(_ value: T) -> T {
        T(truncatingIfNeeded: constant_time_opaque(UInt64(truncatingIfNeeded: value)))
    }
}
