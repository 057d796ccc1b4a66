import Crypto
import Foundation
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration
@testable import TrustedIdentity

/// Seals over data, from the device to the platform.
@Suite struct SealFlowTests {
    private static let bytes = Array("the contract".utf8)

    private func seal(
        _ stage: Stage, _ data: SealData = .bytes(bytes, named: "contract.txt"),
        application: CryptoApplicationIndex? = nil, protection: AuthenticationMethod = .password,
        synchronizingWithin limit: Duration? = .seconds(5), user: ScriptedUser? = nil
    ) async throws -> OfflineSeal {
        try await stage.orchestrator(user: user).user("alice").seal(
            data, application: application, protection: protection, synchronizingWithin: limit)
    }

    private func digest(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// Runs code with the address of a file that does not exist yet.
    private func withFile<R>(_ body: (URL) async throws -> R) async throws -> R {
        let folder = FileManager.default.temporaryDirectory.appending(path: "seal-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder.appending(path: "contract.txt"))
    }

    @Test func `a seal is reported before the ratchet moves, and the platform accepts it once`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let words = try await story(stage.orchestrator().seal(.text("I agree"), for: "alice"))
        #expect(words == ["seal", "synchronization 1/1", "succeeded"])
        let made = try await seal(stage)
        #expect(made.seal.count == 8 && made.method == .password && made.counter == 1)
        #expect(made.name == "contract.txt" && made.text == nil)
        #expect(made.digest == Hex.encode(digest(Self.bytes)))
        #expect(made.validity.furtherCodes == 10 && made.validity.minimumTime == .seconds(300))
        let data = LocalSeal.Data.digest(digest(Self.bytes), name: "contract.txt")
        let decision = try await stage.platform.validate("alice", sealed: data, seal: made.seal)
        #expect(decision.status == .accepted && decision.hostCode == made.hostCode && made.hostCode != nil)
        let again = try await stage.platform.validate("alice", sealed: data, seal: made.seal)
        #expect(again.reason == .usedCode)
    }

    @Test func `bytes, chunks and a file have one digest, and the user sees it with the name`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try await withFile { file in
            try Data(bytes).write(to: file)
            let chunks = AsyncStream<ArraySlice<UInt8>> { stream in
                for start in stride(from: 0, to: bytes.count, by: 999) {
                    stream.yield(bytes[start..<min(start + 999, bytes.count)])
                }
                stream.finish()
            }
            let all = [
                SealData.bytes(bytes, named: "contract.txt"), .chunks(chunks, named: "contract.txt"), .file(at: file),
            ]
            for data in all {
                let user = ScriptedUser(password: Stage.password)
                let made = try await seal(stage, data, user: user)
                #expect(made.digest == Hex.encode(digest(bytes)))
                let shown = ["contract.txt", made.digest].map { DataField(value: $0) }
                #expect(user.prompts.map(\.dataFields) == [shown])
                let decision = try await stage.platform.validate(
                    "alice", sealed: .digest(digest(bytes), name: "contract.txt"), seal: made.seal)
                #expect(decision.status == .accepted)
            }
        }
    }

