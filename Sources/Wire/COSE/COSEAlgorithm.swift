/// An algorithm by its number in the IANA registry of COSE algorithms.
///
/// Only fully specified ones (RFC 9864): the number alone says curve and hash, so a key cannot be used for another.
package struct COSEAlgorithm: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// EdDSA with Ed25519: what the platform signs with.
    package static let ed25519 = COSEAlgorithm(rawValue: -19)

    /// ECDSA with P-256 and SHA-256: what a device signs with.
    package static let esp256 = COSEAlgorithm(rawValue: -9)

    /// AES-GCM with a 256-bit key and a 128-bit tag.
    package static let a256GCM = COSEAlgorithm(rawValue: 3)
}
