internal import Crypto
package import Primitives
package import Wire

/// The authenticator's first step of an activation: one request, one answer.
///
/// The command stays the same, so it can be sent again when an answer is lost. The first answer with a wrong tag ends
/// it: a platform that does not know the code has had its one guess.
package struct ActivationInitiator: ~Copyable {
    /// Request 1.
    package let command: OrchestrationCommand

    private let request: ActivationRequest
    private let context: ActivationContext
    private let suites: [Suite]
    private let party: CPaceParty
    private let hybridKey: (any HybridKey)?

    /// - Parameters:
    ///   - secret: the eight secret characters of the code.
    ///   - handle: what names the code.
    ///   - account: who activates.
    ///   - tenant: 1 to 64 bytes of ASCII, the same on both sides.
    ///   - suites: what to offer; none, or one that this system cannot do, is an error.
    ///   - capabilities: what else the authenticator can do.
    ///   - random: gives session id, scalar and X-Wing seed.
    package init(
        secret: borrowing SecretBytes, handle: UInt16, account: AccountName, tenant: String, suites: [Suite],
        capabilities: [UInt64], random: any RandomSource
    ) throws(SecureChannelError) {
        let suites = Set(suites).sorted()
        guard !suites.isEmpty, Set(suites).isSubset(of: Suite.supported) else {
            throw SecureChannelError(.unsupportedSuite, blame: .caller, "no suite, or one that this system cannot do")
        }
        let context = ActivationContext(account: account, tenant: tenant)
        let hybridKey = suites.contains(.hybrid) ? try XWing.key(seed: random.secret(32)) : nil
        let offer = ActivationOffer(
            account: account.text, handle: handle, suites: suites.map(\.wire),
            capabilities: Set(capabilities).sorted(), hybridKey: hybridKey?.publicBytes)
        let sessionID = random.bytes(FieldSize.identifier)
        // Assigned last: a throw may not leave a party half owned.
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

    /// Looks at what came back without using it up.
    ///
    /// What this refuses is no answer of this session at all, a stray or damaged command, and can be treated as a lost
    /// one: nothing was learned from it and no guess was spent.
    package borrowing func read(_ answer: OrchestrationCommand) throws(SecureChannelError) -> ActivationReply {
        switch try Envelope(opening: answer) {
        case .activationAnswer(let message) where message.sessionID == request.sessionID:
            return .answer
        case .activationRefusal(let refusal) where refusal.sessionID == request.sessionID:
            return .refusal(refusal.reason)
        case .activationAnswer, .activationRefusal:
            throw SecureChannelError(.wrongSession, blame: .peer, "an answer of another activation")
        case .activationRequest, .activationKeyRequest, .activationKeyAnswer, .sealed:
            throw SecureChannelError(.wrongRequest, blame: .peer, "not an answer to an activation request")
        }
    }

    /// Ends the exchange: its owner lets go of it afterwards, whatever comes out.
    ///
    /// Borrowing, because consuming it out of an owner whose other fields are read is miscompiled with optimization.
    ///
    /// - Throws: ``SecureChannelError/Code/wrongCode`` when the platform does not know the code,
    ///   ``SecureChannelError/Code/refused``, ``SecureChannelError/Code/unsupportedSuite`` for a suite that was not
    ///   offered, or as ``read(_:)`` does.
    package borrowing func receive(
        _ answer: OrchestrationCommand
    ) throws(SecureChannelError) -> ActivationSession {
        guard try read(answer) == .answer, case .activationAnswer(let message) = try Envelope(opening: answer) else {
            throw SecureChannelError(.refused, blame: .peer, "the platform has refused the activation")
        }
        let suite = try Suite(wire: message.choice.suite)
        guard suites.contains(suite) else {
            throw SecureChannelError(.unsupportedSuite, blame: .peer, "a suite that was not offered")
        }
        let hybridSecret = try hybridSecret(message.choice.hybridCiphertext, suite: suite)
        let sessionKey = try party.sessionKey(peerShare: message.share, peerAssociatedData: message.ad)
        let keys = ActivationKeys(
            sessionKey: sessionKey, hybridSecret: hybridSecret, sessionID: request.sessionID, request: request.bytes,
            body: message.body)
        guard keys.platformTag.matches(message.tag) else {
            throw SecureChannelError(.wrongCode, blame: .user, "the platform's tag is wrong")
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
            throw SecureChannelError(.malformed, blame: .peer, "suite 2 without a ciphertext")
        }
        return try hybridKey.decapsulate(ciphertext)
    }
}

/// What kind of command has answered request 1.
package enum ActivationReply: Sendable, Hashable {
    /// The platform's half of the exchange. Whether it knows the code is not said yet.
    case answer
    /// The platform's no. Nobody vouches for it: it may end the run and change nothing that is stored.
    case refusal(ActivationRefusal.Reason)
}
