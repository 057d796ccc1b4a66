import Foundation
import TestSupport
import Testing

/// The places of the master key, as a user names them.
@Suite(.serialized, .enabled(if: BuiltProgram(name: "trusted-identity").isBuilt, "trusted-identity is not built"))
final class KeySourceTests {
    private static let master = "test:" + String(repeating: "5a", count: 32)
    private static let inEnvironment = ["--master-key", "environment:MASTER"]
    private static let variables = ["MASTER": master]

    private let program = BuiltProgram(name: "trusted-identity")
    // With a short name, because the path of the socket in it has a low limit.
    private let folder = FileManager.default.temporaryDirectory.appending(path: "tk-\(UUID().uuidString.prefix(8))")
    private var data: String { folder.path + "/data" }
    private var inFiles: [String] {
        ["--master-key", "file:\(folder.path)/m.key"]
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
        #expect(exists("m.key") && !exists("data/master.key"))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/m.key")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
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
        try FileManager.default.moveItem(atPath: "\(data)/master.key", toPath: "\(folder.path)/m.key")
        try await serve(inFiles)
        let variables = ["MASTER": try String(contentsOfFile: "\(folder.path)/m.key", encoding: .utf8)]
        #expect(try await run(["key", "list"], Self.inEnvironment, environment: variables).status == 0)
    }

    @Test func `keys come from the environment, and are removed from it`() async throws {
        let server = try start(Self.inEnvironment, environment: Self.variables)
        _ = try await server.address()
        #if os(Linux)
            let environment = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(server.number)/environ"))
            #expect(environment.range(of: Data("PATH=".utf8)) != nil)
            #expect(environment.range(of: Data("5a5a".utf8)) == nil)
        #endif
        // A running server has the keys, so a command needs none.
        let asked = try await run(["key", "list"], Self.inEnvironment)
        #expect(asked.status == 0, "\(asked.errors)")
        server.signal(SIGTERM)
        let result = await server.result()
        #expect(result.status == 0 && !result.errors.contains("5a5a"))
        #expect(!exists("data/master.key"))

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
        let sources = ["--master-key", "descriptor:5"]
        let descriptors = [5: Self.master + "\n"]
        try await serve(sources, descriptors: descriptors)
        #expect(!exists("data/master.key"))
        // The same key from another source opens the data.
        #expect(try await run(["key", "list"], Self.inEnvironment, environment: Self.variables).status == 0)
        #expect(try await run(["key", "list"], sources, descriptors: descriptors).status == 0)
        let closed = try await run(
            ["key", "list"], ["--master-key", "descriptor:9"], descriptors: descriptors)
        #expect(closed.status == 6)
        #expect(
            closed.errors == """
                trusted-identity: cannot read the master key from descriptor 9: bad file descriptor
                hint: open it for the program, as with 9<FILE in a shell

                """)
        let refused = await (try start(["--master-key", "descriptor:9"])).result()
        #expect(refused.status == 6 && refused.errors == closed.errors)
    }

    @Test(arguments: [
        ("", "the variable MASTER holds no master key"), ("short", "environment:MASTER holds no master key"),
        ("id:" + String(repeating: "5g", count: 32), "environment:MASTER holds no master key"),
        (String(repeating: "5a", count: 100), "the variable MASTER holds no master key"),
    ])
    func `a malformed key is refused, and is not shown`(text: String, message: String) async throws {
        let variable = await (try start(Self.inEnvironment, environment: ["MASTER": text]))
            .result()
        #expect(variable.status == 6 && variable.errors.hasPrefix("trusted-identity: \(message)\nhint: "))
        #expect(text.isEmpty || !variable.errors.contains(text.prefix(5)))
        let descriptor = await (try start(["--master-key", "descriptor:5"], descriptors: [5: text])).result()
        #expect(
            descriptor.status == 6 && descriptor.errors.contains("descriptor")
                && descriptor.errors.contains(" holds no master key\n"))
        #expect(!exists("data/platform.sqlite"))
    }

    @Test func `a file in the data folder is no place outside of it`() async throws {
        let result = await (try start(["--master-key", "file:\(data)/../data/m.key"])).result()
        #expect(result.status == 2 && result.errors.contains("the file of the master key is in the data folder: "))
        #expect(!exists("data/m.key") && !exists("data/platform.sqlite"))
    }

    @Test func `production logs a warning for a key in the data folder, and for files that are not used`() async throws
    {
        let warning = "the master key is in the data folder"
        #expect(!(try await serve([])).contains(warning))
        #expect(try await serve(["--mode", "production"]).contains(warning))
        try FileManager.default.copyItem(atPath: "\(data)/master.key", toPath: "\(folder.path)/m.key")
        let copied = try await serve(inFiles + ["--mode", "production"])
        #expect(!copied.contains(warning) && copied.contains("has key files that are not used"))
        try FileManager.default.removeItem(atPath: "\(data)/master.key")
        #expect(!(try await serve(inFiles + ["--mode", "production"])).contains(" warning "))
    }
}
