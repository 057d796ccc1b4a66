internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// A sealed request that was opened and whose signature was verified. It also makes the answer.
///
/// It is made once for each request. It depends on the device key and the channel key only, which never change until
/// the device is revoked. Values that change with the device's row, such as the ratchet key, are arguments.
struct VerifiedRequest: Sendable {
    let request: ChannelRequest
    let device: DeviceAddress
    let suite: Suite
    private let verified: Verified<RequestMessage>
    private let ratchetPart: RatchetPart
    private let proof: InstanceProof?
    private let answer: AnswerSealer
    /// The keys of the platform when the request was opened.
    ///
    /// The message and a new receipt are signed with these keys. The statements of the answer list them. A rotation may
    /// replace the platform's keys before the answer is made.
    let platformKeys: PlatformKeys
    /// The key that the request is sealed to.
    private let sealingKey: PlatformKeyRecord
    /// The number of the key statement that the device had confirmed when the request was opened.
    private let confirmed: UInt64

    /// Opens a request and verifies its signature.
    ///
    /// - Parameters:
    ///   - record: The device that the header names.
    ///   - channelKey: The pre-shared key of the device.
    ///   - now: The time at which the sealing key of the request must still be kept.
    /// - Throws: ``PlatformError`` with `undecodableCommand` when the request is not authentic.
    init(
        _ request: ChannelRequest, from record: DeviceRecord, channelKey: SymmetricKey, platformKeys: PlatformKeys,
        tenant: String, now: Timestamp
    ) throws {
        let header = request.header
        guard let suite = UInt8(exactly: header.suite).flatMap(Suite.init(rawValue:)), suite.rawValue >= record.suite,
            let key = platformKeys.sealingKey(header.platformKeyID, at: now), key.pair.suite == suite,
            record.deviceKeyAlgorithm == COSEAlgorithm.esp256.rawValue
        else { throw PlatformError(.undecodableCommand) }
        self.platformKeys = platformKeys
        sealingKey = key.record
        confirmed = record.keyStatement
        do {
            device = DeviceAddress(
                tenant: tenant, account: try AccountName(text: record.account, defaultDomain: ""), id: record.id)
            let (plaintext, answer) = try request.open(
                with: key.pair, as: ChannelIdentity(device: device, suite: suite, presharedKey: channelKey))
            let sealed = try SealedRequest(decoding: plaintext)
            ratchetPart = sealed.ratchet
            proof = sealed.proof
            verified = try RequestMessage.verified(
                sealed.message, deviceKey: record.deviceKey,
                binding: MessageBinding(device: device, requestID: header.requestID))
            self.answer = answer
        } catch {
            throw PlatformError(.undecodableCommand, underlying: error)
        }
        self.request = request
        self.suite = suite
    }

    /// The message that the device signed.
    var message: RequestMessage { verified.message }

    /// Whether the signed time is at most 5 minutes before or after the platform's clock.
    ///
    /// The signature does not cover the expiry, which limits how long the request may travel. A third party sees the
    /// signed time later, so it must be right as well.
    func isTimely(at now: Timestamp) -> Bool {
        now.milliseconds(since: message.time).magnitude <= ChannelRequest.maximumLifetime
    }

    /// Whether the request may have an effect: its sealing key is honored for the message, and the device can verify
    /// the answer, because one answer contains all key statements that it lacks.
    ///
    /// The type of the message is known only now, inside of the seal.
    ///
    /// - Parameter device: The row of the device.
    func hasCurrentKeys(device: DeviceRecord, at now: Timestamp) -> Bool {
        guard sealingKey.isHonored(for: message.type, at: now) else { return false }
        if case .synchronize = message.body { return true }
        return platformKeys.isWithinOneAnswer(of: device.keyStatement)
    }

    /// Returns the number of the latest key statement that the device has confirmed.
    func confirmedStatement(device: DeviceRecord) -> UInt64 {
        guard case .synchronize(let message) = message.body else { return device.keyStatement }
        // A device cannot confirm a statement that does not exist. The stored number never falls.
        return max(device.keyStatement, min(message.statement, platformKeys.latest.sequence))
    }

    /// The generation of the password that the proof names; `nil` for a request without a proof.
    var proofGeneration: UInt64? { proof?.generation }

    /// Compares the request with the key ratchet.
    ///
    /// - Parameter fresh: The platform's input, if it offers the next index.
    func ratchetCheck(
        device record: DeviceRecord, keys: DeviceKeys, fresh: SymmetricKey, now: Timestamp
    ) throws -> RatchetCheck {
        try RatchetCheck(
            ratchetPart, at: message.ratchetIndex, of: verified.encoded, device: device, record: record,
            keys: keys.ratchet, fresh: fresh, now: now)
    }

