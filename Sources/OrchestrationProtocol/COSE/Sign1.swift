internal import Crypto
internal import Primitives

/// A COSE_Sign1 message (RFC 9052, section 4.2): a header, a payload, and the signature.
///
/// Decoding checks the structure only. A payload is authentic after ``verify(ed25519:externalAAD:)`` or
/// ``verify(p256:externalAAD:)``.
package struct Sign1: Sendable, Hashable {
    /// The tag of COSE_Sign1.
    static let tag: UInt64 = 18

    /// The length of the signatures of both algorithms, r ‖ s and R ‖ S.
    static let signatureByteCount = 64

    /// The whole message, as received or sent. Hashes cover these bytes.
    package let encoded: [UInt8]

    package let header: COSEHeader

    /// The payload as it was received. It is not verified.
    package let payload: [UInt8]

    package let signature: [UInt8]

    /// Decodes a message, and refuses what the policy does not allow. Only tests use a policy other than
    /// ``COSEPolicy/strict``.
    package init(decoding bytes: [UInt8], policy: COSEPolicy = .strict) throws(WireError) {
        var reader = CBORReader(bytes)
        let isTagged = try reader.peekType() == .tag
        if isTagged || !policy.allowsMissingTag { try reader.readTag(Self.tag) }
        try reader.readArray(count: 4)
        header = try COSEHeader.read(from: &reader, algorithms: policy.signatures, policy: policy).header
        let payloadStart = reader.offset
        guard try !reader.readIfNull() else { throw WireError(.missingPayload, offset: payloadStart) }
        payload = try reader.readBytes()
        signature =
            if header.algorithm.isKnownSignature {
                try reader.readBytes(count: Self.signatureByteCount)
            } else {
                // A list of signatures accepts algorithms that this library does not check.
                try reader.readBytes(maximum: FieldLimit.signature)
            }
        try reader.finish()
        encoded = bytes
    }

    private init(header: COSEHeader, payload: [UInt8], signature: [UInt8]) throws(WireError) {
        guard signature.count == Self.signatureByteCount else { throw WireError(.invalidSignature, blame: .caller) }
        encoded = Fields(header: header, payload: payload, signature: signature).written
        self.header = header
        self.payload = payload
        self.signature = signature
    }

    /// Signs a payload with a key that answers asynchronously, for example in hardware.
    ///
    /// - Parameter sign: Receives the bytes to sign, and returns the 64 raw bytes of the signature.
    package static func signing(
        _ payload: [UInt8], header: COSEHeader, externalAAD: [UInt8], by sign: ([UInt8]) async throws -> [UInt8]
    ) async throws -> Sign1 {
        let bytes = signedBytes(header: header, payload: payload, externalAAD: externalAAD)
        return try Sign1(header: header, payload: payload, signature: await sign(bytes))
    }

    /// Signs a payload with a key in memory.
    ///
    /// - Parameter sign: Receives the bytes to sign, and returns the 64 raw bytes of the signature.
    package static func signing(
        _ payload: [UInt8], header: COSEHeader, externalAAD: [UInt8], by sign: ([UInt8]) throws -> [UInt8]
    ) throws -> Sign1 {
        let bytes = signedBytes(header: header, payload: payload, externalAAD: externalAAD)
        return try Sign1(header: header, payload: payload, signature: sign(bytes))
    }

    /// Returns the encoded Sig_structure (RFC 9052, section 4.4), which the signature covers.
    package func signedBytes(externalAAD: [UInt8]) -> [UInt8] {
        Self.signedBytes(header: header, payload: payload, externalAAD: externalAAD)
    }

    private static func signedBytes(header: COSEHeader, payload: [UInt8], externalAAD: [UInt8]) -> [UInt8] {
        Covered(header: header, payload: payload, externalAAD: externalAAD).written
    }

    private struct Fields: CBOREncodable {
        let header: COSEHeader
        let payload: [UInt8]
        let signature: [UInt8]

        func write(to output: inout some CBOROutput) {
            output.tag(Sign1.tag)
            output.array(4)
            output.bytes(header.encoded)
            output.map(0)
            output.bytes(payload)
            output.bytes(signature)
        }
    }

    /// The Sig_structure.
    private struct Covered: CBOREncodable {
        let header: COSEHeader
        let payload: [UInt8]
        let externalAAD: [UInt8]

        func write(to output: inout some CBOROutput) {
            output.array(4)
            output.text("Signature1")
            output.bytes(header.covered)
            output.bytes(externalAAD)
            output.bytes(payload)
        }
    }
}

extension Sign1 {
    /// Verifies the signature of the platform.
    ///
    /// - Parameter publicKey: The 32 bytes of an Ed25519 public key.
    /// - Returns: The payload, signed with the key.
    /// - Throws: `unsupportedAlgorithm` if the header names another algorithm, `invalidKey` for bytes that are not a
    ///   key, `invalidSignature`.
    @discardableResult
    package func verify(ed25519 publicKey: [UInt8], externalAAD: [UInt8]) throws(WireError) -> [UInt8] {
        guard header.algorithm == .ed25519 else { throw WireError(.unsupportedAlgorithm) }
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else {
            throw WireError(.invalidKey, blame: .caller)
        }
        guard key.isValidSignature(signature, for: signedBytes(externalAAD: externalAAD)) else {
            throw WireError(.invalidSignature)
        }
        return payload
    }

    /// Verifies the signature of a device.
    ///
    /// - Parameter publicKey: The 33 bytes of a compressed P-256 public key.
    /// - Returns: The payload, signed with the key.
    /// - Throws: `unsupportedAlgorithm` if the header names another algorithm, `invalidKey` for bytes that are not a
    ///   key, `invalidSignature`.
    @discardableResult
    package func verify(p256 publicKey: [UInt8], externalAAD: [UInt8]) throws(WireError) -> [UInt8] {
        guard header.algorithm == .esp256 else { throw WireError(.unsupportedAlgorithm) }
        guard let key = try? P256.Signing.PublicKey(compressedRepresentation: publicKey) else {
            throw WireError(.invalidKey, blame: .caller)
        }
        guard
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            key.isValidSignature(signature, for: signedBytes(externalAAD: externalAAD))
        else { throw WireError(.invalidSignature) }
        return payload
    }
}
