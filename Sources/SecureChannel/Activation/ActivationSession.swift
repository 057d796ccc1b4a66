internal import Crypto
internal import Primitives
package import Wire

/// The authenticator's second step: the platform has shown that it knows the code, and keys can be handed over.
package struct ActivationSession: ~Copyable {
    /// What the platform has chosen; the channel goes on with it.
    package let suite: Suite

    /// What else the platform can do.
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

    /// Request 2. Asked again for the same registration it gives the same bytes; another one is refused, because the key
    /// seals one message only.
    package mutating func seal(_ registration: DeviceRegistration) throws(SecureChannelError) -> OrchestrationCommand {
        if let request {
            guard request.registration == registration else {
                throw SecureChannelError(.malformed, blame: .caller, "a second registration under one key")
            }
            return request.command
        }
        let sealed = try keys.keyRequest.seal(registration.encoded, header: COSEHeader(algorithm: .a256GCM))
        let tag = keys.authenticatorTag.withSpan { [UInt8]($0) }
        let command = ActivationKeyRequest(sessionID: sessionID, tag: tag, sealed: sealed).command
        request = (registration, command)
        return command
    }

    /// Opens answer 2.
    ///
    /// - Throws: ``SecureChannelError/Code/refused`` for the platform's no, ``SecureChannelError/Code/wrongSession``,
    ///   ``SecureChannelError/Code/wrongRequest``, ``SecureChannelError/Code/notAuthentic`` and
    ///   ``SecureChannelError/Code/malformed``. The session can go on after each of them.
    package borrowing func open(_ answer: OrchestrationCommand) throws(SecureChannelError) -> Provisioning {
        switch try Envelope(opening: answer) {
        case .activationKeyAnswer(let message) where message.sessionID == sessionID:
            return try Provisioning(opened: keys.keyAnswer.open(message.sealed))
        case .activationRefusal(let refusal) where refusal.sessionID == sessionID:
            throw SecureChannelError(.refused, blame: .peer, "the platform has refused the activation")
        case .activationKeyAnswer, .activationRefusal:
            throw SecureChannelError(.wrongSession, blame: .peer, "an answer of another activation")
        case .activationRequest, .activationAnswer, .activationKeyRequest, .sealed:
            throw SecureChannelError(.wrongRequest, blame: .peer, "not an answer to an activation key request")
        }
    }

    /// The secrets, from what both sides have added. The exchange's keys end with the session: its owner lets go of it.
    ///
    /// Borrowing, because consuming a field of an owner whose other fields are read is miscompiled with optimization.
    package borrowing func secrets(
        registration: DeviceRegistration, provisioning: Provisioning
    ) -> ActivationSecrets {
        ActivationSecrets(
            provisioning: keys.provisioning, context: context, registration: registration, answer: provisioning)
    }
}
