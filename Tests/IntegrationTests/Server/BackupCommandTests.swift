import Foundation
import TestSupport
import Testing

/// `trusted-identity backup` and `restore`. `Tests/Scripts/restore-drill` shows what a restore suspends and revokes.
@Suite(.enabled(if: ServedPlatform.platform.isBuilt, "the program is not built"))
struct BackupCommandTests {
    private let folder: TemporaryFolder
    private var backup: String { folder.file("backup.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String..., in data: String = "data") async throws -> BuiltProgram.Result {
        try await ServedPlatform.platform.run(arguments + ["--data", folder.file(data)])
    }

    /// Makes the data of a platform, with an API key.
    private func makePlatform(_ data: String = "data", _ options: String...) async throws {
        let server = try ServedPlatform.platform.start(
            ["serve", "--data", folder.file(data), "--listen", "127.0.0.1:0"] + options)
        _ = try await server.address()
        #expect(try await run("key", "create", "--scope", "admin", "--name", "earlier", in: data).status == 0)
        server.signal(SIGTERM)
        #expect(await server.result().status == 0)
    }

    @Test func `a backup of a running platform is restored, and the earlier database stays`() async throws {
        let server = try ServedPlatform.platform.start(
            ["serve", "--data", folder.file("data"), "--listen", "127.0.0.1:0"])
        _ = try await server.address()
        _ = try await run("key", "create", "--scope", "admin", "--name", "earlier")
        let made = try await run("backup", backup)
        #expect(made.status == 0 && made.output.hasPrefix("backed up: \(backup), "), "\(made.errors)")
        #expect(try folder.mode("backup.sqlite") == 0o600)
        #expect(try await run("backup", backup).status == 6, "no file is replaced")
        _ = try await run("key", "create", "--scope", "admin", "--name", "later")
        #expect(try await run("restore", backup).status == 4, "the server runs")
        server.signal(SIGTERM)
        #expect(await server.result().status == 0)

        let restored = try await run("restore", backup)
        #expect(restored.status == 0 && restored.output == "restored: everything from before is suspended\n")
        let prefix = "the earlier database is "
        let kept = try #require(restored.errors.split(separator: "\n").first { $0.hasPrefix(prefix) })
        #expect(FileManager.default.fileExists(atPath: String(kept.dropFirst(prefix.count))), "\(restored.errors)")
        let keys = try await run("key", "list").output
        #expect(keys.contains("earlier") && keys.contains("suspended") && !keys.contains("later"))
    }

    @Test func `a backup replaces no file and follows no link, also where its draft would be`() async throws {
        try await makePlatform()
        let other = try folder.write("other", "text")
        for (name, target) in [
            ("backup.sqlite", other), ("backup.sqlite", folder.file("none")), ("backup.sqlite.new", other),
            ("backup.sqlite.new", folder.file("none")),
        ] {
            try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target)
            let result = try await run("backup", backup)
            #expect(result.status == 6 && result.errors.contains(" exists: "), "\(result.errors)")
            #expect(try folder.bytes("other") == Array("text".utf8))
            #expect(try folder.files() == [name, "data", "other"].sorted())
            try FileManager.default.removeItem(atPath: folder.file(name))
        }
        #expect(try await run("backup", backup).status == 0)
    }

    @Test func `a backup of another tenant, another key or no platform is refused, and nothing is changed`()
        async throws
    {
        try await makePlatform()
        try await makePlatform("other", "--tenant", "other")
        #expect(try await run("backup", backup, in: "other").status == 0)
        let before = try folder.bytes("data/platform.sqlite")

        let tenant = try await run("restore", backup)
        #expect(tenant.status == 6 && tenant.errors.contains("tenant"), "\(tenant.errors)")
        try await makePlatform("third")
        let third = folder.file("third.sqlite")
        #expect(try await run("backup", third, in: "third").status == 0)
        let key = try await run("restore", third)
        #expect(key.status == 6 && key.errors.contains("master key"), "\(key.errors)")

        for bytes in [[], Array("no database".utf8), Array(try folder.bytes("backup.sqlite").prefix(100_000))] {
            try folder.write(bytes, to: "backup.sqlite")
            #expect(try await run("restore", backup).status == 6, "\(bytes.count)")
        }
        #expect(try await run("restore", folder.file("missing")).status == 2)
        #expect(try folder.bytes("data/platform.sqlite") == before)
        #expect(try await run("key", "list").output.contains("earlier"))
    }
}
