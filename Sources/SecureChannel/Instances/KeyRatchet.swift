package import Crypto
internal import Primitives

/// The key ratchet: each state comes from the one before, and none leads back.
package enum KeyRatchet {
    /// How far one call may go at most. A peer that names an index beyond that gets an error, not hours of hashing.
    package static let longestAdvance: UInt64 = 100_000

    /// D(index) from D(index - 1): HKDF-SHA256 with `info` = "chain" ‖ index, eight bytes, most significant first.
    package static func next(_ state: SymmetricKey, to index: UInt64) -> SymmetricKey {
        let context = (0..<8).map { UInt8(truncatingIfNeeded: index >> UInt64(56 - 8 * $0)) }
        return KeyDerivation<SHA256>.derive(state, as: .ratchet, context: context, count: 32)
    }

    /// D(end) from D(start).
    ///
    /// - Throws: ``SecureChannelError/Code/ratchetOutOfRange`` when the end lies before the start, or too far behind it.
    package static func advance(
        _ state: SymmetricKey, from start: UInt64, to end: UInt64, limit: UInt64 = longestAdvance
    ) throws(SecureChannelError) -> SymmetricKey {
        guard end >= start, end - start <= limit else {
            throw SecureChannelError(
                .ratchetOutOfRange, blame: .peer, "a move of the ratchet backwards or too far ahead")
        }
        var (state, index) = (state, start)
        while index < end {
            index += 1
            state = next(state, to: index)
        }
        return state
    }
}
