package import Crypto
internal import Primitives

/// The key ratchet: each state is derived from the one before, and no state leads back.
package enum KeyRatchet {
    /// The maximum number of steps of one call. A peer cannot cause more work by a distant index.
    package static let longestAdvance: UInt64 = 100_000

    /// Returns D(index) for the state D(index - 1): HKDF-SHA256 with `info` = "chain" ‖ index. The index has eight
    /// bytes, most significant first.
    package static func next(_ state: SymmetricKey, to index: UInt64) -> SymmetricKey {
        let context = (0..<8).map { UInt8(truncatingIfNeeded: index >> UInt64(56 - 8 * $0)) }
        return KeyDerivation<SHA256>.deriveKey(state, as: .ratchet, context: context)
    }

    /// Returns D(end) for the state D(start).
    ///
    /// - Throws: ``SecureChannelError/Code/ratchetOutOfRange`` if the end is before the start, or too far after it.
    package static func advance(
        _ state: SymmetricKey, from start: UInt64, to end: UInt64, limit: UInt64 = longestAdvance
    ) throws(SecureChannelError) -> SymmetricKey {
        guard end >= start, end - start <= limit else {
            throw SecureChannelError(
                .ratchetOutOfRange, blame: .peer, "the ratchet cannot move back or that far")
        }
        var (state, index) = (state, start)
        while index < end {
            index += 1
            state = next(state, to: index)
        }
        return state
    }
}
