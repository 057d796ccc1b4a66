import Benchmark
import Crypto
import Foundation
import OrchestrationProtocol
import Primitives

/// A request through HPKE, from the plaintext to the command and back.
func requestBenchmarks(_ name: String, _ suite: Suite) {
    Benchmark("channel-request-seal-\(name)", configuration: .publicKeyPath) { benchmark in
        let stage = try ChannelStage(suite)
        try benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(try stage.seal()) }
        }
    }
    Benchmark("channel-request-seal-\(name)--floor-hpke", configuration: .publicKeyPath) { benchmark in
        let floor = try HPKEFloor(ChannelStage(suite))
        try benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(try floor.seal()) }
        }
    }
    Benchmark("channel-request-open-\(name)", configuration: .publicKeyPath) { benchmark in
        let stage = try ChannelStage(suite)
        let command = try stage.seal().command
        try benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(try stage.open(command)) }
        }
    }
    Benchmark("channel-request-open-\(name)--floor-hpke", configuration: .publicKeyPath) { benchmark in
        let floor = try HPKEFloor(ChannelStage(suite))
        let (encapsulatedKey, box) = try floor.seal()
        try benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(try floor.open(encapsulatedKey, box)) }
        }
    }
}

/// The calls of swift-crypto that every request needs, with existing keys: the key encapsulation, the secret of each
/// direction, the random value in the header, the derivation of the key, and the cipher.
private struct HPKEFloor {
    private let sender: (Data) throws -> HPKE.Sender
    private let recipient: (Data, Data) throws -> HPKE.Recipient
    private let derivation = DerivationFloor(saltByteCount: 64, label: "request")
    private let info = Data(repeating: 0x44, count: 80)

    init(_ stage: ChannelStage) throws {
        let seed = stage.pair.privateRepresentation.withBytes { span in span.indices.map { span[$0] } }
        switch stage.pair.suite {
        case .classic:
            let key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: seed)
            let suite = HPKE.Ciphersuite(kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .exportOnly)
            let publicKey = key.publicKey
            sender = { try HPKE.Sender(recipientKey: publicKey, ciphersuite: suite, info: $0) }
            recipient = { try HPKE.Recipient(privateKey: key, ciphersuite: suite, info: $0, encapsulatedKey: $1) }
        case .hybrid:
            guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else {
                throw CryptoKitError.incorrectParameterSize
            }
            let key = try XWingMLKEM768X25519.PrivateKey(seedRepresentation: seed, publicKey: nil)
            let suite = HPKE.Ciphersuite(kem: .XWingMLKEM768X25519, kdf: .HKDF_SHA256, aead: .exportOnly)
            let publicKey = key.publicKey
            sender = { try HPKE.Sender(recipientKey: publicKey, ciphersuite: suite, info: $0) }
            recipient = { try HPKE.Recipient(privateKey: key, ciphersuite: suite, info: $0, encapsulatedKey: $1) }
        }
    }

    func seal() throws -> (Data, AES.GCM.SealedBox) {
        let context = try sender(info)
        let secret = try context.exportSecret(context: Array("request".utf8), outputByteCount: 32)
        blackHole(try context.exportSecret(context: Array("answer".utf8), outputByteCount: 32))
        blackHole(derivation.hedge())
        return (context.encapsulatedKey, try derivation.seal(from: secret))
    }

    func open(_ encapsulatedKey: Data, _ box: AES.GCM.SealedBox) throws -> Data {
        let context = try recipient(info, encapsulatedKey)
        let secret = try context.exportSecret(context: Array("request".utf8), outputByteCount: 32)
        blackHole(try context.exportSecret(context: Array("answer".utf8), outputByteCount: 32))
        return try derivation.open(box, from: secret)
    }
}
