/// A COSE_Encrypt0 message (RFC 9052 §5.2): a protected header in the clear, and a ciphertext with its tag.
///
/// The nonce is derived by both ends and not sent. Sealing and opening are the channel's business; this type gives the
/// bytes that the tag must cover.
package struct Encrypt0: Sendable, Hashable {
    /// The tag of COSE_Encrypt0.
    static let tag: UInt64 = 16

    /// The length of the authentication tag at the end of the ciphertext.
    static let tagByteCount = 16

    /// The whole message, as it was received or as it is sent.
    package let encoded: [UInt8]

    package let header: COSEHeader

    /// What the policy let stand unprotected; with ``COSEPolicy/strict`` always nothing.
    package let unprotected: COSEParameters

    /// Where the ciphertext starts in ``encoded``; it ends with it.
    private let ciphertextStart: Int

    /// The ciphertext and the 16 bytes of its tag, in place.
    package var sealed: ArraySlice<UInt8> { encoded[ciphertextStart...] }

    /// The ciphertext and the 16 bytes of its tag.
    package var ciphertext: [UInt8] { Array(sealed) }

    /// Decodes a message and refuses what the policy does not allow; for all but tests that is ``COSEPolicy/strict``.
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

    /// Puts a message together.
    ///
    /// - Parameter ciphertext: made with ``additionalData(header:externalAAD:)`` of the same header; ends with its tag.
    package init(header: COSEHeader, ciphertext: [UInt8]) {
        self.init(header: header, ciphertext: ciphertext.span)
    }

    /// Puts a message together from a ciphertext that lies elsewhere: the one copy that sealing makes.
    ///
    /// - Parameter ciphertext: made with ``additionalData(header:externalAAD:)`` of the same header; ends with its tag.
    package init(header: COSEHeader, ciphertext: Span<UInt8>) {
        var writer = CBORWriter(capacity: header.encoded.count + ciphertext.count + 16)
        writer.tag(Self.tag)
        writer.array(3)
        writer.bytes(header.encoded)
        writer.map(0)
        writer.bytes(ciphertext)
        encoded = writer.finish()
        ciphertextStart = encoded.count - ciphertext.count
        self.header = header
        self.unprotected = [:]
    }

    /// The encoded Enc_structure (RFC 9052 §5.3): the associated data of the cipher.
    package func additionalData(externalAAD: [UInt8]) -> [UInt8] {
        Self.additionalData(header: header, externalAAD: externalAAD)
    }

    /// The encoded Enc_structure of a message that is yet to be sealed.
    package static func additionalData(header: COSEHeader, externalAAD: [UInt8]) -> [UInt8] {
        Covered(header: header, externalAAD: externalAAD).written
    }

    /// The Enc_structure.
    private struct Covered: CBOREncodable {
        let header: COSEHeader
        let externalAAD: [UInt8]

        func write(to output: inout some CBOROutput) {
            output.array(3)
            output.text("Encrypt0")
            output.bytes(header.covered)
            output.bytes(externalAAD)
        }
    }
}
