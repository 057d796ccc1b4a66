import Crypto
import OrchestrationProtocol
import Primitives
import TestSupport

/// A device and a platform that share a secret.
struct ChannelFixture {
    let suite: Suite
    let pair: SealingKeyPair
    var identity: ChannelIdentity
    var requestID = [UInt8](repeating: 0x77, count: 16)
    static let expiry = Timestamp(secondsSinceEpoch: 1_700_000_120)
    static let plaintext = Array("what the device asks for".utf8)
    static let reply = Array("what the platform answers".utf8)

    init(_ suite: Suite = .classic, seed: UInt64 = 1) throws {
        self.suite = suite
        pair = try SealingKeyPair(suite: suite, random: SeededRandom(seed))
        identity = ChannelIdentity(
            device: Self.address("default", [UInt8](repeating: 0x11, count: 16)), suite: suite,
            presharedKey: SymmetricKey(data: [UInt8](repeating: 0x22, count: 32)))
    }

    func seal(
        _ plaintext: [UInt8] = plaintext, seed: UInt64 = 8
    ) throws(SecureChannelError) -> (command: OrchestrationCommand, answer: AnswerOpener) {
        try ChannelClient.seal(
            plaintext, to: pair.publicKey, as: identity, requestID: requestID, expiry: Self.expiry,
            random: SeededRandom(seed))
    }

    func open(
        _ command: OrchestrationCommand, with key: SealingKeyPair? = nil, as other: ChannelIdentity? = nil
    ) throws(SecureChannelError) -> (plaintext: [UInt8], answer: AnswerSealer) {
        try ChannelRequest(decoding: command).open(with: key ?? pair, as: other ?? identity)
    }

    func answer(
        _ command: OrchestrationCommand, _ reply: [UInt8] = reply, seed: UInt64 = 9
    ) throws(SecureChannelError) -> OrchestrationCommand {
        try open(command).answer.seal(reply, random: SeededRandom(seed))
    }

    private static func address(_ tenant: String, _ id: [UInt8]) -> DeviceAddress {
        guard let account = try? AccountName(userID: "alice", domain: "master") else {
            preconditionFailure("a plain name")
        }
        return DeviceAddress(tenant: tenant, account: account, id: id)
    }

    /// Returns the identity with one value changed.
    func identity(
        tenant: String? = nil, deviceID: [UInt8]? = nil, suite: Suite? = nil, presharedKey: SymmetricKey? = nil
    ) -> ChannelIdentity {
        ChannelIdentity(
            device: Self.address(tenant ?? identity.device.tenant, deviceID ?? identity.device.id),
            suite: suite ?? identity.suite,
            presharedKey: presharedKey ?? identity.presharedKey)
    }

    /// Returns a request with a changed header and the same ciphertext.
    static func forge(
        _ command: OrchestrationCommand, _ change: (inout ChannelRequestHeader) -> Void
    ) throws -> OrchestrationCommand {
        let message = try Encrypt0(decoding: command.bytes, policy: .strict)
        var header = try ChannelRequestHeader(message.header)
        change(&header)
        return Encrypt0(header: header.protected, ciphertext: message.ciphertext).command
    }

    /// Returns an answer with a changed header and the same ciphertext.
    static func forgeAnswer(
        _ command: OrchestrationCommand, _ change: (inout ChannelAnswerHeader) -> Void
    ) throws -> OrchestrationCommand {
        let message = try Encrypt0(decoding: command.bytes, policy: .strict)
        var header = try ChannelAnswerHeader(message.header)
        change(&header)
        return Encrypt0(header: header.protected, ciphertext: message.ciphertext).command
    }
}
