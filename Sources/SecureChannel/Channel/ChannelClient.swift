internal import Crypto
package import Primitives
package import Wire

/// The device's end of the channel: seals one request and opens its one answer.
package enum ChannelClient {
    /// Seals a request.
    ///
    /// - Parameters:
    ///   - plaintext: a ``SealedRequest``.
    ///   - platformKey: of the identity's suite.
    ///   - requestID: 16 fresh random bytes. A repeat sends the same command, never a new one under the same id.
    ///   - expiry: at most 5 minutes ahead of the platform's clock.
    /// - Returns: the command, and what opens its answer. Keep the latter in memory only and drop it after the answer:
    ///   what was recorded stays closed then, whatever is stolen later.
    /// - Throws: ``SecureChannelError/Code/unsupportedSuite`` for a key of another suite,
    ///   ``SecureChannelError/Code/wrongKey``, ``SecureChannelError/Code/lowOrderPoint``,
    ///   ``SecureChannelError/Code/malformed`` for parts of a wrong length.
    package static func seal(
        _ plaintext: [UInt8], to platformKey: PlatformPublicKey, as identity: ChannelIdentity, requestID: [UInt8],
        expiry: Timestamp
    ) throws(SecureChannelError) -> (command: OrchestrationCommand, answer: AnswerOpener) {
        guard platformKey.suite == identity.suite else {
            throw SecureChannelError(.unsupportedSuite, blame: .peer, "a platform key of another suite")
        }
        guard identity.device.id.count == FieldSize.identifier, requestID.count == FieldSize.identifier else {
            throw SecureChannelError(.malformed, blame: .caller, "a device id or request id is not of 16 bytes")
        }
        let context = try platformKey.sender(info: identity.info(platformKeyID: platformKey.kid))
        let header = ChannelRequestHeader(
            deviceID: identity.device.id, suite: identity.suite.wire, encapsulatedKey: [UInt8](context.encapsulatedKey),
            requestID: requestID, expiry: expiry, platformKeyID: platformKey.kid)
        let key = ChannelKeys.request(
            exported: try context.export(.request), presharedKey: identity.presharedKey)
        let command = try key.command(sealing: plaintext, header: header.protected)
        let answer = AnswerOpener(
            identity: identity, exported: try context.export(.answer),
            requestHash: SHA256.hash(data: command.bytes).withSpan { [UInt8]($0) })
        return (command, answer)
    }
}
