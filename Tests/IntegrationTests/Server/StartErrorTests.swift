import CLibrary
import CommandLine
import Foundation
import TestSupport
import Testing

/// What a user reads when a command cannot do its work: a line that says what is wrong, and a hint.
@Suite struct StartErrorTests {
    private static let program = BuiltProgram(name: "trusted-identity")
    private let folder: TemporaryFolder
    // With a short path, because the path of the socket in it has a low limit.
    private let data = FileManager.default.temporaryDirectory.appending(path: "te-\(UUID().uuidString.prefix(8))").path

    init() throws { folder = try TemporaryFolder() }

    /// Runs a command that fails, and returns its message and its hint.
    private func failure(_ arguments: [String], status: Int32) async throws -> (message: String, hint: String) {
        let result = try await Self.program.run(arguments)
        #expect(result.status == status, "\(result.errors)")
        let lines = result.errors.split(separator: "\n").map(String.init)
        // An entry of the log has the name of a level.
        let levels = /\S+ (trace|debug|info|notice|warning) trusted-identity: .*/
        let report = lines.filter { $0.wholeMatch(of: levels) == nil }
        #expect(report.count == 2, "\(result.errors)")
        for dump in [
            "HummingbirdCore", "ServiceLifecycle", "errno", "Swift.", "TrustedIdentity.", "(descriptor", "Error(",
        ] {
            #expect(!result.errors.contains(dump), "\(dump): \(result.errors)")
        }
        let prefixes = ["trusted-identity: ", "hint: "]
        #expect(zip(report, prefixes).allSatisfy { $0.hasPrefix($1) }, "\(report)")
        return (
            String(report.first?.dropFirst(prefixes[0].count) ?? ""),
            String(report.last?.dropFirst(prefixes[1].count) ?? "")
        )
    }

    @Test(arguments: ["info", "debug", "trace"])
    func `an address that cannot be listened on is named, without the text of a library`(level: String) async throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        try await TestServer.run { server in
            let serve = ["serve", "--data", data, "--log-level", level, "--listen"]
            let problem = "the address cannot be listened on: "
            let used = try await failure(serve + ["127.0.0.1:\(server.port)"], status: 1)
            #expect(used.message == problem + "another program listens on 127.0.0.1:\(server.port)")
            #expect(used.hint == "choose another address with --listen")
            let foreign = try await failure(serve + ["192.0.2.1:0"], status: 1)
            #expect(foreign.message == problem + "192.0.2.1 is not an address of this machine")
            let unknown = try await failure(serve + ["none.invalid:0"], status: 1)
            #expect(unknown.message == problem + "the name none.invalid has no address")
            let management = try await failure(
                serve + ["127.0.0.1:0", "--management-listen", "127.0.0.1:\(server.port)"], status: 1)
            #expect(
                management.message
                    == "the address of the management listener cannot be listened on: another program listens on "
                    + "127.0.0.1:\(server.port)")
            #expect(management.hint == "choose another address with --management-listen")
        }
    }

    @Test func `a folder that is not one for data is named`() async throws {
        let file = try folder.write("file", "")
        let open = folder.file("open")
        try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: open)
        for (path, message) in [
            (file, "\(file) is not a folder"),
            (open, "the folder \(open) is open to other users"),
            (folder.file("a/b"), "cannot make the folder \(folder.file("a/b")): no such file or directory"),
        ] {
            #expect(try await failure(["serve", "--data", path], status: 6).message == message)
        }
        let missing = try await failure(["key", "list", "--data", folder.file("none")], status: 6)
        #expect(missing.message == "cannot open the folder \(folder.file("none")): no such file or directory")
    }

    @Test func `a file that is not a backup is named, and nothing is changed`() async throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        let server = try Self.program.start(["serve", "--data", data, "--listen", "127.0.0.1:0"])
        _ = try await server.address()
        server.signal(SIGTERM)
        #expect(await server.result().status == 0)
        let backup = folder.file("backup")
        #expect(try await Self.program.run(["backup", backup, "--data", data]).status == 0)
        try folder.write(Array(try folder.bytes("backup").prefix(20_000)), to: "cut")
        try folder.write([], to: "empty")
        _ = try folder.write(
            "text", "a text that is longer than the header of a database, which has a hundred bytes.....")
        let database = try Data(contentsOf: URL(filePath: data + "/platform.sqlite"))
        for name in ["cut", "empty", "text"] {
            let error = try await failure(["restore", folder.file(name), "--data", data], status: 6)
            #expect(
                error.message
                    == "\(folder.file(name)) is not a backup of a platform, or it is damaged; nothing was changed")
        }
        for (path, message) in [
            ("none", "cannot open \(folder.file("none")): "), ("", "\(folder.file("")) is a folder"),
        ] {
            let result = try await Self.program.run(["restore", folder.file(path), "--data", data])
            #expect(result.status == 2 && result.errors.hasPrefix("trusted-identity: \(message)"), "\(result.errors)")
        }
        #expect(try Data(contentsOf: URL(filePath: data + "/platform.sqlite")) == database)
    }

    @Test(arguments: ["trusted-identity", "authenticator"])
    func `both programs print the version of the changelog`(name: String) async throws {
        let result = try await BuiltProgram(name: name).run(["--version"])
        let changelog = try String(
            contentsOf: URL(filePath: #filePath).appending(path: "../../../../CHANGELOG.md").standardized,
            encoding: .utf8)
        let version = try #require(changelog.firstMatch(of: /\n## [^\n]*?(\d+\.\d+\.\d+)/)).1
        #expect(result.status == 0 && result.output == "\(version)\n" && result.errors.isEmpty)
    }

    @Test func `the trust store of the system is a file, or a folder with names of hashes`() throws {
        let root = folder.path
        #expect(!TrustStore.isFound(in: root))
        let certificates = root + "/etc/ssl/certs"
        try FileManager.default.createDirectory(atPath: certificates, withIntermediateDirectories: true)
        _ = try folder.write("etc/ssl/certs/ca-certificates.crt", "")
        _ = try folder.write("etc/ssl/certs/own.pem", "x")
        #expect(!TrustStore.isFound(in: root))
        _ = try folder.write("etc/ssl/certs/0a1b2c3d.0", "x")
        #expect(TrustStore.isFound(in: root))
        try FileManager.default.removeItem(atPath: certificates + "/0a1b2c3d.0")
        _ = try folder.write("etc/ssl/certs/ca-certificates.crt", "x")
        #expect(TrustStore.isFound(in: root))
    }
}

