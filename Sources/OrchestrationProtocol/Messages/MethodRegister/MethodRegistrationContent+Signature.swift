internal import Primitives

extension MethodRegistrationContent {
    /// Signs the registration with the key that it names.
    ///
    /// - Parameter sign: Receives the bytes to sign, and returns the 64 bytes of an ECDSA signature over their SHA-256.
    /// - Throws: The error of `sign`; ``WireError`` if the signature does not have 64 bytes.
    package func signed(by sign: ([UInt8]) async throws -> [UInt8]) async throws -> Sign1 {
        try await Sign1.signing(
            encoded, header: COSEHeader(algorithm: .esp256), externalAAD: Self.externalAAD, by: sign)
    }

    /// Verifies a registration that a device has sent.
    ///
    /// 1. The header contains only the algorithm.
    /// 2. The key that the registration names signed it: no device registers another device's key.
    /// 3. It is from this device: no registration is moved to another device.
    /// 4. The key is neither the device key nor the key of another method: each key has one use.
    ///
    /// - Parameters:
    ///   - registration: The signed registration, as it was received.
    ///   - deviceID: The id of the device that the channel has identified, 16 bytes.
    ///   - otherKeys: The keys that the device already has for other uses.
    /// - Throws: ``SecureChannelError/Code/malformed``, ``SecureChannelError/Code/notAuthentic``,
    ///   ``SecureChannelError/Code/wrongParty``, ``SecureChannelError/Code/wrongKey``.
    package static func verified(
        _ registration: Sign1, deviceID: [UInt8], otherKeys: [[UInt8]]
    ) throws(SecureChannelError) -> Verified<MethodRegistrationContent> {
        let content = try MethodRegistrationContent(opened: registration.payload)
        try registration.requireHeader(keyID: nil)
        do throws(WireError) {
            try registration.verify(p256: content.key, externalAAD: externalAAD)
        } catch {
            throw SecureChannelError(
                .notAuthentic, blame: .peer, "the signature of the method's key is not valid", underlying: error)
        }
        guard content.deviceID == deviceID else {
            throw SecureChannelError(.wrongParty, blame: .peer, "the registration is of another device")
        }
        guard !otherKeys.contains(content.key) else {
            throw SecureChannelError(.wrongKey, blame: .peer, "the key of the registration has another use")
        }
        return Verified(content, signed: registration)
    }
}
