/// A COSE_Encrypt0 message (RFC 9052, section 5.2): a protected header in the clear, and a ciphertext with its tag.
///
/// Both sides derive the nonce, and it is not sent. `OneTimeKey` seals and opens; this type returns the bytes that the
/// tag covers.
package struct Encrypt0: Sendable, Hashable {
    /// The tag of COSE_Encrypt0.
    static let tag: UInt64 = 16

    /// The length of the authentication tag at the end of the ciphertext.
    static let tagByteCount = 16

    /// The whole message, as received or sent.
    package let encoded: [UInt8]

    package let header: COSEHeader

    /// The unprotected parameters that the policy allows; with ``COSEPolicy/strict`` always none.
    package let unprotected: COSEParameters

    /// The offset of the ciphertext in ``encoded``. The ciphertext extends to the end.
    private let ciphertextStart: Int

    /// The ciphertext and the 16 bytes of its tag, in place.
    package var sealed: ArraySlice<UInt8> { encoded[ciphertextStart...] }

    /// The ciphertext and the 16 bytes of its tag.
    package var ciphertext: [UInt8] { Array(sealed) }

    /// Decodes a message, and refuses what the policy does not allow. Only tests use a policy other than
    /// ``COSEPolicy/strict``.
    package init(decoding bytes: [UInt8], policy: COSEPolicy = .strict) throws(WireError) {
        var reader = CBORReader(bytes)
        let isTagged = try reader.peekType() == .tag
        if isTagged || !policy.allowsMissingTag { try reader.readTag(Self.tag) }
        try reader.readArray(count: 3)
        (header, unprotected) = try COSEHeader.read(from: &reader, algorithms: policy.ciphers, policy: policy)
        let start = reader.offset
        guard try !reader.readIfNull() else { throw WireError(.missingPayload, offset: start) }
        let sealed = try reader.findBytes()
        guard sealed.count >= Self.tagByteCount else { throw WireError(.unexpectedLength, offset: start) }
        try reader.finish()
        encoded = bytes
        ciphertextStart = sealed.lowerBound
    }

    /// Creates a message from its parts.
    ///
    /// - Parameter ciphertext: The ciphertext over ``additionalData(header:externalAAD:)`` of the same header, with its
    ///   tag at the end.
    package init(header: COSEHeader, ciphertext: [UInt8]) {
        self.init(header: header, ciphertext: ciphertext.span)
    }

    /// Creates a message from its parts. The ciphertext is copied once.
    ///
    /// - Parameter ciphertext: The ciphertext over ``additionalData(header:externalAAD:)`` of the same header, with its
    ///   tag at the end.
    package init(header: COSEHeader, ciphertext: Span<UInt8>) {
        encoded = Self.encoded(header: header, ciphertext: ciphertext)
        ciphertextStart = encoded.count - ciphertext.count
        self.header = header
        self.unprotected = COSEParameters()
    }

    /// Returns the command of a message. The ciphertext is copied once.
    package static func command(header: COSEHeader, ciphertext: Span<UInt8>) -> OrchestrationCommand {
        OrchestrationCommand(encoded: encoded(header: header, ciphertext: ciphertext))
    }

    private static func encoded(header: COSEHeader, ciphertext: Span<UInt8>) -> [UInt8] {
        let encoded = CBORBuffer.collect(holdsSecrets: false) { output in
            output.tag(tag)
            output.array(3)
            output.bytes(header.encoded)
            output.map(0)
            output.bytes(ciphertext)
        }
        assert(CBORWriter.isCanonical(encoded), "an incomplete item, or a header that is none")
        return encoded
    }

    /// Returns the encoded Enc_structure (RFC 9052, section 5.3), the associated data of the cipher.
    package func additionalData(externalAAD: [UInt8]) -> [UInt8] {
        Self.additionalData(header: header, externalAAD: externalAAD)
    }

    /// Returns the encoded Enc_structure of a message that is not sealed yet.
    package static func additionalData(header: COSEHeader, externalAAD: [UInt8]) -> [UInt8] {
        Covered(header: header.covered, externalAAD: externalAAD).written
    }

    /// Appends the encoded Enc_structure to the caller's memory, without an allocation.
    ///
    /// - Throws: `tooLarge`, with nothing appended, if there is not enough space. The structure has at most 21 bytes
    ///   more than the header.
    package static func appendAdditionalData(
        header: COSEHeader, to output: inout OutputSpan<UInt8>
    ) throws(WireError) {
        try Covered(header: header.covered, externalAAD: []).append(to: &output)
    }

    /// The Enc_structure.
    private struct Covered: CBOREncodable {
        let header: [UInt8]
        let externalAAD: [UInt8]

        func write(to output: inout some CBOROutput) {
            output.array(3)
            output.text("Encrypt0")
            output.bytes(header)
            output.bytes(externalAAD)
        }
    }
}