/// Files and folders of another user. Only root can make them.
@Suite(.enabled(if: geteuid() == 0, "only root can give a file to another user"))
struct ForeignFileTests {
    private let program = BuiltProgram(name: "trusted-identity")
    private let folder: TemporaryFolder
    private let data = FileManager.default.temporaryDirectory.appending(path: "tf-\(UUID().uuidString.prefix(8))").path

    init() throws { folder = try TemporaryFolder() }

    private func give(_ path: String) throws {
        try FileManager.default.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: path)
    }

    @Test func `a data folder, a draft and an output file of another user are refused`() async throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        let server = try program.start(["serve", "--data", data, "--listen", "127.0.0.1:0"])
        _ = try await server.address()
        server.signal(SIGTERM)
        #expect(await server.result().status == 0)

        let export = ["audit", "export", "--data", data, "--output", folder.file("log")]
        try give(try folder.write("log.new", ""))
        let draft = try await program.run(export)
        #expect(draft.status == 1 && draft.errors.contains("log.new is not a file of this user"), "\(draft.errors)")
        #expect(try folder.bytes("log.new").isEmpty)
        try FileManager.default.removeItem(atPath: folder.file("log.new"))

        try give(try folder.write("log", "theirs"))
        let output = try await program.run(export)
        #expect(output.status == 1 && output.errors.contains("log is not a file of this user"), "\(output.errors)")
        #expect(try folder.bytes("log") == Array("theirs".utf8) && folder.files() == ["log"])
        try FileManager.default.removeItem(atPath: folder.file("log"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("log"), withDestinationPath: folder.file("other"))
        #expect(try await program.run(export).status == 1)
        try FileManager.default.removeItem(atPath: folder.file("log"))
        #expect(try await program.run(export).status == 0)
        #expect(try await program.run(export).status == 0, "an own file is replaced")

        try give(data)
        for command in [["serve", "--listen", "127.0.0.1:0"], ["key", "list"], ["backup", folder.file("backup")]] {
            let result = try await program.run(command + ["--data", data])
            #expect(
                result.status == 6 && result.errors.contains("the folder \(data) belongs to another user"),
                "\(result.errors)")
        }
    }

    @Test func `a transcript is not appended to a file of another user, nor behind a link`() async throws {
        let authenticator = BuiltProgram(name: "authenticator")
        try give(try folder.write("theirs", ""))
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.file("own"))
        for name in ["theirs", "link"] {
            let result = try await authenticator.run(
                [
                    "otp", "alice", "--store", folder.file("store"), "--platform", "http://127.0.0.1:1", "--transcript",
                    folder.file(name), "--password-fd", "3",
                ], descriptors: [3: "1\n"])
            #expect(result.status == 2 && result.errors.contains("is not a file of this user"), "\(result.errors)")
        }
        #expect(try folder.bytes("theirs").isEmpty)
    }
}
