internal import Primitives
package import Wire

extension RequestMessage {
    /// Signs the message by the device key.
    ///
    /// - Parameter sign: gets the bytes to sign, returns the 64 raw bytes of an ECDSA signature over their SHA-256.
    /// - Throws: what the device key throws; ``WireError`` when the signature is not of 64 bytes.
    package func signed(by sign: ([UInt8]) async throws -> [UInt8]) async throws -> Sign1 {
        try await Sign1.signing(encoded, header: Self.signatureHeader, externalAAD: externalAAD, by: sign)
    }

    /// The device is known by the channel, so no key is named.
    private static let signatureHeader = COSEHeader(algorithm: .esp256)

    /// The message that a device has signed.
    ///
    /// - Parameters:
    ///   - message: as it was received.
    ///   - deviceKey: the device's public key, 33 bytes.
    ///   - binding: from the header of the channel and the platform's own records.
    /// - Throws: ``SecureChannelError/Code/notAuthentic``, ``SecureChannelError/Code/wrongParty``,
    ///   ``SecureChannelError/Code/wrongRequest``, ``SecureChannelError/Code/malformed``.
    package static func verified(
        _ message: Sign1, deviceKey: [UInt8], binding: MessageBinding
    ) throws(SecureChannelError) -> RequestMessage {
        try message.requireHeader(keyID: nil)
        // Decoded first, because the type is part of what is signed; trusted only after the signature.
        let request = try RequestMessage(opened: message.payload)
        do throws(WireError) {
            try message.verify(p256: deviceKey, externalAAD: request.externalAAD)
        } catch {
            throw SecureChannelError(
                .notAuthentic, blame: .peer, "the device's signature does not verify", underlying: error)
        }
        try binding.check(
            tenant: request.tenant, account: request.account, deviceID: request.deviceID, requestID: request.requestID)
        return request
    }
}
