import Benchmark
import Crypto
import Foundation
import Orchestration

/// A whole activation in one process: four round trips, with a store in memory on both sides. scrypt has the low cost
/// of the tests, so that the time is that of the key exchange, the channel and the signatures.
func activationBenchmarks() {
    activation("activation-classic", .off)
    activation("activation-hybrid", .required)

    Benchmark("activation-classic--floor", configuration: .slowPath) { benchmark in
        try benchmark.measure { () throws in try ActivationFloor.classic() }
    }
    if #available(macOS 26, iOS 26, *) {
        Benchmark("activation-hybrid--floor", configuration: .slowPath) { benchmark in
            try benchmark.measure { () throws in try ActivationFloor.hybrid() }
        }
    }
}

private func activation(_ name: String, _ postQuantum: PostQuantumPreference) {
    Benchmark(name, configuration: .slowPath) { benchmark in
        let alice = try await Stage().newcomer(postQuantum: postQuantum)
        try await benchmark.measure { try await alice.activate() }
    }
}

/// The public-key operations of an activation: those of CPace, of the channel in steps 3 and 4, and of the signatures.
/// Hashes, ciphers, encodings and stores are not included.
enum ActivationFloor {
    static func classic() throws {
        try agreements()
        let key = Curve25519.KeyAgreement.PrivateKey()
        let suite = HPKE.Ciphersuite(kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .exportOnly)
        try exchanges {
            let sender = try HPKE.Sender(recipientKey: key.publicKey, ciphersuite: suite, info: Data())
            _ = try HPKE.Recipient(
                privateKey: key, ciphersuite: suite, info: Data(), encapsulatedKey: sender.encapsulatedKey)
        }
    }

    @available(macOS 26, iOS 26, *)
    static func hybrid() throws {
        try agreements()
        let key = try XWingMLKEM768X25519.PrivateKey.generate()
        // In suite 2, one encapsulation contributes to the key of the activation.
        let result = try key.publicKey.encapsulate()
        _ = try key.decapsulate(result.encapsulated)
        let suite = HPKE.Ciphersuite.XWingMLKEM768X25519_SHA256_AES_GCM_256
        try exchanges {
            let sender = try HPKE.Sender(recipientKey: key.publicKey, ciphersuite: suite, info: Data())
            _ = try HPKE.Recipient(
                privateKey: key, ciphersuite: suite, info: Data(), encapsulatedKey: sender.encapsulatedKey)
        }
    }

    /// CPace: each side multiplies the generator and the peer's share.
    private static func agreements() throws {
        for _ in 0..<2 {
            let (own, peer) = (Curve25519.KeyAgreement.PrivateKey(), Curve25519.KeyAgreement.PrivateKey())
            _ = try own.sharedSecretFromKeyAgreement(with: peer.publicKey)
            _ = try peer.sharedSecretFromKeyAgreement(with: own.publicKey)
        }
    }

    /// Steps 3 and 4: a sealed request that the device signs, and an answer that the platform signs.
    private static func exchanges(_ encapsulation: () throws -> Void) throws {
        let (device, platform) = (P256.Signing.PrivateKey(), Curve25519.Signing.PrivateKey())
        let (deviceKey, platformKey) = (device.publicKey, platform.publicKey)
        let message = [UInt8](repeating: 0x5A, count: 256)
        for _ in 0..<2 {
            try encapsulation()
            guard deviceKey.isValidSignature(try device.signature(for: message), for: message),
                platformKey.isValidSignature(try platform.signature(for: message), for: message)
            else { throw Unexpected("a signature is wrong") }
        }
    }
}
