import Crypto
import OrchestrationProtocol
import Primitives

/// Registers sealing, opening, signing and verifying, layer by layer, each with the calls of swift-crypto as its floor.
func channelBenchmarks() {
    symmetricBenchmarks()
    requestBenchmarks("classic", .classic)
    requestBenchmarks("hybrid", .hybrid)
    answerBenchmarks()
    signatureBenchmarks()
}

/// An activated device, its platform, and a message between them.
struct ChannelStage {
    /// A message of the size for which the goals are written.
    static let plaintext = [UInt8](repeating: 0x5A, count: 256)

    static let deviceID = [UInt8](repeating: 0x11, count: 16)
    static let requestID = [UInt8](repeating: 0x77, count: 16)
    static let expiry = Timestamp(secondsSinceEpoch: 1_700_000_120)

    let pair: SealingKeyPair
    let identity: ChannelIdentity

    init(_ suite: Suite = .classic) throws {
        pair = try SealingKeyPair(suite: suite, random: SystemRandomSource())
        identity = ChannelIdentity(
            device: try Self.address(), suite: suite,
            presharedKey: SymmetricKey(data: [UInt8](repeating: 0x22, count: 32)))
    }

    static func address() throws -> DeviceAddress {
        DeviceAddress(
            tenant: "default", account: try AccountName(userID: "alice", domain: "master"), id: deviceID)
    }

    func seal() throws -> (command: OrchestrationCommand, answer: AnswerOpener) {
        try ChannelClient.seal(
            Self.plaintext, to: pair.publicKey, as: identity, requestID: Self.requestID, expiry: Self.expiry,
            random: SystemRandomSource())
    }

    func open(_ command: OrchestrationCommand) throws -> (plaintext: [UInt8], answer: AnswerSealer) {
        try ChannelRequest(Encrypt0(decoding: command.bytes)).open(with: pair, as: identity)
    }
}
