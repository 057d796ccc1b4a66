import Benchmark
import CryptoExtras
import Orchestration
import OrchestrationTesting
import TestSupport

/// A whole flow of a one-time password, from the call to the last event, on a store of files.
///
/// The first crypto application computes codes from the time and stores nothing. The second has a counter, which is
/// written to the disk before the code is shown.
func oneTimePasswordFlowBenchmarks() {
    flow("one-time-password-password-time", .app1, .password)
    flow("one-time-password-password-counter", .app2, .password)
    flow("one-time-password-possession-time", .app1, .possession)
    flow("one-time-password-possession-counter", .app2, .possession)
    flow(
        "one-time-password-possession-time-synchronized", .app1, .possession, synchronizingWithin: .milliseconds(5_000))
    scryptFloor()
    durableWriteFloor()
}

private func flow(
    _ name: String, _ application: CryptoApplicationIndex, _ protection: AuthenticationMethod,
    synchronizingWithin limit: Duration? = nil
) {
    Benchmark(name, configuration: .slowPath) { benchmark in
        let device = try await FileDevice()
        try await benchmark.measure {
            blackHole(
                try await device.orchestrator.oneTimePassword(
                    for: "alice", application: application, protection: protection, synchronizingWithin: limit
                ).result())
        }
    }
}

/// The key derivation that every use of a password needs.
private func scryptFloor() {
    Benchmark("one-time-password-password--floor-scrypt", configuration: .slowPath) { benchmark in
        let (password, salt) = (Array(Stage.password.utf8), [UInt8](repeating: 7, count: 32))
        try benchmark.measure {
            blackHole(
                try KDF.Scrypt.deriveKey(
                    from: password, salt: salt, outputByteCount: 32, rounds: 1 << 15, blockSize: 8, parallelism: 1))
        }
    }
}

/// One atomic, durable replacement of the user's record, without the store.
private func durableWriteFloor() {
    Benchmark("one-time-password-possession--floor-durable-write", configuration: .slowPath) { benchmark in
        let device = try await FileDevice()
        let folder = try DiskFolder(path: device.folder.path)
        guard let record = try folder.files().first(where: { $0.hasSuffix(".data") }),
            let bytes = try folder.read(record, limit: 1 << 18)
        else { throw Unexpected("there is no record") }
        try benchmark.measure { () throws(OrchestrationError) in
            try folder.create("temporary", bytes)
            try folder.synchronize("temporary")
            try folder.rename("temporary", to: record)
            try folder.synchronize()
        }
    }
}

/// A device with a store of files, on which alice is activated with the full cost of a password.
private struct FileDevice {
    let folder: TemporaryFolder
    let orchestrator: Orchestrator

    init() async throws {
        let stage = try await Stage()
        folder = try TemporaryFolder()
        let salts = try Salts(
            authenticator: [UInt8](repeating: 1, count: 16), storage: [UInt8](repeating: 2, count: 16))
        orchestrator = try await Orchestrator(
            configuration: Configuration(salts: salts, postQuantum: .off, deviceData: .off), transport: stage.transport,
            providers: [ScriptedUser(password: Stage.password)], store: FileStore(directory: folder.path),
            time: stage.time)
        let newcomer = try await stage.newcomer()
        let alice = Newcomer(
            account: newcomer.account, activationPassword: newcomer.activationPassword, orchestrator: orchestrator)
        try await alice.activate()
    }
}
