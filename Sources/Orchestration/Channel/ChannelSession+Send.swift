internal import Crypto
internal import Primitives
internal import SecureChannel
internal import Wire

/// An answer with a good seal and a good signature that belongs to its request.
struct OpenedAnswer: Sendable {
    let message: AnswerMessage

    /// The SHA-256 of the signed answer as it was received.
    let receipt: [UInt8]

    /// The command that was sent.
    let command: OrchestrationCommand

    /// The platform's time in the answer, and when it came. The round trip begins with the first sending, because the
    /// platform may have answered any of them.
    let sample: ClockSample
}

/// A secret to prove in a message. The proof is sealed beside the signed message and never inside it, so that a
/// stored signed message is no test for a password.
struct ChannelProof: Sendable {
    let instance: Instance
    let method: AuthenticationMethod
    let secret: SymmetricKey

    /// Returns the proof over a signed message, with the key ratchet of a record.
    func made(over message: Sign1, for record: UserRecord) -> InstanceProof {
        InstanceProof(
            instance: instance, method: method.rawValue, generation: record.generation,
            tag: InstanceKeys.proof(
                of: message.encoded, secret: secret, ratchet: record.ratchet, instance: instance,
                method: method.rawValue, generation: record.generation, device: record.address))
    }
}

extension ChannelSession {
    /// The life of a request in milliseconds. The platform accepts at most 5 minutes ahead of its clock, and after a
    /// restore no less than that; 10 seconds are left for the difference of the clocks.
    private static let lifetime: Int64 = 290_000

    /// Signs, proves, seals and sends a message, and opens its answer.
    func send(
        _ body: RequestBody, of record: UserRecord, by key: any DeviceKey, proof: ChannelProof?, reread: Bool,
        clock: ClockOffset
    ) async throws -> OpenedAnswer {
        let sent = environment.time.uptime()
        let now = clock.requestTime(at: environment.time.now())
        let request = RequestMessage(
            MessageHead(
                device: record.address, requestID: environment.random.bytes(FieldSize.identifier), time: now,
                ratchetIndex: record.ratchetIndex),
            reread: reread, body: body)
        let signed = try await request.signed { try await key.sign($0) }
        let sealed = SealedRequest(message: signed, proof: proof?.made(over: signed, for: record))
        let channel = try ChannelClient.seal(
            sealed.encoded, to: record.sealingKey(), as: record.channelIdentity(), requestID: request.requestID,
            expiry: now.advanced(milliseconds: Self.lifetime))
        let binding = MessageBinding(device: record.address, requestID: request.requestID)
        return try await Courier(transport: environment.transport).deliver(channel.command) { answer in
            // What does not open, verify and belong to this request is not the platform's answer: it counts as lost.
            guard
                case .sealed(let answer) = try? Envelope(decoding: answer),
                let plaintext = try? channel.answer.open(answer),
                let sealed = try? SealedAnswer(decoding: plaintext),
                let verified = try? AnswerMessage.verified(
                    sealed.message, platformKey: record.signingKey.bytes, type: request.type, binding: binding)
            else { return nil }
            return OpenedAnswer(
                message: verified.message, receipt: verified.receiptHash, command: channel.command,
                sample: ClockSample(
                    platform: verified.message.time, received: environment.time.now(),
                    roundTrip: (environment.time.uptime() - sent).wholeMilliseconds))
        }
    }
}
