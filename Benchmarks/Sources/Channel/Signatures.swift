import Benchmark
import Crypto
import OrchestrationProtocol
import Primitives

/// Signing and verifying messages as the product does, from the message to the `COSE_Sign1` and back.
func signatureBenchmarks() {
    deviceSignatureBenchmarks()
    platformSignatureBenchmarks()
}

private func deviceSignatureBenchmarks() {
    Benchmark("channel-sign-p256", configuration: .publicKeyPath) { benchmark in
        let (stage, key) = try (SignatureStage(), P256.Signing.PrivateKey())
        try await benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(try await stage.signed(with: key)) }
        }
    }
    Benchmark("channel-sign-p256--floor-p256-sign", configuration: .publicKeyPath) { benchmark in
        let key = P256.Signing.PrivateKey()
        let bytes = try await SignatureStage().bytes(signedWith: key)
        try benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(try key.signature(for: bytes).rawRepresentation) }
        }
    }
    Benchmark("channel-verify-p256", configuration: .publicKeyPath) { benchmark in
        let (stage, key) = try (SignatureStage(), P256.Signing.PrivateKey())
        let publicKey = Array(key.publicKey.compressedRepresentation)
        let message = try await stage.signed(with: key).encoded
        try benchmark.measure {
            for _ in benchmark.scaledIterations {
                blackHole(
                    try RequestMessage.verified(
                        Sign1(decoding: message), deviceKey: publicKey, binding: stage.binding))
            }
        }
    }
    // The platform stores a device key as 33 bytes and gets a signature as 64. The floor therefore includes the
    // decompression of the key and the parsing of the signature.
    Benchmark("channel-verify-p256--floor-p256-verify", configuration: .publicKeyPath) { benchmark in
        let key = P256.Signing.PrivateKey()
        let bytes = try await SignatureStage().bytes(signedWith: key)
        let signature = try key.signature(for: bytes).rawRepresentation
        let publicKey = Array(key.publicKey.compressedRepresentation)
        try benchmark.measure {
            for _ in benchmark.scaledIterations {
                let key = try P256.Signing.PublicKey(compressedRepresentation: publicKey)
                let signature = try P256.Signing.ECDSASignature(rawRepresentation: signature)
                blackHole(key.isValidSignature(signature, for: bytes))
            }
        }
    }
}

private func platformSignatureBenchmarks() {
    Benchmark("channel-sign-ed25519", configuration: .publicKeyPath) { benchmark in
        let (stage, key) = try (
            SignatureStage(), SigningKeyPair(privateRepresentation: SystemRandomSource().secret(32))
        )
        try benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(try stage.answer.signed(with: key)) }
        }
    }
    Benchmark("channel-sign-ed25519--floor-ed25519-sign", configuration: .publicKeyPath) { benchmark in
        let key = Curve25519.Signing.PrivateKey()
        let bytes = try SignatureStage().answerBytes()
        try benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(try key.signature(for: bytes)) }
        }
    }
    Benchmark("channel-verify-ed25519", configuration: .publicKeyPath) { benchmark in
        let (stage, key) = try (
            SignatureStage(), SigningKeyPair(privateRepresentation: SystemRandomSource().secret(32))
        )
        let publicKey = key.publicBytes
        let message = try stage.answer.signed(with: key).encoded
        try benchmark.measure {
            for _ in benchmark.scaledIterations {
                blackHole(
                    try AnswerMessage.verified(
                        Sign1(decoding: message), platformKey: publicKey, type: SynchronizeMessage.type,
                        binding: stage.binding))
            }
        }
    }
    Benchmark("channel-verify-ed25519--floor-ed25519-verify", configuration: .publicKeyPath) { benchmark in
        let key = Curve25519.Signing.PrivateKey()
        let bytes = try SignatureStage().answerBytes()
        let (signature, publicKey) = (try key.signature(for: bytes), key.publicKey)
        benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(publicKey.isValidSignature(signature, for: bytes)) }
        }
    }
}

/// The synchronization after a one-time password: a request and its answer.
private struct SignatureStage {
    let binding: MessageBinding
    let request: RequestMessage
    let answer: AnswerMessage

    init() throws {
        let device = try ChannelStage.address()
        binding = MessageBinding(device: device, requestID: ChannelStage.requestID)
        request = RequestMessage(
            MessageHead(device: device, requestID: binding.requestID, time: ChannelStage.expiry, ratchetIndex: 7),
            body: .synchronize(generation: 0, counters: [ApplicationCounter(application: 1, counter: 56_666_667)]))
        answer = AnswerMessage(
            to: SynchronizeMessage.type,
            MessageHead(device: device, requestID: binding.requestID, time: ChannelStage.expiry, ratchetIndex: 8),
            failedCodes: 0,
            result: .accepted(
                .synchronize(
                    .init(
                        generation: 0, capabilities: [], policy: PINPolicyForm(.default), tries: 5, devices: 1,
                        maximumDevices: 5, notices: []))))
    }

    /// Returns the request with the signature of a device.
    func signed(with key: P256.Signing.PrivateKey) async throws -> Sign1 {
        try await request.signed { Array(try key.signature(for: $0).rawRepresentation) }
    }

    /// Returns the bytes that the signature of the request covers.
    func bytes(signedWith key: P256.Signing.PrivateKey) async throws -> [UInt8] {
        try await signed(with: key).signedBytes(externalAAD: request.externalAAD)
    }

    /// Returns the bytes that the signature of the answer covers.
    func answerBytes() throws -> [UInt8] {
        let key = try SigningKeyPair(privateRepresentation: SystemRandomSource().secret(32))
        return try answer.signed(with: key).signedBytes(externalAAD: answer.externalAAD)
    }
}
