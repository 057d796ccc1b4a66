import Foundation
import TestSupport
import Testing

/// `trusted-identity audit prune`, and `audit verify --pruned`. `Tests/Interop/python/run` verifies the file.
@Suite(.enabled(if: ServedPlatform.platform.isBuilt, "the program is not built"))
struct AuditPruneCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: [String], data: String = "data") async throws -> BuiltProgram.Result {
        try await ServedPlatform.platform.run(arguments + ["--data", folder.file(data)])
    }

    private func audit(_ arguments: String..., data: String = "data") async throws -> BuiltProgram.Result {
        try await run(["audit"] + arguments, data: data)
    }

    /// Prunes what is before a time, by default all but the last entry.
    private func prune(
        to file: String, before: String? = nil, data: String = "data"
    ) async throws -> BuiltProgram.Result {
        try await audit("prune", "--to", folder.file(file), "--before", before ?? Self.now, data: data)
    }

    private static var now: String { Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }

    private func makeKeys(_ count: Int) async throws {
        for _ in 1...count {
            let made = try await run(["key", "create", "--scope", "admin", "--name", "\(UUID())"])
            #expect(made.status == 0, "\(made.errors)")
        }
    }

    private func start() async throws -> BuiltProgram.Running {
        let server = try ServedPlatform.platform.start(
            ["serve", "--data", folder.file("data"), "--listen", "127.0.0.1:0"])
        _ = try await server.address()
        return server
    }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.file(name)) }

    private func stopped(_ server: BuiltProgram.Running) async throws {
        server.signal(SIGTERM)
        #expect(await server.result().status == 0)
    }

    @Test(arguments: [true, false])
    func `entries are pruned while the server runs and while it does not, and the rest is verified`(
        isRunning: Bool
    ) async throws {
        let server = try await start()
        if !isRunning { try await stopped(server) }
        try await makeKeys(4)
        #expect(try await audit("checkpoint", "--output", folder.file("checkpoint")).status == 0)
        try await makeKeys(3)
        let pruned = try await prune(to: "one")
        #expect(pruned.status == 0 && pruned.output == "pruned: entries 1 to 6 are in \(folder.file("one"))\n")
        #expect(try folder.mode("one") == 0o600)
        let verified = try await audit("verify")
        #expect(verified.status == 0, "\(verified.errors)")
        #expect(verified.output.hasPrefix("ok: 8 entries, the first 6 pruned\n"))
        #expect(verified.output.contains("not verified  the first 6 entries, which were pruned: give the files"))
        #expect(verified.output.contains("entries       2, from 7 to 8\n"), "\(verified.output)")
        let file = folder.file("one")
        let both = try await audit("verify", "--pruned", file, "--checkpoint", folder.file("checkpoint"))
        #expect(both.status == 0 && both.output.contains("verified by the files"), "\(both.errors)")
        #expect(both.output.contains("entries       8, from 1 to 8\n") && !both.output.contains("were pruned"))
        let early = try await audit("verify", "--checkpoint", folder.file("checkpoint"))
        #expect(early.status == 3 && early.errors.contains("--pruned"), "\(early.errors)")
        for arguments in [["prove", "6"], ["prove", "--since", "5"], ["export", "--since", "6"]] {
            let refused = try await run(["audit"] + arguments)
            #expect(refused.status == 3 && refused.errors.contains("was pruned"), "\(arguments): \(refused.errors)")
        }
        #expect(try await audit("prove", "7").status == 0)
        #expect(try await audit("prove", "--since", "6").status == 0)
        #expect(try await audit("export").output.hasPrefix(#"{"actor":"administrator""#))

        try await makeKeys(2)
        let second = try await prune(to: "two")
        #expect(second.output.hasPrefix("pruned: entries 7 to "), "\(second.errors)")
        let late = try await audit("verify", "--pruned", folder.file("two"), "--pruned", file)
        #expect(late.status == 0, "\(late.errors)")
        #expect(try await audit("verify", "--pruned", folder.file("two")).status == 0)
        let missing = try await audit("verify", "--pruned", file)
        #expect(missing.status == 3 && missing.errors.contains("the latest pruning"), "\(missing.errors)")
        guard isRunning else { return }
        try await stopped(server)
    }

    @Test func `bad input is refused, and nothing is removed`() async throws {
        try await stopped(start())
        try await makeKeys(4)
        let cases: [(before: String, file: String, status: Int32, error: String)] = [
            ("2999-01-01", "a", 2, "in the future"), ("2020-01-01", "a", 3, "no entry before"),
            ("yesterday", "a", 2, "not a day"), ("2020-13-01", "a", 2, "not a day"), ("", "a", 2, "not a day"),
            (Self.now, "missing/a", 1, "cannot make"), (Self.now, "data", 2, "is a folder"),
        ]
        for (before, file, status, error) in cases {
            let result = try await prune(to: file, before: before)
            #expect(result.status == status && result.errors.contains(error), "\(before) \(file): \(result.errors)")
            #expect(!exists("a") && !exists("a.new"))
        }
        // Files that are there stay as they are.
        #expect(try await audit("export", "--output", folder.file("export")).status == 0)
        try Data("notes\n".utf8).write(to: URL(fileURLWithPath: folder.file("text")))
        for name in ["export", "text"] {
            let before = try folder.bytes(name)
            let result = try await prune(to: name)
            #expect(result.status == 3 && result.errors.contains("exists already"), "\(result.errors)")
            #expect(try folder.bytes(name) == before)
        }
        #expect(try await audit("verify").output.hasPrefix("ok: 5 entries\n"))
        #expect(try await audit("verify", "--pruned", folder.file("export")).status == 3)
        // The file of a pruning that has ended holds no later entries.
        #expect(try await prune(to: "one").status == 0)
        try await makeKeys(2)
        let again = try await prune(to: "one")
        #expect(again.status == 3 && again.errors.contains("exists already"), "\(again.errors)")
    }

    @Test func `a run after the one that has ended changes nothing, also when the last entry was before the date`()
        async throws
    {
        try await stopped(start())
        try await makeKeys(5)
        // Entry 5 is before the date, and stays because it is the last one.
        let date = Self.now
        for _ in 0..<3 {
            let result = try await prune(to: "file", before: date)
            #expect(result.status == 0 && result.output.contains("entries 1 to 4 are in"), "\(result.errors)")
            #expect(try await audit("verify").output.hasPrefix("ok: 6 entries, the first 4 pruned\n"))
        }
        try await makeKeys(1)
        #expect(try await prune(to: "file", before: date).status == 0)
        // Entry 5 is no longer the last one before a later date.
        let later = try await prune(to: "file")
        #expect(later.status == 3 && later.errors.contains("exists already"), "\(later.errors)")
    }

    @Test func `a symbolic link is not followed`() async throws {
        try await stopped(start())
        try await makeKeys(5)
        let date = Self.now
        let files = FileManager.default
        try files.copyItem(atPath: folder.file("data"), toPath: folder.file("before"))
        #expect(try await prune(to: "file", before: date).status == 0)
        try files.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.file("file"))
        try files.createSymbolicLink(atPath: folder.file("dangling"), withDestinationPath: folder.file("none"))
        for name in ["link", "dangling"] {
            let result = try await prune(to: name, before: date, data: "before")
            #expect(result.status == 2 && result.errors.contains("is a symbolic link"), "\(result.errors)")
            #expect(try await audit("verify", data: "before").output.hasPrefix("ok: 5 entries\n"))
        }
        #expect(!exists("none") && !exists("dangling.new"))
        #expect(try await prune(to: "file", before: date, data: "before").status == 0)
    }

    @Test func `a run that was interrupted is completed with the same file`() async throws {
        try await stopped(start())
        try await makeKeys(5)
        let date = Self.now
        try await makeKeys(2)
        let files = FileManager.default
        try files.copyItem(atPath: folder.file("data"), toPath: folder.file("before"))
        // 1. A draft that was not completed.
        try Data("{\"actor\":".utf8).write(to: URL(fileURLWithPath: folder.file("file.new")))
        #expect(try await prune(to: "file", before: date).status == 0)
        let bytes = try folder.bytes("file")
        #expect(!exists("file.new"))
        // 2. The file is complete, and the database has all entries.
        for _ in 0..<2 {
            let result = try await prune(to: "file", before: date, data: "before")
            #expect(result.status == 0 && result.output.contains("entries 1 to 5 are in"), "\(result.errors)")
            #expect(try await audit("verify", "--pruned", folder.file("file"), data: "before").status == 0)
        }
        #expect(try folder.bytes("file") == bytes)
        // 3. The file is complete and was changed: nothing is removed.
        try files.copyItem(atPath: folder.file("data"), toPath: folder.file("later"))
        var changed = bytes
        changed[12] ^= 1
        try Data(changed).write(to: URL(fileURLWithPath: folder.file("file")))
        let result = try await prune(to: "file", data: "later")
        #expect(result.status == 3 && result.errors.contains("exists already"), "\(result.errors)")
    }

    @Test func `a complete file whose draft has kept its name stays as it is`() async throws {
        try await stopped(start())
        try await makeKeys(2)
        try Data("content\n".utf8).write(to: URL(fileURLWithPath: folder.file("file")))
        try FileManager.default.linkItem(atPath: folder.file("file"), toPath: folder.file("file.new"))
        let first = try await audit("checkpoint", "--output", folder.file("file"))
        #expect(first.status == 1 && first.errors.contains("try again"), "\(first.errors)")
        #expect(try folder.bytes("file") == Array("content\n".utf8) && !exists("file.new"))
        let second = try await audit("checkpoint", "--output", folder.file("file"))
        #expect(second.status == 1 && second.errors.contains("cannot make"), "\(second.errors)")
        #expect(try folder.bytes("file") == Array("content\n".utf8) && !exists("file.new"))
        #expect(try await audit("checkpoint", "--output", folder.file("other")).status == 0)
        #expect(!exists("other.new"))
    }

    @Test func `a finding is printed when a checkpoint of the pruned part cannot be compared`() async throws {
        try await stopped(start())
        try await makeKeys(3)
        #expect(try await audit("checkpoint", "--output", folder.file("early")).status == 0)
        try await makeKeys(2)
        #expect(try await prune(to: "file").status == 0)
        try FileManager.default.copyItem(atPath: folder.file("data"), toPath: folder.file("back"))
        try await makeKeys(1)
        #expect(try await audit("checkpoint", "--output", folder.file("late")).status == 0)
        let early = ["verify", "--checkpoint", folder.file("early")]
        #expect(try await run(["audit"] + early, data: "back").status == 3)
        let result = try await run(["audit"] + early + ["--checkpoint", folder.file("late")], data: "back")
        #expect(result.status == 6 && result.output.contains("the log has fewer entries"), "\(result.errors)")
    }

    @Test func `a log that was changed is not pruned, and leaves no file`() async throws {
        try await stopped(start())
        try await makeKeys(4)
        // An entry can be changed unseen before it has a place in the tree.
        #expect(try await audit("checkpoint").status == 0)
        let path = folder.file("data/platform.sqlite")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let event = try #require(bytes.range(of: Data("api-key.created".utf8), options: .backwards))
        bytes.replaceSubrange(event, with: Data("api-key.crested".utf8))
        try bytes.write(to: URL(fileURLWithPath: path))
        let result = try await prune(to: "file")
        #expect(result.status == 6 && result.errors.contains("was changed"), "\(result.errors)")
        #expect(!exists("file") && !exists("file.new"))
    }
}
