internal import Crypto
package import Primitives

/// The device's side of the channel: it seals a request and opens the answer.
package enum ChannelClient {
    /// Seals a request.
    ///
    /// - Parameters:
    ///   - plaintext: The encoding of a ``SealedRequest``.
    ///   - platformKey: A key of the identity's suite.
    ///   - requestID: 16 fresh random bytes. A repetition sends the same command, never a new one with the same id.
    ///   - expiry: At most 5 minutes ahead of the platform's clock.
    ///   - random: The source of 32 bytes that the key depends on, in addition to the ephemeral key of HPKE.
    /// - Returns: The command, and the opener of its answer. Keep the opener in memory only, and release it after the
    ///   answer: recorded traffic then cannot be opened, whatever is stolen later.
    /// - Throws: ``SecureChannelError/Code/unsupportedSuite`` for a key of another suite,
    ///   ``SecureChannelError/Code/wrongKey``, ``SecureChannelError/Code/lowOrderPoint``,
    ///   ``SecureChannelError/Code/malformed`` for parts of a wrong length.
    package static func seal(
        _ plaintext: [UInt8], to platformKey: PlatformPublicKey, as identity: ChannelIdentity, requestID: [UInt8],
        expiry: Timestamp, random: any RandomSource
    ) throws(SecureChannelError) -> (command: OrchestrationCommand, answer: AnswerOpener) {
        guard platformKey.suite == identity.suite else {
            throw SecureChannelError(.unsupportedSuite, blame: .peer, "the platform key belongs to another suite")
        }
        guard identity.device.id.count == FieldSize.identifier, requestID.count == FieldSize.identifier else {
            throw SecureChannelError(.malformed, blame: .caller, "a device id or request id does not have 16 bytes")
        }
        let context = try platformKey.sender(info: identity.info(platformKeyID: platformKey.kid))
        let header = ChannelRequestHeader(
            deviceID: identity.device.id, suite: identity.suite.wire, encapsulatedKey: [UInt8](context.encapsulatedKey),
            requestID: requestID, expiry: expiry, platformKeyID: platformKey.kid,
            random: ChannelKeys.requestRandom(for: plaintext, presharedKey: identity.presharedKey, random: random))
        let key = ChannelKeys.request(
            exported: try context.export(.request), presharedKey: identity.presharedKey, random: header.random)
        let command = try key.command(sealing: plaintext, header: header.protected)
        let answer = AnswerOpener(
            identity: identity, exported: try context.export(.answer),
            requestHash: SHA256.hash(data: command.bytes).withSpan { [UInt8]($0) })
        return (command, answer)
    }
}

/// The opener of the answer to one request. It has no stored form.
package struct AnswerOpener: Sendable {
    /// The SHA-256 of the request as sent.
    package let requestHash: [UInt8]

    private let identity: ChannelIdentity
    private let exported: SymmetricKey

    init(identity: ChannelIdentity, exported: SymmetricKey, requestHash: [UInt8]) {
        self.identity = identity
        self.exported = exported
        self.requestHash = requestHash
    }

    /// Opens the answer.
    ///
    /// Only the returned plaintext may change the state of the client. After an error, the answer may still arrive.
    ///
    /// - Parameter message: The sealed message of an ``Envelope``.
    /// - Returns: The plaintext, the encoding of a ``SealedAnswer``.
    /// - Throws: ``SecureChannelError/Code/wrongRequest`` for an answer to another request or a message that is not an
    ///   answer, ``SecureChannelError/Code/wrongParty`` for an answer to another device,
    ///   ``SecureChannelError/Code/notAuthentic``.
    package func open(_ message: Encrypt0) throws(SecureChannelError) -> [UInt8] {
        let header: ChannelAnswerHeader
        do throws(WireError) {
            header = try ChannelAnswerHeader(message.header)
        } catch {
            throw SecureChannelError(
                .wrongRequest, blame: .peer, "the message does not have the header of a sealed answer",
                underlying: error)
        }
        guard header.deviceID == identity.device.id else {
            throw SecureChannelError(.wrongParty, blame: .peer, "the answer belongs to another device")
        }
        guard header.requestHash == requestHash else {
            throw SecureChannelError(.wrongRequest, blame: .peer, "the answer belongs to another request")
        }
        let key = ChannelKeys.answer(
            exported: exported, presharedKey: identity.presharedKey, random: header.random)
        return try key.open(message)
    }
}
