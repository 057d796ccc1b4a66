internal import Crypto
package import Primitives

/// The platform's first step of an activation.
///
/// An unknown user, a wrong handle and a used activation password are processed in the same way with a decoy. Nothing
/// here depends on whether the activation password is real.
package enum ActivationResponder {
    /// Answers request 1.
    ///
    /// - Parameters:
    ///   - request: The request, as it was received.
    ///   - secret: The eight secret characters of the activation password.
    ///   - account: The account as the platform spells it.
    ///   - tenant: 1 to 64 bytes of ASCII, the same on both sides.
    ///   - suites: The suites that the platform allows.
    ///   - minimum: The weakest suite that is accepted, for instance the best one that the device has used.
    ///   - capabilities: The capabilities of the platform. The offered capabilities that are among them are agreed.
    ///   - random: The source of the scalar.
    /// - Returns: Answer 1, and the state for step 2.
    /// - Throws: ``SecureChannelError/Code/unsupportedSuite`` if the two sides have no suite in common,
    ///   ``SecureChannelError/Code/lowOrderPoint``, ``SecureChannelError/Code/malformed``. All of them depend only on
    ///   the request.
    package static func answer(
        _ request: ActivationRequest, secret: borrowing SecretBytes, account: AccountName, tenant: String,
        suites: [Suite], minimum: Suite, capabilities: Set<Capability>, random: any RandomSource
    ) throws(SecureChannelError) -> (answer: OrchestrationCommand, state: ActivationResponderState) {
        let offered = request.offer.suites.compactMap { UInt8(exactly: $0).flatMap(Suite.init(rawValue:)) }
        let common = Set(offered).intersection(suites).intersection(Suite.supported).filter { $0 >= minimum }
        guard let suite = common.max() else {
            throw SecureChannelError(.unsupportedSuite, blame: .peer, "there is no suite that both sides allow")
        }
        let hybrid = try encapsulate(request.offer, suite: suite)
        let choice = ActivationChoice(
            suite: suite.wire, capabilities: capabilities.agreed(with: request.offer.capabilities),
            hybridCiphertext: hybrid?.ciphertext)
        let context = ActivationContext(account: account, tenant: tenant)
        let party = try CPaceParty(
            .responder, password: secret, channelIdentifier: context.channelIdentifier, sessionID: request.sessionID,
            associatedData: choice.encoded, scalar: random.secret(32))
        let body = ActivationAnswerBody(sessionID: request.sessionID, share: party.share, choice: choice)
        let sessionKey = try party.finish(peerShare: request.share, peerAssociatedData: request.ad)
        let keys = ActivationKeys(
            sessionKey: sessionKey, hybridSecret: hybrid?.secret, sessionID: request.sessionID, request: request.bytes,
            body: body.bytes)
        let tag = keys.platformTag.withSpan { [UInt8]($0) }
        let state = ActivationResponderState(
            suite: suite, sessionID: request.sessionID, context: context, authenticatorTag: keys.authenticatorTag,
            keyRequest: keys.keyRequest, keyAnswer: keys.keyAnswer, provisioning: keys.provisioning)
        return (ActivationAnswer(body: body, tag: tag).command, state)
    }

    private static func encapsulate(
        _ offer: ActivationOffer, suite: Suite
    ) throws(SecureChannelError) -> (secret: SymmetricKey, ciphertext: [UInt8])? {
        guard suite == .hybrid else { return nil }
        guard let key = offer.hybridKey else {
            throw SecureChannelError(.malformed, blame: .peer, "suite 2 was offered without a public key")
        }
        return try XWing.encapsulate(to: key)
    }
}
