import Foundation
import TestSupport
import Testing

/// The places of the master key and the change key, as a user names them.
@Suite(.serialized, .enabled(if: BuiltProgram(name: "trusted-identity").isBuilt, "trusted-identity is not built"))
final class KeySourceTests {
    private static let master = "test:" + String(repeating: "5a", count: 32)
    private static let change = String(repeating: "c3", count: 32)
    private static let inEnvironment = ["--master-key", "environment:MASTER", "--change-key", "environment:CHANGE"]
    private static let variables = ["MASTER": master, "CHANGE": change]

    private let program = BuiltProgram(name: "trusted-identity")
    // With a short name, because the path of the socket in it has a low limit.
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tk-\(UUID().uuidString.prefix(8))")
    private var data: String { folder.path + "/data" }
    private var inFiles: [String] {
        ["--master-key", "file:\(folder.path)/m.key", "--change-key", "file:\(folder.path)/c.key"]
    }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func run(
        _ command: [String], _ more: [String] = [], descriptors: [Int: String] = [:],
        environment: [String: String] = [:]
    ) async throws -> BuiltProgram.Result {
        try await program.run(
            command + ["--data", data] + more, descriptors: descriptors, environment: environment)
    }

    private func start(
        _ more: [String], descriptors: [Int: String] = [:], environment: [String: String] = [:]
    ) throws -> BuiltProgram.Running {
        try program.start(
            ["serve", "--data", data, "--listen", "127.0.0.1:0"] + more, descriptors: descriptors,
            environment: environment)
    }

