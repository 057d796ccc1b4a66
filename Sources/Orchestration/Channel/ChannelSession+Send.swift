internal import Crypto
internal import Primitives
internal import SecureChannel
internal import Wire

/// An answer whose seal and signature are good and that belongs to its request.
struct OpenedAnswer: Sendable {
    let message: AnswerMessage
    /// SHA-256 of the signed answer as it came.
    let receipt: [UInt8]
    /// The command that left.
    let command: OrchestrationCommand
    /// When the answer came, by the device's clock.
    let received: Timestamp
    /// How many milliseconds before that the command left for the first time: the platform may have answered any of its
    /// sendings. A clock that is set in between does not change it.
    let roundTrip: Int64
}

extension ClockOffset {
    /// The offset after an answer.
    func observing(_ answer: OpenedAnswer) -> ClockOffset {
        var offset = self
        offset.observe(platform: answer.message.time, received: answer.received, roundTrip: answer.roundTrip)
        return offset
    }
}

extension ChannelSession {
    /// Signs, proves, seals and sends a message, and opens what comes back.
    func send(
        _ body: RequestBody, of record: UserRecord, by key: any DeviceKey, proof: ChannelProof?, reread: Bool,
        clock: ClockOffset
    ) async throws -> OpenedAnswer {
        let sent = environment.time.uptime()
        let now = clock.requestTime(at: environment.time.now())
        let request = RequestMessage(
            device: record.address, requestID: environment.random.bytes(FieldSize.identifier), time: now,
            ratchetIndex: record.ratchetIndex, reread: reread, body: body)
        let signed = try await request.signed { try await key.sign($0) }
        let sealed = SealedRequest(message: signed, proof: proof?.made(over: signed, for: record))
        let channel = try ChannelClient.seal(
            sealed.encoded, to: record.sealingKey(), as: record.channelIdentity(), requestID: request.requestID,
            expiry: now.advanced(milliseconds: Self.lifetime))
        let signingKey = record.signingKey.bytes
        let binding = MessageBinding(device: record.address, requestID: request.requestID)
        let courier = Courier(transport: environment.transport)
        return try await courier.deliver(channel.command) { answer in
            // Whatever does not open, verify and belong to this request has never been the platform's answer to it.
            guard
                case .sealed(let answer) = try? Envelope(decoding: answer),
                let plaintext = try? channel.answer.open(answer),
                let sealed = try? SealedAnswer(decoding: plaintext),
                let verified = try? AnswerMessage.verified(
                    sealed.message, platformKey: signingKey, type: request.type, binding: binding)
            else { return nil }
            return OpenedAnswer(
                message: verified.message, receipt: verified.receiptHash, command: channel.command,
                received: environment.time.now(), roundTrip: environment.time.uptime() - sent)
        }
    }
}
