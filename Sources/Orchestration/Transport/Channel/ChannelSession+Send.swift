internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// An answer with a good seal and a good signature that belongs to its request.
struct OpenedAnswer: Sendable {
    let message: AnswerMessage

    /// The SHA-256 of the signed answer as it was received.
    let receipt: [UInt8]

    /// The command that was sent.
    let command: OrchestrationCommand

    /// The latest statement of the platform's keys, of which one has signed the answer.
    let platformKeys: KeyStatement

    /// The key statements in the answer. Statements before the device's own one are not verified.
    let statements: [SignatureList]

    /// b, the platform's input for the next state of the key ratchet; `nil` when the device stays at its index.
    let ratchetInput: MessageSecret?

    /// The platform's time in the answer, and when it came. The round trip begins with the first sending, because the
    /// platform may have answered any of them.
    let sample: ClockSample
}

/// The content of an answer with a good seal.
enum Delivery: Sendable {
    /// The answer, which is signed by a key that the device knows now.
    case answer(OpenedAnswer)
    /// The latest verified key statement. The answer is signed by a key of a later statement. It is therefore not
    /// verified, and nothing in it has an effect.
    case keys(KeyStatement)
}

/// A secret to prove in a message. The proof is sealed next to the signed message and never inside it, because a stored
/// signed message must not be a test for a password.
struct ChannelProof: Sendable {
    let instance: Instance
    let method: AuthenticationMethod
    let secret: SymmetricKey
    /// The generation of the password when the secret was read.
    let generation: UInt64

    /// Creates a proof of the password.
    ///
    /// - Parameters:
    ///   - secret: K₁ as a password unwraps it.
    ///   - generation: The generation of the record that it was unwrapped from.
    init(password secret: SymmetricKey, generation: UInt64) {
        (instance, method) = (.password, .password)
        self.secret = secret
        self.generation = generation
    }

    /// Creates a proof of possession.
    init(possessionOf record: UserRecord) {
        (instance, method) = (.possession, .possession)
        secret = record.possessionSecret
        generation = record.generation
    }

    /// Creates a proof of an enrolled method.
    ///
    /// - Parameters:
    ///   - secret: The secret of the method, which a check of the user has released.
    ///   - generation: The generation of the record that names the keys.
    init(_ method: AuthenticationMethod, secret: SymmetricKey, generation: UInt64) {
        (instance, self.method) = (Instance(of: method), method)
        self.secret = secret
        self.generation = generation
    }

    /// Returns the proof over a signed message, with the key ratchet of a record.
    func made(over message: Sign1, for record: UserRecord) -> InstanceProof {
        InstanceProof(
            instance: instance, method: method.rawValue, generation: generation,
            tag: InstanceKeys.proof(
                of: message.encoded, secret: secret, ratchet: record.ratchet, instance: instance,
                method: method.rawValue, generation: generation, device: record.address))
    }
}

extension ChannelSession {
    /// The life of a request in milliseconds. The platform accepts at most 5 minutes ahead of its clock, and after a
    /// restore no less than that. 10 seconds remain for the difference of the clocks.
    private static let lifetime: Int64 = 290_000

    /// Signs, proves, seals and sends a message, and opens its answer.
    ///
    /// - Parameter brings: Whether a restored platform may adopt the state of the key ratchet.
    func send(
        _ body: RequestBody, of record: UserRecord, by key: any DeviceKey, proof: ChannelProof?, reread: Bool,
        brings: Bool,
        clock: ClockOffset, deviceData: DeviceDataPart?
    ) async throws -> Delivery {
        let sent = environment.time.uptime()
        let now = clock.requestTime(at: environment.time.now())
        let request = requestMessage(
            body, of: record, at: now, reread: reread, extensions: .deviceData(deviceData))
        let signed = try await request.signed { try await key.sign($0) }
        let ratchet = RatchetPart(
            of: signed.encoded, state: record.ratchet, input: record.ratchetInput, brings: brings,
            device: record.address)
        let sealed = SealedRequest(
            message: signed, ratchet: ratchet, proof: proof?.made(over: signed, for: record))
        let identity = try record.channelIdentity()
        let channel = try seal(sealed, request, of: record)
        let binding = MessageBinding(device: record.address, requestID: request.requestID)
        return try await Courier(transport: environment.transport).deliver(channel.command) { answer in
            // An answer that does not open, verify and belong to this request is not the platform's. It counts as lost.
            guard
                case .sealed(let answer) = try? Envelope(decoding: answer),
                let plaintext = try? channel.answer.open(answer),
                let sealed = try? SealedAnswer(decoding: plaintext),
                // The statements come first. They are verified with the keys that the device has, and they determine
                // which keys may sign the message.
                let keys = try? record.platformKeys.verified(following: sealed.statements, suite: identity.suite)
            else { return nil }
            let isNews = keys.sequence > record.platformKeys.sequence
            guard keys.listsSigners(of: sealed.message) else {
                // A synchronization without later statements would end where it began.
                return isNews || request.type != SynchronizeMessage.type ? .keys(keys) : nil
            }
            guard
                let verified = try? AnswerMessage.verified(
                    sealed.message, keys: keys, type: request.type, binding: binding),
                !isNews || (try? keys.requireSealingKey(of: identity.suite, at: verified.message.time)) != nil
            else { return nil }
            let opened = OpenedAnswer(
                message: verified.message, receipt: verified.receiptHash, command: channel.command, platformKeys: keys,
                statements: sealed.statements, ratchetInput: sealed.ratchetInput,
                sample: ClockSample(
                    platform: verified.message.time, received: environment.time.now(),
                    roundTrip: (environment.time.uptime() - sent).wholeMilliseconds))
            return .answer(opened)
        }
    }

    /// Returns the message of a request, which the device signs.
    ///
    /// - Parameter time: The time by the platform's clock.
    func requestMessage(
        _ body: RequestBody, of record: UserRecord, at time: Timestamp, reread: Bool, extensions: Extensions
    ) -> RequestMessage {
        RequestMessage(
            MessageHead(
                device: record.address, requestID: environment.random.bytes(FieldSize.identifier), time: time,
                ratchetIndex: record.ratchetIndex, extensions: extensions),
            reread: reread, body: body)
    }

    /// Seals a signed request.
    func seal(
        _ sealed: SealedRequest, _ request: RequestMessage, of record: UserRecord
    ) throws -> (command: OrchestrationCommand, answer: AnswerOpener) {
        try ChannelClient.seal(
            sealed.encoded, to: record.sealingKey(at: request.time), as: record.channelIdentity(),
            requestID: request.requestID, expiry: request.time.advanced(milliseconds: Self.lifetime),
            random: environment.random)
    }
}
