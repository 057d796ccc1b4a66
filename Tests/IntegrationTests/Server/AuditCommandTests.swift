import Foundation
import TestSupport
import Testing

/// `trusted-identity audit verify`, `checkpoint`, `prove` and `key`. `Tests/Interop/python/run` verifies what they
/// print.
@Suite(.enabled(if: ServedPlatform.platform.isBuilt, "the program is not built"))
struct AuditCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func audit(_ arguments: String...) async throws -> BuiltProgram.Result {
        try await ServedPlatform.platform.run(["audit"] + arguments + ["--data", folder.file("data")])
    }

    private func makeKeys(_ count: Int) async throws {
        for _ in 1...count {
            let arguments = ["key", "create", "--scope", "admin", "--name", "\(UUID())"]
            let made = try await ServedPlatform.platform.run(arguments + ["--data", folder.file("data")])
            #expect(made.status == 0, "\(made.errors)")
        }
    }

    private func start() async throws -> BuiltProgram.Running {
        let server = try ServedPlatform.platform.start(
            ["serve", "--data", folder.file("data"), "--listen", "127.0.0.1:0"])
        _ = try await server.address()
        return server
    }

    @Test(arguments: [true, false])
    func `the log is verified, signed and proven while the server runs and while it does not`(
        isRunning: Bool
    ) async throws {
        let server = try await start()
        if !isRunning {
            server.signal(SIGTERM)
            _ = await server.result()
        }
        try await makeKeys(3)
        let file = folder.file("checkpoint")
        #expect(try await audit("checkpoint", "--output", file).status == 0)
        #expect(try folder.mode("checkpoint") == 0o600)
        let written = try folder.bytes("checkpoint")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link"), withDestinationPath: folder.file("none"))
        try FileManager.default.createSymbolicLink(atPath: folder.file("draft.new"), withDestinationPath: file)
        for name in ["checkpoint", "link", "draft"] {
            let refused = try await audit("checkpoint", "--output", folder.file(name))
            #expect(refused.status == 1 && refused.errors.contains("cannot make"), "\(name): \(refused.errors)")
        }
        #expect(try folder.bytes("checkpoint") == written, "no file is replaced, and no link is followed")
        #expect(try folder.files() == ["checkpoint", "data", "draft.new", "link"])
        try await makeKeys(2)
        let verified = try await audit("verify", "--checkpoint", file)
        #expect(verified.status == 0 && verified.output.hasPrefix("ok: 5 entries\n"), "\(verified.errors)")
        for line in [
            /file +database/, /log +swift-orchestration\/audit\/[0-9a-f]{16}\/default/, /entries +5, from 1 to 5/,
            /size +5/, /root +[0-9a-f]{64}/, /last entry +20.*Z/, /signed by +[0-9a-f]{8}/,
            /checkpoints +[0-9]+ compared, 1 of them kept elsewhere/, /not verified +that no later checkpoint exists/,
        ] {
            #expect(
                try verified.output.split(separator: "\n").contains { try line.wholeMatch(in: $0) != nil },
                "\(verified.output)")
        }
        let alone = try await audit("verify").output
        #expect(alone.contains("not verified  that the whole database was not put back"), "\(alone)")
        let result = try await audit("verify", "--json").output
        #expect(result.contains(#""findingCount":0,"findings":[],"key":""#) && result.contains(#""size":5"#))
        let note = try String(decoding: folder.bytes("checkpoint"), as: UTF8.self)
        let lines = note.components(separatedBy: "\n")
        #expect(lines[1] == "3" && lines[4].hasPrefix("\u{2014} \(lines[0]) "), "\(note)")
        #expect(try await audit("key").output.hasPrefix(lines[0] + "+"))
        let entry = try await audit("prove", "4")
        #expect(entry.status == 0 && entry.output.hasPrefix("c2sp.org/tlog-proof@v1\nextra "), "\(entry.errors)")
        #expect(entry.output.contains("\nindex 3\n") && entry.output.contains("\n\(lines[0])\n5\n"))
        let growth = try await audit("prove", "--since", "3")
        #expect(growth.status == 0 && growth.output.hasPrefix("old 3\n"), "\(growth.errors)")

        for wrong in ["", "1 --since 1", "6", "0", "--since 6", "--since 0", "x"] {
            let arguments = ["audit", "prove"] + wrong.split(separator: " ").map(String.init)
            let result = try await ServedPlatform.platform.run(arguments + ["--data", folder.file("data")])
            #expect(result.status == 2 && !result.errors.isEmpty, "\(wrong): \(result.status) \(result.errors)")
        }
        try Data("no checkpoint\n".utf8).write(to: URL(fileURLWithPath: folder.file("text")))
        let text = try await audit("verify", "--checkpoint", file, "--checkpoint", folder.file("text"))
        #expect(text.status == 3 && text.errors.contains("text: the file is not a checkpoint"), "\(text.errors)")
        let missing = try await audit("verify", "--checkpoint", folder.file("missing"))
        #expect(missing.status == 2 && missing.errors.contains("cannot open"), "\(missing.errors)")
        try Data(count: 60_000).write(to: URL(fileURLWithPath: folder.file("long")))
        #expect(try await audit("verify", "--checkpoint", folder.file("long")).status == 2)
        guard isRunning else { return }
        server.signal(SIGTERM)
        _ = await server.result()
    }

    @Test func `a server keeps a checkpoint, and an extract names what is wrong with its input`() async throws {
        try await stopped(start())
        try await makeKeys(2)
        #expect(try await audit("checkpoints").output == "")
        // The maintenance of a server begins with its start.
        let server = try await start()
        var listed = ""
        try await Patience.wait(for: "checkpoint") {
            listed = try await audit("checkpoints").output
            return !listed.isEmpty
        }
        #expect(listed.hasPrefix("ENTRIES") && listed.contains("\n2 "), "\(listed)")
        let json = try await audit("checkpoints", "--json").output
        #expect(json.contains(#""size":2"#) && json.contains(#""note":"swift-orchestration"#), "\(json)")
        #expect(try await audit("checkpoints", "--before", "2", "--json").output == "[]\n")
        let wrong = try await audit("checkpoints", "--before", "0")
        #expect(wrong.status == 2 && wrong.errors == "trusted-identity: the number of entries is 1 or more\n")
        #expect(try await audit("checkpoints", "--limit", "0").status == 2)
        try await stopped(server)

        let unknown = try await audit("extract", "nobody@master", "--to", folder.file("extract"))
        #expect(unknown.status == 3 && unknown.errors.contains("no such user"), "\(unknown.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("extract")))
        #expect(try await audit("verify", "--extract", folder.file("extract")).status == 2)
        try Data("x\n".utf8).write(to: URL(fileURLWithPath: folder.file("extract")))
        let exported = try await ServedPlatform.platform.run(
            ["platform-key", "export", "--data", folder.file("data")])
        try Data(exported.output.utf8).write(to: URL(fileURLWithPath: folder.file("statements")))
        for (keys, status, error) in [("statements", 6 as Int32, "not an extract"), ("extract", 3, "key statements")] {
            let wrong = try await audit(
                "verify", "--extract", folder.file("extract"), "--platform-keys", folder.file(keys))
            #expect(wrong.status == status && wrong.errors.contains(error), "\(wrong.errors)")
        }
    }

    @Test func `a changed entry is named, and a restored backup does not fit a later checkpoint`() async throws {
        try await stopped(start())
        try await makeKeys(2)
        let backup = try await ServedPlatform.platform.run(
            ["backup", folder.file("backup"), "--data", folder.file("data")])
        #expect(backup.status == 0, "\(backup.errors)")
        try await makeKeys(4)
        #expect(try await audit("checkpoint", "--output", folder.file("checkpoint")).status == 0)

        // The same change in every copy of the text, in the table alone: the database is closed.
        let path = folder.file("data/platform.sqlite")
        let original = try Data(contentsOf: URL(fileURLWithPath: path))
        var changed = original
        let event = try #require(changed.range(of: Data("api-key.created".utf8), options: .backwards))
        changed.replaceSubrange(event, with: Data("api-key.crested".utf8))
        try changed.write(to: URL(fileURLWithPath: path))
        let found = try await audit("verify")
        #expect(found.status == 6 && found.errors.contains("the first 6 entries are not those"), "\(found.errors)")
        #expect(found.output == "the first 6 entries are not those of the checkpoint of 6 entries\n")
        #expect(try await audit("verify", "--json").output.contains(#"{"kind":"otherThanCheckpoint","number":6}"#))
        #expect(try await audit("prove", "2").status == 1)
        try original.write(to: URL(fileURLWithPath: path))
        #expect(try await audit("verify", "--checkpoint", folder.file("checkpoint")).status == 0)

        let restored = try await ServedPlatform.platform.run(
            ["restore", folder.file("backup"), "--data", folder.file("data")])
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(try await audit("verify").status == 0)
        let shorter = try await audit("verify", "--checkpoint", folder.file("checkpoint"))
        #expect(shorter.status == 6, "\(shorter.output)")
        #expect(
            shorter.errors.contains("the checkpoint of 6 entries is that of another log"), "\(shorter.errors)")
        let verified = try await audit("verify")
        #expect(verified.output.firstMatch(of: /log +\S+\/default\/[0-9]+\n/) != nil, "\(verified.output)")
    }

    private func stopped(_ server: BuiltProgram.Running) async throws {
        server.signal(SIGTERM)
        #expect(await server.result().status == 0)
    }
}