    /// Checks the proof of the request.
    ///
    /// - Parameter ratchet: D at the index of the request; `nil` when the request is refused for its index.
    func proofOutcome(device record: DeviceRecord, keys: DeviceKeys, ratchet: SymmetricKey?) -> ProofOutcome {
        guard let proof, let ratchet else { return .absent }
        // The secret of the proof decides the method. A proof that claims another method is not valid.
        guard proof.method == proof.instance.method.rawValue else { return .absent }
        switch GenerationState(record, offers: keys.secrets.offers).position(of: proof.generation) {
        case .current, .next: break
        case .outdated: return .outdatedGeneration
        case .unknown: return .otherGeneration
        }
        // A method that is not registered has no secret, so its proof has no meaning.
        guard let secret = keys.secret(of: proof.instance, generation: proof.generation) else { return .absent }
        let isRight = InstanceKeys.verifyProof(
            proof.tag, of: verified.encoded, secret: secret,
            ratchet: ratchet, instance: proof.instance,
            method: proof.method, generation: proof.generation, device: device)
        return isRight ? .right(proof.instance) : .wrong(proof.instance)
    }

    /// Returns the replay that keeps an answer.
    func replay(answer: [UInt8]) -> ReplayRecord {
        ReplayRecord(
            device: device.id, request: message.requestID, requestHash: request.hash, answer: answer,
            keptUntil: request.rememberUntil)
    }

    /// Returns the replay that keeps a refusal.
    ///
    /// It is kept for at least five minutes, even for a request that has expired: a clock that is set back could make
    /// the request timely again. If the clock is wrong for longer, the request has expired by the right clock.
    func replay(_ refusal: Refusal, now: Timestamp) -> ReplayRecord {
        var record = replay(answer: [])
        record.refusal = .init(code: refusal.code.rawValue, retryAfter: refusal.retryAfter)
        record.keptUntil = max(record.keptUntil, now.advanced(milliseconds: ChannelRequest.maximumLifetime))
        return record
    }

    /// Returns the answer with a result, with the application server's notice about a refusal, and with the platform's
    /// statement about the device data.
    ///
    /// - Parameter methods: The methods of the device after the request. The acceptance of a `synchronize` names them.
    func answer(
        _ result: AnswerResult, failedPasswords: Int = 0, failedCodes: Int, notice: RefusalNotice? = nil,
        deviceData: DeviceDataReply? = nil, methods: [EnrolledMethod] = [], at now: Timestamp
    ) -> AnswerMessage {
        var registered: [RegisteredMethod] = []
        if case .synchronize = message.body, case .accepted = result {
            registered = methods.map { RegisteredMethod($0.method, publicKey: $0.key) }
        }
        return AnswerMessage(
            to: message.type,
            MessageHead(
                device: device, requestID: message.requestID, time: now, ratchetIndex: message.ratchetIndex,
                extensions: .answer(deviceData, notice, methods: registered, failedPasswords: failedPasswords)),
            failedCodes: UInt64(max(0, failedCodes)), result: result)
    }

    /// Signs and seals an answer, with the key statements that the device lacks.
    ///
    /// The key is the one in use at the time of the message. A device that does not know it gets the statements that
    /// list it together with the message, and verifies them first.
    ///
    /// - Parameter ratchetInput: b, for a device that moves to the next index.
    func seal(
        _ message: AnswerMessage, ratchetInput: SymmetricKey? = nil, random: any RandomSource
    ) throws -> SignedAnswer {
        let signed = try message.signed(with: platformKeys.signingKey(at: message.time))
        // The device names a statement in `synchronize`, and gets the later ones, regardless of what it confirmed
        // before.
        let known: UInt64 =
            if case .synchronize(let request) = self.message.body { request.statement } else { confirmed }
        let plaintext = SealedAnswer(
            message: try SignatureList([signed]), statements: platformKeys.statements(after: known),
            ratchetInput: ratchetInput.map { MessageSecret($0.secretBytes) })
        let command = try answer.seal(plaintext.encoded, random: random)
        return SignedAnswer(
            message: message, ratchetInput: ratchetInput, hash: Array(SHA256.hash(data: signed.encoded)),
            command: command)
    }
}

/// An answer that was signed and sealed.
struct SignedAnswer: Sendable {
    let message: AnswerMessage
    /// b, which is sealed next to the message; `nil` for none.
    let ratchetInput: SymmetricKey?
    /// The SHA-256 of the signed message.
    let hash: [UInt8]
    let command: OrchestrationCommand
}
