internal import Crypto
internal import Primitives
package import Wire

/// What the platform keeps between the two steps of an exchange: derived keys, never the scalar, ISK, PRK or the code.
package struct ActivationResponderState: Sendable {
    /// What was chosen.
    package let suite: Suite

    package let sessionID: [UInt8]

    let context: ActivationContext
    let authenticatorTag: SymmetricKey
    let keyRequest: OneTimeKey
    let keyAnswer: OneTimeKey
    let provisioning: SymmetricKey

    /// Opens request 2.
    ///
    /// - Throws: ``SecureChannelError/Code/wrongCode`` when the tag differs: the authenticator does not know the code.
    ///   The comparison takes the same time wherever it does. ``SecureChannelError/Code/wrongSession``,
    ///   ``SecureChannelError/Code/notAuthentic``, ``SecureChannelError/Code/malformed``.
    package func open(_ request: ActivationKeyRequest) throws(SecureChannelError) -> DeviceRegistration {
        guard request.sessionID == sessionID else {
            throw SecureChannelError(.wrongSession, blame: .peer, "a request of another activation")
        }
        guard authenticatorTag.matches(request.tag) else {
            throw SecureChannelError(.wrongCode, blame: .peer, "the authenticator's tag is wrong")
        }
        let registration = try DeviceRegistration(opened: keyRequest.open(request.sealed))
        // A key that is no point of the curve could never verify anything; it is refused before it is stored.
        do {
            _ = try P256.Signing.PublicKey(compressedRepresentation: registration.deviceKey)
        } catch {
            throw SecureChannelError(.malformed, blame: .peer, "a device key is no point of P-256", underlying: error)
        }
        return registration
    }

    /// Answer 2. The key seals one message: an answer that has left must be stored and never made again with another
    /// content.
    package func seal(_ answer: Provisioning) throws(SecureChannelError) -> OrchestrationCommand {
        let sealed = try keyAnswer.seal(answer.encoded, header: COSEHeader(algorithm: .a256GCM))
        return ActivationKeyAnswer(sessionID: sessionID, sealed: sealed).command
    }

    /// The secrets, from what both sides have added.
    package func secrets(registration: DeviceRegistration, provisioning answer: Provisioning) -> ActivationSecrets {
        ActivationSecrets(provisioning: provisioning, context: context, registration: registration, answer: answer)
    }
}
