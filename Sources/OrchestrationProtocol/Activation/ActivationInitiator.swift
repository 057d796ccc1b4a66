internal import Crypto
package import Primitives

/// The authenticator's first step of an activation: one request and one answer.
///
/// The command stays the same, so it can be sent again if an answer is lost. The first answer with a wrong tag ends the
/// step, because a platform that does not know the activation password has used its one guess.
package struct ActivationInitiator: ~Copyable {
    /// Request 1.
    package let command: OrchestrationCommand

    private let request: ActivationRequest
    private let context: ActivationContext
    private let suites: [Suite]
    private let party: CPaceParty
    private let hybridKey: (any HybridKey)?

    /// Creates request 1.
    ///
    /// - Parameters:
    ///   - secret: The eight secret characters of the activation password.
    ///   - handle: The public part of the activation password, 15 bits.
    ///   - account: The account that is activated.
    ///   - tenant: 1 to 64 bytes of ASCII, the same on both sides.
    ///   - suites: The suites to offer, at least one.
    ///   - capabilities: The capabilities of the authenticator.
    ///   - random: The source of the session id, the scalar and the X-Wing seed.
    /// - Throws: ``SecureChannelError/Code/unsupportedSuite`` if no suite is offered, or if this system does not
    ///   support one.
    package init(
        secret: borrowing SecretBytes, handle: UInt16, account: AccountName, tenant: String, suites: [Suite],
        capabilities: Set<Capability>, random: any RandomSource
    ) throws(SecureChannelError) {
        let suites = Set(suites).sorted()
        guard !suites.isEmpty, Set(suites).isSubset(of: Suite.supported) else {
            throw SecureChannelError(
                .unsupportedSuite, blame: .caller, "there is no suite, or one that this system does not have")
        }
        let context = ActivationContext(account: account, tenant: tenant)
        let hybridKey = suites.contains(.hybrid) ? try XWing.key(seed: random.secret(32)) : nil
        let offer = ActivationOffer(
            account: account.text, handle: handle, suites: suites.map(\.wire),
            capabilities: capabilities.numbers, hybridKey: hybridKey?.publicBytes)
        let sessionID = random.bytes(FieldSize.identifier)
        // The party is created and assigned last, because a throw must not leave it partly owned.
        let party = try CPaceParty(
            .initiator, password: secret, channelIdentifier: context.channelIdentifier, sessionID: sessionID,
            associatedData: offer.encoded, scalar: random.secret(32))
        request = ActivationRequest(sessionID: sessionID, share: party.share, offer: offer)
        command = request.command
        self.context = context
        self.suites = suites
        self.hybridKey = hybridKey
        self.party = party
    }

    /// Returns the reply to request 1 in a decoded command.
    ///
    /// The initiator does not change. A refused command is not a reply of this session. Treat it as a lost reply: it
    /// has revealed nothing about the activation password.
    ///
    /// - Throws: ``SecureChannelError/Code/wrongSession`` for a reply to another activation,
    ///   ``SecureChannelError/Code/wrongRequest`` for a command that does not answer request 1.
    package borrowing func reply(
        in envelope: Envelope
    ) throws(SecureChannelError) -> ActivationReply<ActivationAnswer> {
        switch envelope {
        case .activationAnswer(let answer) where answer.sessionID == request.sessionID:
            return .answer(answer)
        case .activationRefusal(let refusal) where refusal.sessionID == request.sessionID:
            return .refusal(refusal.reason)
        case .activationAnswer, .activationRefusal:
            throw SecureChannelError(.wrongSession, blame: .peer, "the answer belongs to another activation")
        case .activationRequest, .activationKeyRequest, .activationKeyAnswer, .approvalPointer, .sealed:
            throw SecureChannelError(.wrongRequest, blame: .peer, "the command does not answer an activation request")
        }
    }

    /// Ends the exchange with the platform's answer. The initiator must not be used again, whatever the outcome.
    ///
    /// The method borrows, because consuming a value out of an owner whose other fields are read is miscompiled with
    /// optimization (Swift 6.3.1).
    ///
    /// - Parameter message: The answer that ``reply(in:)`` returned.
    /// - Throws: ``SecureChannelError/Code/wrongActivationPassword`` if the platform does not know the activation
    ///   password, ``SecureChannelError/Code/unsupportedSuite`` for a suite that was not offered,
    ///   ``SecureChannelError/Code/malformed`` for a capability that was not offered and for a malformed answer,
    ///   ``SecureChannelError/Code/wrongSession``, ``SecureChannelError/Code/lowOrderPoint``.
    package borrowing func receive(
        _ message: ActivationAnswer
    ) throws(SecureChannelError) -> ActivationSession {
        guard message.sessionID == request.sessionID else {
            throw SecureChannelError(.wrongSession, blame: .peer, "the answer belongs to another activation")
        }
        let suite = try Suite(wire: message.choice.suite)
        guard suites.contains(suite) else {
            throw SecureChannelError(
                .unsupportedSuite, blame: .peer, "the platform has chosen a suite that was not offered")
        }
        guard message.choice.capabilities.allSatisfy(request.offer.capabilities.contains) else {
            throw SecureChannelError(
                .malformed, blame: .peer, "the platform has agreed to a capability that was not offered")
        }
        let hybridSecret = try hybridSecret(message.choice.hybridCiphertext, suite: suite)
        let sessionKey = try party.sessionKey(peerShare: message.share, peerAssociatedData: message.ad)
        let keys = ActivationKeys(
            sessionKey: sessionKey, hybridSecret: hybridSecret, sessionID: request.sessionID, request: request.bytes,
            body: message.body)
        guard keys.platformTag.matches(message.tag) else {
            throw SecureChannelError(
                .wrongActivationPassword, blame: .user,
                "the platform's tag is wrong: it does not know the activation password")
        }
        return ActivationSession(
            suite: suite, capabilities: message.choice.capabilities, sessionID: request.sessionID, context: context,
            keys: keys)
    }

    private borrowing func hybridSecret(
        _ ciphertext: [UInt8]?, suite: Suite
    ) throws(SecureChannelError) -> SymmetricKey? {
        guard suite == .hybrid else { return nil }
        guard let hybridKey, let ciphertext else {
            throw SecureChannelError(.malformed, blame: .peer, "suite 2 was chosen without a ciphertext")
        }
        return try hybridKey.decapsulate(ciphertext)
    }
}

/// The platform's reply to request 1 or 2 of an activation.
package enum ActivationReply<Answer: Sendable & Hashable>: Sendable, Hashable {
    /// The answer of this session. Whether the platform knows the activation password is not yet verified.
    case answer(Answer)
    /// The platform's refusal. It is not authenticated: it may end the run, but must not change stored state.
    case refusal(ActivationRefusal.Reason)
}
