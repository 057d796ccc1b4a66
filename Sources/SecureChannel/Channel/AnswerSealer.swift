internal import Crypto
package import Primitives
package import Wire

/// What seals the answer to one request. It has no stored form; the platform stores the answer.
package struct AnswerSealer: Sendable {
    private let identity: ChannelIdentity
    private let exported: SymmetricKey
    private let requestHash: [UInt8]

    init(identity: ChannelIdentity, exported: SymmetricKey, requestHash: [UInt8]) {
        self.identity = identity
        self.exported = exported
        self.requestHash = requestHash
    }

    /// Seals an answer. One that is made twice has another key each time.
    ///
    /// - Parameters:
    ///   - plaintext: a ``SealedAnswer``.
    ///   - random: gives the 32 bytes that the key depends on.
    package func seal(
        _ plaintext: [UInt8], random: any RandomSource
    ) throws(SecureChannelError) -> OrchestrationCommand {
        let header = ChannelAnswerHeader(
            deviceID: identity.device.id, random: random.bytes(FieldSize.random), requestHash: requestHash)
        let key = ChannelKeys.answer(
            exported: exported, presharedKey: identity.presharedKey, random: header.random)
        return try key.command(sealing: plaintext, header: header.protected)
    }
}