    @Test func `the user sees a text as it is sealed, and the platform takes it as text or digest`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let user = ScriptedUser([.password("x"), .password(Stage.password)])
        let made = try await seal(stage, .text("Zoe\u{308}"), user: user)
        let shown = [DataField(value: "Zoë")]
        #expect(user.prompts.map(\.dataFields) == [shown, shown])
        #expect(made.text == "Zoë" && made.name == nil)
        let decision = try await stage.platform.validate("alice", sealed: .text("Zoe\u{308}"), seal: made.seal)
        #expect(decision.status == .accepted)
        let second = try await seal(stage, .text("Zoë"))
        let sealed = LocalSeal.Data.digest(digest(Array("Zoë".utf8)), name: nil)
        #expect(try await stage.platform.validate("alice", sealed: sealed, seal: second.seal).status == .accepted)
    }

    @Test func `signatures and seals have one counter, and none is the other`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let alice = try stage.orchestrator().user("alice")
        let made = try await alice.seal(.text("1"), synchronizingWithin: nil)
        let signature = try await alice.sign([DataField(value: "1")], synchronizingWithin: nil)
        #expect(made.counter == 0 && signature.counter == 1)
        #expect(signature.validity == made.validity)
        let platform = stage.platform
        #expect(
            try await platform.validate("alice", fields: [DataField(value: "1")], signature: made.seal).reason
                == .wrongCredential)
        #expect(
            try await platform.validate("alice", sealed: .text("1"), seal: signature.signature).reason
                == .wrongCredential)
        #expect(try await platform.validate("alice", sealed: .text("1"), seal: made.seal).status == .accepted)
        #expect(
            try await platform.validate("alice", fields: [DataField(value: "1")], signature: signature.signature).status
                == .accepted)
    }

    @Test func `a seal is valid for ten further codes, and not for eleven`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let alice = try stage.orchestrator().user("alice")
        var made = [try await alice.seal(.text("1"), synchronizingWithin: nil)]
        for _ in 0..<made[0].validity.furtherCodes {
            made.append(try await alice.seal(.text("1"), synchronizingWithin: .seconds(5)))
        }
        let first = try await stage.platform.validate("alice", sealed: .text("1"), seal: made[0].seal)
        #expect(first.status == .accepted)
        // The next one is the eleventh after the second seal.
        for _ in 0..<2 { made.append(try await alice.seal(.text("1"))) }
        let second = try await stage.platform.validate("alice", sealed: .text("1"), seal: made[1].seal)
        #expect(second.status == .refused)
    }

    @Test(
        arguments: [
            (SealData.bytes([], named: "x"), "the data is empty"), (.text(""), "the text is empty, or shows nothing"),
            (.text("a\nb"), "the text has a character that is not allowed"),
            (.text(String(repeating: "x", count: 4_097)), "the text is longer than 4096 bytes"),
            (.bytes([1], named: ""), "the name is empty, or shows nothing"),
            (.bytes([1], named: "a\u{202E}b"), "the name has a character that is not allowed"),
            (.bytes([1], named: String(repeating: "x", count: 256)), "the name is longer than 255 bytes"),
            (.chunks(AsyncStream<[UInt8]> { $0.finish() }, named: "x"), "the data is empty"),
            (.file(at: URL(filePath: "/nowhere/contract.txt")), "the file cannot be read"),
            (.file(at: URL(filePath: "/tmp")), "it is not a regular file"),
        ] as [(SealData, String)])
    func `data outside the limits is an error that names the rule, before the user is asked`(
        data: SealData, rule: String
    ) async throws {
        let stage = try await Stage()
        try await stage.activate()
        let user = ScriptedUser([])
        let error = await #expect(throws: OrchestrationError(.invalidSealData)) {
            try await seal(stage, data, user: user)
        }
        #expect(error?.message.hasPrefix(rule) == true, "\(error?.message ?? "")")
        #expect(user.prompts.isEmpty)
        let record = try #require(try await stage.orchestrator().environment.vault.record(ActivationExchange.account))
        #expect(record.counters.isEmpty, "no counter was taken")
    }

    @Test func `64 MiB are sealed, and one byte more is refused`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let chunk = [UInt8](repeating: 7, count: 1 << 20)
        func chunks(_ more: Int) -> SealData {
            .chunks(
                AsyncStream<[UInt8]> { stream in
                    for _ in 0..<64 { stream.yield(chunk) }
                    if more > 0 { stream.yield([UInt8](repeating: 7, count: more)) }
                    stream.finish()
                }, named: "large")
        }
        #expect(try await seal(stage, chunks(0)).seal.count == 8)
        await #expect(throws: OrchestrationError(.invalidSealData)) { try await seal(stage, chunks(1)) }
        // A file of more is refused by its length, before it is read.
        try await withFile { file in
            #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: UInt64(64 << 20) + 1)
            try handle.close()
            await #expect(throws: OrchestrationError(.invalidSealData)) { try await seal(stage, .file(at: file)) }
        }
    }

    @Test(arguments: ["longer", "shorter", "overwritten"])
    func `a file that changes while it is read is refused`(change: String) async throws {
        try await withFile { url in
            try Data(repeating: 1, count: 200_000).write(to: url)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: url.path)
            var file = try SealFile(url)
            #expect(try file.next()?.count == 65_536)
            let handle = try FileHandle(forWritingTo: url)
            switch change {
            case "longer":
                try handle.seekToEnd()
                try handle.write(contentsOf: Data([1]))
            case "shorter": try handle.truncate(atOffset: 100_000)
            default: try handle.write(contentsOf: Data([2]))
            }
            try handle.close()
            var error: OrchestrationError?
            do {
                while try file.next() != nil {}
            } catch let failure as OrchestrationError {
                error = failure
            }
            #expect(error?.code == .invalidSealData)
            #expect(error?.message.hasPrefix("the file has changed while it was read") == true)
        }
    }

    @Test func `an error of the app's chunks ends the flow without a prompt`() async throws {
        struct Broken: Error {}
        let stage = try await Stage()
        try await stage.activate()
        let user = ScriptedUser([])
        let chunks = AsyncThrowingStream<[UInt8], any Error> { stream in
            stream.yield([1])
            stream.finish(throwing: Broken())
        }
        let error = await #expect(throws: OrchestrationError(.unexpected)) {
            try await seal(stage, .chunks(chunks, named: "x"), user: user)
        }
        #expect(error?.underlying is Broken && user.prompts.isEmpty)
    }

    @Test func `where the policy accepts no seals, the app learns it before the user is asked`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        var configuration = PlatformConfiguration()
        configuration.policy.codes.seals = false
        try await stage.platform.restart(configuration: configuration)
        // The device learns it at its next contact. Until then, the platform refuses the seal.
        let made = try await seal(stage, .text("1"))
        await #expect(throws: PlatformError(.sealsUnavailable)) {
            try await stage.platform.validate("alice", sealed: .text("1"), seal: made.seal)
        }
        let user = ScriptedUser([])
        let error = await #expect(throws: OrchestrationError(.sealsUnavailable)) {
            try await seal(stage, .text("1"), user: user)
        }
        #expect(user.prompts.isEmpty && error?.recovery == .nothing)
        // Signatures go on.
        _ = try await stage.orchestrator().user("alice").sign([DataField(value: "1")])
    }

    @Test func `applications that do not sign are refused by name, and one-time passwords need no data`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        for application in [CryptoApplicationIndex.app1, .app2, .app3, .app8] {
            await #expect(throws: OrchestrationError(.applicationUnsuitable)) {
                try await seal(stage, application: application)
            }
        }
        #expect(try await seal(stage, application: .app4).seal.count == 8)
    }

    @Test func `a wrong password makes a seal like any other, and the platform counts it`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let wrong = try await seal(stage, .text("1"), user: ScriptedUser(password: "999999"))
        #expect(wrong.seal.count == 8)
        let refused = try await stage.platform.validate("alice", sealed: .text("1"), seal: wrong.seal)
        #expect(refused.reason == .wrongCredential)
        let words = try await story(stage.orchestrator().seal(.text("1"), for: "alice"))
        #expect(words.contains("warning: failedCodes(1)"))
    }

    @Test func `the possession method shows no prompt, and its seal is not accepted`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let user = ScriptedUser([])
        let made = try await seal(stage, .text("1"), protection: .possession, user: user)
        #expect(user.prompts.isEmpty && made.method == .possession)
        let decision = try await stage.platform.validate("alice", sealed: .text("1"), seal: made.seal)
        #expect(decision.reason == .methodNotAllowed)
    }

    @Test func `without a network the seal is made, with a warning`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        stage.wire.cut(true)
        let words = try await story(stage.orchestrator().seal(.text("1"), for: "alice"))
        #expect(words == ["seal", "warning: notSynchronized", "succeeded"])
    }
}