    /// Starts a server and stops it. Returns what it logged.
    @discardableResult private func serve(
        _ more: [String], descriptors: [Int: String] = [:], environment: [String: String] = [:]
    ) async throws -> String {
        let server = try start(more, descriptors: descriptors, environment: environment)
        _ = try await server.address()
        server.signal(SIGTERM)
        let result = await server.result()
        #expect(result.status == 0)
        return result.errors
    }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.path + "/" + name) }

    private func write(_ name: String, _ text: String, mode: Int = 0o600) {
        #expect(
            FileManager.default.createFile(
                atPath: folder.path + "/" + name, contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
    }

    @Test func `keys in files outside of the folder are made at the first start, and used by each command`()
        async throws
    {
        try await serve(inFiles)
        #expect(exists("m.key") && exists("c.key") && !exists("data/master.key") && !exists("data/change.key"))
        for name in ["m.key", "c.key"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        let list = try await run(["key", "list"], inFiles)
        #expect(list.status == 0, "\(list.errors)")
        #expect(try await run(["restored"], inFiles + ["--nothing-revoked"]).status == 0)
        let without = try await run(["key", "list"])
        #expect(without.status == 6 && without.errors.contains("the master key \(data)/master.key is missing"))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path + "/m.key")
        let open = try await run(["key", "list"], inFiles)
        #expect(open.status == 6 && open.errors.contains("m.key is open to other users\nhint: chmod 600 "))
    }

    @Test func `keys move out of the folder with their files`() async throws {
        try await serve([])
        for (from, to) in [("master", "m"), ("change", "c")] {
            try FileManager.default.moveItem(atPath: "\(data)/\(from).key", toPath: "\(folder.path)/\(to).key")
        }
        try await serve(inFiles)
        let variables = try ["MASTER": "m", "CHANGE": "c"].mapValues {
            try String(contentsOfFile: "\(folder.path)/\($0).key", encoding: .utf8)
        }
        #expect(try await run(["key", "list"], Self.inEnvironment, environment: variables).status == 0)
    }

    @Test func `keys come from the environment, and are removed from it`() async throws {
        let server = try start(Self.inEnvironment, environment: Self.variables)
        _ = try await server.address()
        #if os(Linux)
            let environment = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(server.number)/environ"))
            #expect(environment.range(of: Data("PATH=".utf8)) != nil)
            #expect(environment.range(of: Data("5a5a".utf8)) == nil && environment.range(of: Data("c3c3".utf8)) == nil)
        #endif
        // A running server has the keys, so a command needs none.
        let asked = try await run(["key", "list"], Self.inEnvironment)
        #expect(asked.status == 0, "\(asked.errors)")
        server.signal(SIGTERM)
        let result = await server.result()
        #expect(result.status == 0 && !result.errors.contains("5a5a") && !result.errors.contains("c3c3"))
        #expect(!exists("data/master.key") && !exists("data/change.key"))

        let unset = try await run(["key", "list"], Self.inEnvironment)
        #expect(unset.status == 6)
        #expect(
            unset.errors == """
                trusted-identity: the master key is missing: the variable MASTER is not set
                hint: set MASTER to the text of the key file

                """)
        let list = try await run(["key", "list"], Self.inEnvironment, environment: Self.variables)
        #expect(list.status == 0, "\(list.errors)")
        let marked = try await run(["restored"], Self.inEnvironment, environment: Self.variables)
        #expect(marked.status == 0 && marked.output == "restored: everything from before is suspended\n")
    }

    @Test func `keys come from descriptors`() async throws {
        let sources = ["--master-key", "descriptor:5", "--change-key", "descriptor:6"]
        let descriptors = [5: Self.master + "\n", 6: Self.change]
        try await serve(sources, descriptors: descriptors)
        #expect(!exists("data/master.key") && !exists("data/change.key"))
        // The same keys from another source open the data.
        #expect(try await run(["key", "list"], Self.inEnvironment, environment: Self.variables).status == 0)
        #expect(try await run(["key", "list"], sources, descriptors: descriptors).status == 0)
        let closed = try await run(
            ["key", "list"], ["--master-key", "descriptor:9", "--change-key", "descriptor:6"], descriptors: descriptors)
        #expect(closed.status == 6)
        #expect(
            closed.errors == """
                trusted-identity: cannot read the master key from descriptor 9: bad file descriptor
                hint: open it for the program, as with 9<FILE in a shell

                """)
        let refused = await (try start(["--master-key", "descriptor:9", "--change-key", "descriptor:6"])).result()
        #expect(refused.status == 6 && refused.errors == closed.errors)
    }

    @Test(arguments: [
        ("", "the variable MASTER holds no master key"), ("short", "environment:MASTER holds no master key"),
        ("id:" + String(repeating: "5g", count: 32), "environment:MASTER holds no master key"),
        (String(repeating: "5a", count: 100), "the variable MASTER holds no master key"),
    ])
    func `a malformed key is refused, and is not shown`(text: String, message: String) async throws {
        let variable = await (try start(Self.inEnvironment, environment: ["MASTER": text, "CHANGE": Self.change]))
            .result()
        #expect(variable.status == 6 && variable.errors.hasPrefix("trusted-identity: \(message)\nhint: "))
        #expect(text.isEmpty || !variable.errors.contains(text.prefix(5)))
        let descriptor = await
            (try start(
                ["--master-key", "descriptor:5", "--change-key", "descriptor:6"],
                descriptors: [5: text, 6: Self.change])).result()
        #expect(
            descriptor.status == 6 && descriptor.errors.contains("descriptor")
                && descriptor.errors.contains(" holds no master key\n"))
        #expect(!exists("data/platform.sqlite"))
    }

    @Test func `a malformed change key is refused`() async throws {
        try await serve(Self.inEnvironment, environment: Self.variables)
        let result = try await run(
            ["key", "list"], Self.inEnvironment, environment: ["MASTER": Self.master, "CHANGE": Self.master])
        #expect(result.status == 6)
        #expect(
            result.errors
                == "trusted-identity: environment:CHANGE holds no change key\nhint: its text has 64 hexadecimal digits\n"
        )
        let other = try await run(
            ["key", "list"], Self.inEnvironment,
            environment: ["MASTER": Self.master, "CHANGE": String(repeating: "00", count: 32)])
        #expect(other.status == 6 && other.errors.contains("the change key does not belong to the store"))
    }

    @Test func `only one key outside of the folder is refused, with the place of its source`() async throws {
        let result = await (try start(["--master-key", "file:\(folder.path)/m.key"])).result()
        #expect(result.status == 2)
        #expect(
            result.errors.hasPrefix(
                "--master-key: master-key is outside of the data folder and change-key is not: give change-key a source, too\n"
            ))
        let variable = try await run(["key", "list"], environment: ["TRUSTED_IDENTITY_CHANGE_KEY": "descriptor:6"])
        #expect(
            variable.status == 2 && variable.errors.hasPrefix("TRUSTED_IDENTITY_CHANGE_KEY: change-key is outside "))
        #expect(!exists("data") && !exists("m.key"))
    }

    @Test func `a file in the data folder is no place outside of it`() async throws {
        let result = await
            (try start(
                ["--master-key", "file:\(data)/../data/m.key", "--change-key", "file:\(folder.path)/c.key"])).result()
        #expect(result.status == 2 && result.errors.contains("the file of the master key is in the data folder: "))
        #expect(!exists("data/m.key") && !exists("data/platform.sqlite"))
    }

    @Test func `a change key in a file outside of the folder is replaced there`() async throws {
        try await serve(inFiles)
        let replace = ["change-key", "replace", "--yes"]
        let present = try await run(replace, inFiles)
        #expect(
            present.status == 3 && present.errors.contains("the change key \(folder.path)/c.key is there, nothing was"))
        let key = try String(contentsOfFile: folder.path + "/c.key", encoding: .utf8)
        try FileManager.default.removeItem(atPath: folder.path + "/c.key")
        let replaced = try await run(replace, inFiles)
        #expect(replaced.status == 0, "\(replaced.errors)")
        #expect(try String(contentsOfFile: folder.path + "/c.key", encoding: .utf8) != key)
        #expect(!exists("data/change.key"))
        try await serve(inFiles)
    }

    @Test func `a change key in the environment is replaced by the key that is there`() async throws {
        try await serve(Self.inEnvironment, environment: Self.variables)
        let replace = ["change-key", "replace", "--yes"]
        let next = ["MASTER": Self.master, "CHANGE": String(repeating: "d4", count: 32)]
        let made = try await run(replace, Self.inEnvironment, environment: next)
        #expect(made.status == 3)
        #expect(
            made.errors == """
                trusted-identity: the change key comes from environment:CHANGE, which this command cannot write
                hint: put a new key there, 64 random hexadecimal digits, and take it with --use-file

                """)
        let same = try await run(replace, Self.inEnvironment + ["--use-file"], environment: Self.variables)
        #expect(same.status == 3 && same.errors.contains("nothing was changed"))
        let replaced = try await run(replace, Self.inEnvironment + ["--use-file"], environment: next)
        #expect(replaced.status == 0 && replaced.output == "replaced\n", "\(replaced.errors)")
        try await serve(Self.inEnvironment, environment: next)
        let earlier = try await run(["key", "list"], Self.inEnvironment, environment: Self.variables)
        #expect(earlier.status == 6 && earlier.errors.contains("the change key does not belong to the store"))
    }

    @Test(arguments: ["master", "tenant"])
    func `a replacement with a wrong master key or tenant makes no key`(wrong: String) async throws {
        try await serve([])
        try FileManager.default.removeItem(atPath: data + "/change.key")
        if wrong == "master" {
            try FileManager.default.removeItem(atPath: data + "/master.key")
            write("data/master.key", Self.master)
        }
        let tenant = wrong == "tenant" ? ["TRUSTED_IDENTITY_TENANT": "other"] : [:]
        let result = try await run(["change-key", "replace", "--yes"], environment: tenant)
        #expect(result.status == 6)
        #expect(
            result.errors.contains(
                wrong == "master" ? "the master key does not open the store" : "the folder belongs to another tenant"))
        #expect(!exists("data/change.key"))
    }

    @Test func `production logs a warning for keys in the data folder, and for files that are not used`() async throws {
        let warning = "the master key and the change key are in the data folder"
        #expect(!(try await serve([])).contains(warning))
        #expect(try await serve(["--mode", "production"]).contains(warning))
        for (from, to) in [("master", "m"), ("change", "c")] {
            try FileManager.default.copyItem(atPath: "\(data)/\(from).key", toPath: "\(folder.path)/\(to).key")
        }
        let copied = try await serve(inFiles + ["--mode", "production"])
        #expect(!copied.contains(warning) && copied.contains("has key files that are not used"))
        for name in ["master", "change"] { try FileManager.default.removeItem(atPath: "\(data)/\(name).key") }
        #expect(!(try await serve(inFiles + ["--mode", "production"])).contains(" warning "))
    }
}
