internal import Crypto
internal import Primitives

/// The key encapsulation of an activation and its channel. A higher suite is stronger.
package enum Suite: UInt8, Sendable, Hashable, Comparable, CaseIterable {
    /// X25519.
    case classic = 1
    /// X-Wing: ML-KEM-768 and X25519 together. It is secure as long as one of them is.
    case hybrid = 2

    /// The suites that this system has, ascending. On Apple platforms, the second requires the releases of 2025.
    package static var supported: [Suite] {
        XWing.isAvailable ? [.classic, .hybrid] : [.classic]
    }

    /// Creates a suite from its number on the wire.
    ///
    /// - Throws: ``SecureChannelError/Code/unsupportedSuite`` for an unknown number.
    package init(wire number: UInt64) throws(SecureChannelError) {
        guard let suite = UInt8(exactly: number).flatMap(Suite.init(rawValue:)) else {
            throw SecureChannelError(.unsupportedSuite, blame: .peer, "the number of the suite is unknown")
        }
        self = suite
    }

    /// The number on the wire.
    package var wire: UInt64 { UInt64(rawValue) }

    package static func < (a: Suite, b: Suite) -> Bool { a.rawValue < b.rawValue }
}

/// A private key that opens HPKE contexts. Each suite has a conforming type. The type of the key determines the suite,
/// and a message cannot change it.
protocol EncapsulationKey: Sendable {
    /// The public key, which devices receive.
    var publicBytes: [UInt8] { get }

    /// Returns the 32 bytes of the key, to be sealed and stored.
    func representation() -> SecretBytes

    /// Opens the context that a sender has created with the public key.
    func recipient(encapsulatedKey: [UInt8], info: [UInt8]) throws(SecureChannelError) -> HPKE.Recipient
}

/// A private key of X-Wing, which the activation uses without HPKE.
protocol HybridKey: EncapsulationKey {
    /// Returns the secret of a ciphertext. A wrong ciphertext gives an unrelated secret, not an error.
    func decapsulate(_ ciphertext: [UInt8]) throws(SecureChannelError) -> SymmetricKey
}
