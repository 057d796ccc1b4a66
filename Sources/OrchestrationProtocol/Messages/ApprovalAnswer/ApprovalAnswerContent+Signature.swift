internal import Primitives

extension ApprovalAnswerContent {
    /// Signs the answer with the device key, or with the key of an enrolled method. A device signs an answer once, and
    /// repeats the same bytes.
    ///
    /// - Parameter sign: Receives the bytes to sign, and returns the 64 bytes of an ECDSA signature over their SHA-256.
    /// - Throws: The error of `sign`; ``WireError`` if the signature does not have 64 bytes.
    package func signed(by sign: ([UInt8]) async throws -> [UInt8]) async throws -> Sign1 {
        try await Sign1.signing(
            encoded, header: COSEHeader(algorithm: .esp256), externalAAD: Self.externalAAD, by: sign)
    }

    /// Verifies an answer that a device has signed.
    ///
    /// 1. The header contains only the algorithm.
    /// 2. The signature verifies. It also covers the label of answers: no channel message is taken for an answer.
    /// 3. The answer is from this device: no answer is moved to another device.
    ///
    /// The hash in the answer names the approval request. The caller compares it, and checks
    /// ``ApprovalAnswerContent/isComplete(for:)``.
    ///
    /// - Parameters:
    ///   - answer: The signed answer, as it was received.
    ///   - deviceKey: The public key of the device, or of the answer's method if the user has enrolled it, 33 bytes.
    ///   - deviceID: The id of the device that the channel has identified, 16 bytes.
    /// - Throws: ``SecureChannelError/Code/malformed``, ``SecureChannelError/Code/notAuthentic``,
    ///   ``SecureChannelError/Code/wrongParty``.
    package static func verified(
        _ answer: Sign1, deviceKey: [UInt8], deviceID: [UInt8]
    ) throws(SecureChannelError) -> Verified<ApprovalAnswerContent> {
        let content = try ApprovalAnswerContent(opened: answer.payload)
        try answer.verifyAnswer(deviceKey: deviceKey)
        guard content.deviceID == deviceID else {
            throw SecureChannelError(.wrongParty, blame: .peer, "the approval answer is of another device")
        }
        return Verified(content, signed: answer)
    }
}

extension Sign1 {
    /// Verifies the signature of a device over an approval answer.
    func verifyAnswer(deviceKey: [UInt8]) throws(SecureChannelError) {
        try requireHeader(keyID: nil)
        do throws(WireError) {
            try verify(p256: deviceKey, externalAAD: ApprovalAnswerContent.externalAAD)
        } catch {
            throw SecureChannelError(
                .notAuthentic, blame: .peer, "the signature of the device is not valid", underlying: error)
        }
    }
}
