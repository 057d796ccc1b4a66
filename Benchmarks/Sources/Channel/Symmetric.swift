import Benchmark
import Crypto
import OrchestrationProtocol

/// The innermost layer, with an existing key and nonce and an encoded header.
func symmetricBenchmarks() {
    Benchmark("channel-seal-text", configuration: .hotPath) { benchmark in
        let stage = try SymmetricStage()
        try benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(try stage.seal().text) }
        }
    }
    Benchmark("channel-seal", configuration: .hotPath) { benchmark in
        let stage = try SymmetricStage()
        try benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(try stage.seal()) }
        }
    }
    Benchmark("channel-seal-text--floor-aes-gcm-seal", configuration: .hotPath) { benchmark in
        let stage = try SymmetricStage()
        try benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(try stage.bareSeal()) }
        }
    }
    Benchmark("channel-open-text", configuration: .hotPath) { benchmark in
        let stage = try SymmetricStage()
        let text = try stage.seal().text
        try benchmark.measure {
            for _ in benchmark.scaledIterations { blackHole(try stage.open(text)) }
        }
    }
    Benchmark("channel-open-text--floor-aes-gcm-open", configuration: .hotPath) { benchmark in
        let stage = try SymmetricStage()
        let box = try stage.bareSeal()
        try benchmark.measure {
            for _ in benchmark.scaledIterations {
                blackHole(try AES.GCM.open(box, using: stage.bareKey, authenticating: stage.associatedData))
            }
        }
    }
}

private struct SymmetricStage {
    let header: COSEHeader
    let key: OneTimeKey
    let bareKey: SymmetricKey
    let bareNonce: AES.GCM.Nonce
    let associatedData: [UInt8]

    init() throws {
        header =
            ChannelAnswerHeader(
                deviceID: ChannelStage.deviceID, random: [UInt8](repeating: 0x33, count: 32),
                requestHash: [UInt8](repeating: 0x44, count: 32)
            ).protected
        let material = [UInt8](repeating: 0x5C, count: OneTimeKey.byteCount)
        key = OneTimeKey(SymmetricKey(data: material))
        bareKey = SymmetricKey(data: material.prefix(32))
        bareNonce = try AES.GCM.Nonce(data: material.suffix(12))
        associatedData = Encrypt0.additionalData(header: header, externalAAD: [])
    }

    func seal() throws -> OrchestrationCommand { try key.command(sealing: ChannelStage.plaintext, header: header) }

    func open(_ text: String) throws -> [UInt8] {
        try key.open(Encrypt0(decoding: OrchestrationCommand(text: text).bytes))
    }

    func bareSeal() throws -> AES.GCM.SealedBox {
        try AES.GCM.seal(ChannelStage.plaintext, using: bareKey, nonce: bareNonce, authenticating: associatedData)
    }
}
