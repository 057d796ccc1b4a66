internal import Crypto
internal import Primitives
package import Wire

/// What opens the answer to one request. It has no stored form.
package struct AnswerOpener: Sendable {
    /// The SHA-256 of the request as it was sent.
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
    /// Only what this returns may change the client's state. After an error the right answer can still come.
    ///
    /// - Throws: ``SecureChannelError/Code/wrongRequest`` for the answer to another request or no answer at all,
    ///   ``SecureChannelError/Code/wrongParty`` for that of another device, ``SecureChannelError/Code/notAuthentic``,
    ///   ``SecureChannelError/Code/malformed``.
    package func open(_ command: OrchestrationCommand) throws(SecureChannelError) -> [UInt8] {
        guard case .sealed(let message) = try Envelope(opening: command) else {
            throw SecureChannelError(.wrongRequest, blame: .peer, "not a message of the channel")
        }
        let header: ChannelAnswerHeader
        do throws(WireError) {
            header = try ChannelAnswerHeader(message.header)
        } catch {
            throw SecureChannelError(
                .wrongRequest, blame: .peer, "not the header of a sealed answer", underlying: error)
        }
        guard header.deviceID == identity.device.id else {
            throw SecureChannelError(.wrongParty, blame: .peer, "an answer to another device")
        }
        guard header.requestHash == requestHash else {
            throw SecureChannelError(.wrongRequest, blame: .peer, "an answer to another request")
        }
        let key = ChannelKeys.answer(
            exported: exported, presharedKey: identity.presharedKey, random: header.random)
        return try key.open(message)
    }
}
