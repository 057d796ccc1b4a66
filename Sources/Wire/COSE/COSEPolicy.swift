/// What the structural parsers of COSE accept.
///
/// The product uses ``strict`` and nothing else. The other settings are there so that the tests can hold the same
/// parsers against messages that others have made.
package struct COSEPolicy: Sendable {
    /// The algorithms of signatures that are accepted, by the number on the wire.
    package var signatures: [Int64: COSEAlgorithm]

    /// The ciphers that are accepted, by the number on the wire.
    package var ciphers: [Int64: COSEAlgorithm]

    /// Whether headers may be unprotected, the algorithm included.
    package var allowsUnprotectedHeaders: Bool

    /// Whether labels that are neither known nor critical are ignored, as RFC 9052 has it.
    package var ignoresUnknownLabels: Bool

    /// Whether the tag may be left out.
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

    /// Three algorithms, the tag, protected headers only, and no label that we do not know.
    package static let strict = COSEPolicy(
        signatures: [-19: .ed25519, -9: .esp256], ciphers: [3: .a256GCM], allowsUnprotectedHeaders: false,
        ignoresUnknownLabels: false, allowsMissingTag: false)
}
