internal import Crypto
package import Primitives

/// A request of the channel that is not yet opened: its header, which names the keys.
package struct ChannelRequest: Sendable {
    /// The header. It is authentic only after ``open(with:as:)`` has returned.
    package let header: ChannelRequestHeader

    /// The SHA-256 of the command. The platform uses it to recognize a repetition.
    package let hash: [UInt8]

    private let message: Encrypt0

    /// Reads the header of a sealed message.
    ///
    /// - Parameter message: The sealed message of an ``Envelope``.
    /// - Throws: ``SecureChannelError/Code/wrongRequest`` for a message that is not a request, such as an answer.
    package init(_ message: Encrypt0) throws(SecureChannelError) {
        do throws(WireError) {
            header = try ChannelRequestHeader(message.header)
        } catch {
            throw SecureChannelError(
                .wrongRequest, blame: .peer, "the message does not have the header of a sealed request",
                underlying: error)
        }
        self.message = message
        hash = SHA256.hash(data: message.encoded).withSpan { [UInt8]($0) }
    }

    /// Opens the request.
    ///
    /// An opened request comes from the device. It may still be late (see ``isTimely(at:)``) or a repetition, which the
    /// platform recognizes by its stored request ids.
    ///
    /// - Parameters:
    ///   - key: The key that ``ChannelRequestHeader/platformKeyID`` names.
    ///   - identity: The identity of the device that ``ChannelRequestHeader/deviceID`` names.
    /// - Returns: The plaintext, the encoding of a ``SealedRequest``, and the sealer of the answer.
    /// - Throws: ``SecureChannelError/Code/wrongParty``, ``SecureChannelError/Code/wrongKey``,
    ///   ``SecureChannelError/Code/unsupportedSuite`` if header, key and device do not have the same suite,
    ///   ``SecureChannelError/Code/lowOrderPoint``, ``SecureChannelError/Code/notAuthentic``.
    package func open(
        with key: SealingKeyPair, as identity: ChannelIdentity
    ) throws(SecureChannelError) -> (plaintext: [UInt8], answer: AnswerSealer) {
        guard header.deviceID == identity.device.id else {
            throw SecureChannelError(.wrongParty, blame: .peer, "the request belongs to another device")
        }
        guard header.platformKeyID == key.kid else {
            throw SecureChannelError(.wrongKey, blame: .peer, "the request is sealed to another key")
        }
        guard header.suite == key.suite.wire, key.suite == identity.suite else {
            throw SecureChannelError(
                .unsupportedSuite, blame: .peer, "header, key and device do not have the same suite")
        }
        let context = try key.privateKey.recipient(
            encapsulatedKey: header.encapsulatedKey, info: identity.info(platformKeyID: key.kid))
        let requestKey = ChannelKeys.request(
            exported: try context.export(.request), presharedKey: identity.presharedKey, random: header.random)
        let plaintext = try requestKey.open(message)
        let answer = AnswerSealer(identity: identity, exported: try context.export(.answer), requestHash: hash)
        return (plaintext, answer)
    }
}

extension ChannelRequest {
    /// The maximum time from the platform's clock to an expiry, in milliseconds: 5 minutes.
    package static let maximumLifetime: Int64 = 300_000

    /// The time for which a request and its answer are stored after the expiry, in milliseconds: 60 seconds.
    package static let replayRetention: Int64 = 60_000

    /// Whether the expiry has not passed and is at most ``maximumLifetime`` ahead.
    ///
    /// The platform also opens other requests. It answers them with its time, sealed, and they have no other effect.
    package func isTimely(at now: Timestamp) -> Bool {
        header.expiry >= now && header.expiry <= now.advanced(milliseconds: Self.maximumLifetime)
    }

    /// The time until which the platform must store the request.
    package var rememberUntil: Timestamp { header.expiry.advanced(milliseconds: Self.replayRetention) }
}

/// The sealer of the answer to one request. It has no stored form; the platform stores the answer.
package struct AnswerSealer: Sendable {
    private let identity: ChannelIdentity
    private let exported: SymmetricKey
    private let requestHash: [UInt8]

    init(identity: ChannelIdentity, exported: SymmetricKey, requestHash: [UInt8]) {
        self.identity = identity
        self.exported = exported
        self.requestHash = requestHash
    }

    /// Seals an answer. An answer that is sealed twice has two keys. Two answers, and answers to two requests, have two
    /// keys even if a snapshot makes their random bytes equal.
    ///
    /// - Parameters:
    ///   - plaintext: The encoding of a ``SealedAnswer``.
    ///   - random: The source of 32 bytes that the key depends on.
    package func seal(
        _ plaintext: [UInt8], random: any RandomSource
    ) throws(SecureChannelError) -> OrchestrationCommand {
        let header = ChannelAnswerHeader(
            deviceID: identity.device.id,
            random: ChannelKeys.answerRandom(
                for: plaintext, to: requestHash, presharedKey: identity.presharedKey, random: random),
            requestHash: requestHash)
        let key = ChannelKeys.answer(
            exported: exported, presharedKey: identity.presharedKey, random: header.random)
        return try key.command(sealing: plaintext, header: header.protected)
    }
}
