internal import Crypto
internal import Primitives
package import Wire

/// A request as the platform has received it: what is in the clear, until the keys are found.
package struct ChannelRequest: Sendable {
    /// In the clear, and authenticated only when ``open(with:as:)`` has returned.
    package let header: ChannelRequestHeader

    /// The SHA-256 of the command: what a repeat is recognized by.
    package let hash: [UInt8]

    private let message: Encrypt0

    /// Reads the header.
    ///
    /// - Throws: ``SecureChannelError/Code/wrongRequest`` when it is no request of the channel, an answer for instance;
    ///   ``SecureChannelError/Code/malformed``.
    package init(decoding command: OrchestrationCommand) throws(SecureChannelError) {
        guard case .sealed(let message) = try Envelope(opening: command) else {
            throw SecureChannelError(.wrongRequest, blame: .peer, "not a message of the channel")
        }
        do throws(WireError) {
            header = try ChannelRequestHeader(message.header)
        } catch {
            throw SecureChannelError(
                .wrongRequest, blame: .peer, "not the header of a sealed request", underlying: error)
        }
        self.message = message
        hash = SHA256.hash(data: command.bytes).withSpan { [UInt8]($0) }
    }

    /// Opens the request.
    ///
    /// What is accepted here is from the device, but may be a repeat or late: see ``isTimely(at:)``, and the platform's
    /// memory of request ids.
    ///
    /// - Parameters:
    ///   - key: the one that ``ChannelRequestHeader/platformKeyID`` names.
    ///   - identity: of the device that ``ChannelRequestHeader/deviceID`` names.
    /// - Throws: ``SecureChannelError/Code/wrongParty``, ``SecureChannelError/Code/wrongKey``,
    ///   ``SecureChannelError/Code/unsupportedSuite`` when header, key and device are not of one suite,
    ///   ``SecureChannelError/Code/lowOrderPoint``, ``SecureChannelError/Code/notAuthentic``.
    package func open(
        with key: SealingKeyPair, as identity: ChannelIdentity
    ) throws(SecureChannelError) -> (plaintext: [UInt8], answer: AnswerSealer) {
        guard header.deviceID == identity.device.id else {
            throw SecureChannelError(.wrongParty, blame: .peer, "a request of another device")
        }
        guard header.platformKeyID == key.kid else {
            throw SecureChannelError(.wrongKey, blame: .peer, "a request to another key")
        }
        guard header.suite == key.suite.wire, key.suite == identity.suite else {
            throw SecureChannelError(.unsupportedSuite, blame: .peer, "header, key and device are not of one suite")
        }
        let context = try key.privateKey.recipient(
            encapsulatedKey: header.encapsulatedKey, info: identity.info(platformKeyID: key.kid))
        let requestKey = ChannelKeys.request(
            exported: try context.export(.request), presharedKey: identity.presharedKey)
        let plaintext = try requestKey.open(message)
        let answer = AnswerSealer(identity: identity, exported: try context.export(.answer), requestHash: hash)
        return (plaintext, answer)
    }
}
