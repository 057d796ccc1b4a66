internal import Primitives
package import Wire

extension AnswerMessage {
    /// Signs the message with the platform's key, whose id goes into the header.
    package func signed(with key: SigningKeyPair) throws -> Sign1 {
        try key.sign(encoded, externalAAD: externalAAD)
    }

    /// The message that the platform has signed.
    ///
    /// - Parameters:
    ///   - message: as it was received.
    ///   - platformKey: the Ed25519 public key in force, 32 bytes.
    ///   - type: of the request.
    ///   - binding: that of the request.
    /// - Throws: ``SecureChannelError/Code/wrongKey`` when another key signed, ``SecureChannelError/Code/notAuthentic``,
    ///   ``SecureChannelError/Code/wrongType``, ``SecureChannelError/Code/wrongParty``,
    ///   ``SecureChannelError/Code/wrongRequest``, ``SecureChannelError/Code/malformed``.
    package static func verified(
        _ message: Sign1, platformKey: [UInt8], type: MessageType, binding: MessageBinding
    ) throws(SecureChannelError) -> AnswerMessage {
        try message.requireHeader(keyID: PlatformPublicKey.keyID(of: platformKey))
        let answer = try AnswerMessage(opened: message.payload)
        do throws(WireError) {
            try message.verify(ed25519: platformKey, externalAAD: answer.externalAAD)
        } catch {
            throw SecureChannelError(
                .notAuthentic, blame: .peer, "the platform's signature does not verify", underlying: error)
        }
        guard answer.type == type else {
            throw SecureChannelError(.wrongType, blame: .peer, "an answer of another type")
        }
        try binding.check(
            tenant: answer.tenant, account: answer.account, deviceID: answer.deviceID, requestID: answer.requestID)
        return answer
    }
}
