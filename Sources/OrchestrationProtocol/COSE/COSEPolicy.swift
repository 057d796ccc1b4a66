/// The messages that the structural parsers of COSE accept.
///
/// The library uses only ``strict``. The other settings are for tests, which run the same parsers on published
/// messages.
package struct COSEPolicy: Sendable {
    /// The accepted signature algorithms by their numbers.
    package var signatures: [Int64: COSEAlgorithm]

    /// The accepted ciphers by their numbers.
    package var ciphers: [Int64: COSEAlgorithm]

    /// Whether headers may be unprotected, the algorithm included.
    package var allowsUnprotectedHeaders: Bool

    /// Whether unknown labels that are not critical are ignored, as in RFC 9052.
    package var ignoresUnknownLabels: Bool

    /// Whether the tag may be missing.
    package var allowsMissingTag: Bool

    package init(
        signatures: [Int64: COSEAlgorithm], ciphers: [Int64: COSEAlgorithm], allowsUnprotectedHeaders: Bool,
        ignoresUnknownLabels: Bool, allowsMissingTag: Bool
    ) {
        self.signatures = signatures
        self.ciphers = ciphers
        self.allowsUnprotectedHeaders = allowsUnprotectedHeaders
        self.ignoresUnknownLabels = ignoresUnknownLabels
        self.allowsMissingTag = allowsMissingTag
    }

    /// Three algorithms, the tag, protected headers only, and no unknown labels.
    package static let strict = COSEPolicy(
        signatures: [-19: .ed25519, -9: .esp256], ciphers: [3: .a256GCM], allowsUnprotectedHeaders: false,
        ignoresUnknownLabels: false, allowsMissingTag: false)
}
