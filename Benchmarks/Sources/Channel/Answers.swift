import Benchmark
import Crypto
import Foundation
import OrchestrationProtocol
import Primitives

/// The answer to a request, with the context of the request on both sides. It is the same for both suites.
func answerBenchmarks() {
    Benchmark("channel-answer-seal", configuration: .hotPath) { benchmark in
        let stage = try ChannelStage()
        let answer = try stage.open(stage.seal().command).answer
        try benchmark.measure {
            for _ in benchmark.scaledIterations {
                blackHole(try answer.seal(ChannelStage.plaintext, random: SystemRandomSource()))
            }
        }
    }
    Benchmark("channel-answer-seal--floor-hkdf-aes-gcm", configuration: .hotPath) { benchmark in
        let floor = DerivationFloor(saltByteCount: 64, label: "answer")
        let secret = SymmetricKey(size: .bits256)
        try benchmark.measure {
            for _ in benchmark.scaledIterations {
                blackHole(floor.hedge())
                blackHole(try floor.seal(from: secret))
            }
        }
    }
    Benchmark("channel-answer-open", configuration: .hotPath) { benchmark in
        let stage = try ChannelStage()
        let (command, opener) = try stage.seal()
        let answer = try stage.open(command).answer.seal(ChannelStage.plaintext, random: SystemRandomSource())
        try benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(try opener.open(Encrypt0(decoding: answer.bytes))) }
        }
    }
    Benchmark("channel-answer-open--floor-hkdf-aes-gcm", configuration: .hotPath) { benchmark in
        let floor = DerivationFloor(saltByteCount: 64, label: "answer")
        let secret = SymmetricKey(size: .bits256)
        let box = try floor.seal(from: secret)
        try benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(try floor.open(box, from: secret)) }
        }
    }
}

/// The calls of swift-crypto after the export of a secret: the derivation of key and nonce, and the cipher.
struct DerivationFloor {
    private let salt: [UInt8]
    private let label: [UInt8]
    private let associatedData = [UInt8](repeating: 0x33, count: 150)

    init(saltByteCount: Int, label: String) {
        salt = [UInt8](repeating: 0x22, count: saltByteCount)
        self.label = Array(label.utf8)
    }

    /// Returns the random value in the header.
    func hedge() -> HMAC<SHA256>.MAC {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: salt.prefix(32)), info: label, outputByteCount: 32)
        return HMAC<SHA256>.authenticationCode(for: SystemRandomSource().bytes(32) + ChannelStage.plaintext, using: key)
    }

    func seal(from secret: SymmetricKey) throws -> AES.GCM.SealedBox {
        let (key, nonce) = try derive(secret)
        return try AES.GCM.seal(ChannelStage.plaintext, using: key, nonce: nonce, authenticating: associatedData)
    }

    func open(_ box: AES.GCM.SealedBox, from secret: SymmetricKey) throws -> Data {
        let (key, _) = try derive(secret)
        return try AES.GCM.open(box, using: key, authenticating: associatedData)
    }

    private func derive(_ secret: SymmetricKey) throws -> (SymmetricKey, AES.GCM.Nonce) {
        let material = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret, salt: salt, info: label, outputByteCount: OneTimeKey.byteCount)
        return try unsafe material.withUnsafeBytes { bytes in
            unsafe (SymmetricKey(data: bytes.prefix(32)), try AES.GCM.Nonce(data: bytes.suffix(12)))
        }
    }
}
