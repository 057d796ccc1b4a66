internal import Crypto
package import Primitives

/// The authenticator's second step of an activation. The platform has proved that it knows the activation password, and
/// keys can be exchanged.
package struct ActivationSession: ~Copyable {
    /// The suite that the platform chose. The channel also uses it.
    package let suite: Suite

    /// The capabilities that both sides have, ascending.
    package let capabilities: [UInt64]

    package let sessionID: [UInt8]

    private let context: ActivationContext
    private let keys: ActivationKeys
    private var request: (registration: DeviceRegistration, command: OrchestrationCommand)?

    init(
        suite: Suite, capabilities: [UInt64], sessionID: [UInt8], context: ActivationContext, keys: ActivationKeys
    ) {
        self.suite = suite
        self.capabilities = capabilities
        self.sessionID = sessionID
        self.context = context
        self.keys = keys
    }

    /// Returns request 2. The same registration returns the same bytes again.
    ///
    /// - Parameter random: The source of 32 bytes that the key depends on.
    /// - Throws: ``SecureChannelError/Code/malformed`` for a registration that differs from the previous one, because a
    ///   session registers one device.
    package mutating func seal(
        _ registration: DeviceRegistration, random: any RandomSource
    ) throws(SecureChannelError) -> OrchestrationCommand {
        if let request {
            guard request.registration == registration else {
                throw SecureChannelError(
                    .malformed, blame: .caller, "a second registration cannot be sealed under one key")
            }
            return request.command
        }
        let plaintext = registration.encoded
        let random = keys.keyRequest.random(for: plaintext, random: random)
        let sealed = try keys.keyRequest.key(random: random).seal(
            plaintext, header: ActivationKeyRequest.header(random: random))
        let tag = keys.authenticatorTag.withSpan { [UInt8]($0) }
        let command = ActivationKeyRequest(
            sessionID: sessionID, tag: tag, random: random, ciphertext: sealed.ciphertext
        ).command
        request = (registration, command)
        return command
    }

    /// Returns the reply to request 2 in a decoded command.
    ///
    /// The session can continue after each error.
    ///
    /// - Throws: ``SecureChannelError/Code/wrongSession`` for a reply to another activation,
    ///   ``SecureChannelError/Code/wrongRequest`` for a command that does not answer request 2.
    package borrowing func reply(
        in envelope: Envelope
    ) throws(SecureChannelError) -> ActivationReply<ActivationKeyAnswer> {
        switch envelope {
        case .activationKeyAnswer(let answer) where answer.sessionID == sessionID:
            return .answer(answer)
        case .activationRefusal(let refusal) where refusal.sessionID == sessionID:
            return .refusal(refusal.reason)
        case .activationKeyAnswer, .activationRefusal:
            throw SecureChannelError(.wrongSession, blame: .peer, "the answer belongs to another activation")
        case .activationRequest, .activationAnswer, .activationKeyRequest, .approvalPointer, .sealed:
            throw SecureChannelError(
                .wrongRequest, blame: .peer, "the command does not answer an activation key request")
        }
    }

    /// Opens answer 2.
    ///
    /// The session can continue after each error.
    ///
    /// - Parameter answer: The answer that ``reply(in:)`` returned.
    /// - Throws: ``SecureChannelError/Code/wrongSession``, ``SecureChannelError/Code/notAuthentic`` and
    ///   ``SecureChannelError/Code/malformed``.
    package borrowing func open(_ answer: ActivationKeyAnswer) throws(SecureChannelError) -> Provisioning {
        guard answer.sessionID == sessionID else {
            throw SecureChannelError(.wrongSession, blame: .peer, "the answer belongs to another activation")
        }
        return try Provisioning(opened: keys.keyAnswer.key(random: answer.random).open(answer.sealed))
    }

    /// Returns the secrets of the device. The exchange's keys end with the session, which must not be used again.
    ///
    /// The method borrows, because consuming a field of an owner whose other fields are read is miscompiled with
    /// optimization (Swift 6.3.1).
    package borrowing func secrets(
        registration: DeviceRegistration, provisioning: Provisioning
    ) -> ActivationSecrets {
        ActivationSecrets(
            provisioning: keys.provisioning, context: context, registration: registration, answer: provisioning)
    }
}
