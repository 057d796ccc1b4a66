import CLibrary
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The program `trusted-identity`: its output, its files and its exit codes.
@Suite(.serialized, .enabled(if: BuiltProgram(name: "trusted-identity").isBuilt, "trusted-identity is not built"))
final class ProgramTests {
    static let program = BuiltProgram(name: "trusted-identity")

    // With a short name, because the path of the socket in it has a low limit.
    let folder = FileManager.default.temporaryDirectory.appending(path: "ti-\(UUID().uuidString.prefix(8))")
    var data: String { folder.appending(path: "data").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func run(_ arguments: String...) async throws -> BuiltProgram.Result {
        try await Self.program.run(arguments)
    }

    private func serve(_ more: String...) throws -> BuiltProgram.Running {
        try Self.program.start(["serve", "--data", data, "--listen", "127.0.0.1:0"] + more)
    }

    /// Starts a server and stops it, so that the folder has data.
    private func prepare() async throws {
        let server = try serve()
        _ = try await server.address()
        server.signal(SIGTERM)
        _ = await server.result()
    }

    private func mode(_ name: String) throws -> Int? {
        let path = name.isEmpty ? data : data + "/" + name
        return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test(arguments: [[], ["--json"]])
    func `a key that cannot be written to standard output is revoked`(options: [String]) async throws {
        try await prepare()
        let program = BuiltProgram(name: "trusted-identity")
        let made = try await program.run(
            ["key", "create", "--scope", "admin", "--name", "ops", "--data", data] + options, output: "/dev/full")
        #expect(made.status == 1)
        #expect(
            made.errors == """
                trusted-identity: the key cannot be written to standard output, and was revoked: no space left on device
                hint: make another key

                """)
        let keys = try await run("key", "list", "--data", data).output.split(separator: "\n")
        #expect(keys.count == 1 && keys.allSatisfy { $0.contains("revoked 2") })
        let list = try await program.run(["key", "list", "--data", data], output: "/dev/full")
        #expect(list.status == 1 && list.errors.contains("the result cannot be written to standard output: no space"))
    }

    @Test func `a crash after the master key was made leaves a folder that the next start uses`() async throws {
        try FileManager.default.createDirectory(
            atPath: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let key = "crashed:" + String(repeating: "5a", count: 32)
        #expect(
            FileManager.default.createFile(
                atPath: data + "/master.key", contents: Data(key.utf8), attributes: [.posixPermissions: 0o600]))
        try await prepare()
        #expect(try String(contentsOfFile: data + "/master.key", encoding: .utf8) == key)
        let list = try await run("key", "list", "--data", data)
        #expect(list.status == 0, "\(list.errors)")
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `the first start makes all files, for their owner only, and a signal stops the server cleanly`(signal: Int32)
        async throws
    {
        let server = try serve()
        let address = try await server.address()
        #expect(address.host == "127.0.0.1")
        #expect(try mode("") == 0o700)
        for name in ["master.key", "platform.sqlite", "tenant"] {
            #expect(try mode(name) == 0o600, "\(name)")
        }
        // The socket for administration and the REST API start side by side.
        try await Patience.wait(for: "admin.sock with mode 0600") { (try? mode("admin.sock")) == 0o600 }
        server.signal(signal)
        let result = await server.result()
        #expect(result.status == 0)
        #expect(!FileManager.default.fileExists(atPath: data + "/admin.sock"))
    }

    @Test func `a folder that was in use and lost its database gets no new platform`() async throws {
        let server = try serve()
        _ = try await server.address()
        server.signal(SIGTERM)
        _ = await server.result()
        for name in ["platform.sqlite", "platform.sqlite-wal", "platform.sqlite-shm"] {
            try? FileManager.default.removeItem(atPath: data + "/" + name)
        }
        let result = await (try serve()).result()
        #expect(result.status == 6)
        #expect(result.errors.contains("has no platform.sqlite"), "\(result.errors)")
        #expect(result.errors.contains("--database"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: data + "/platform.sqlite"))
    }

    @Test func `an open long poll ends with 503 as soon as a signal stops the server`() async throws {
        let server = try serve()
        let address = try await server.address()
        let key = try await run("key", "create", "--data", data, "--scope", "app-server", "--name", "shop")
        var request = URLRequest(url: address.appendingPathComponent("v1/users/register"))
        request.httpMethod = "POST"
        request.setValue("Bearer \(key.output.dropLast())", forHTTPHeaderField: "Authorization")
        request.httpBody = Data(#"{"objectType":"RegisterUserInputEx","userID":"alice"}"#.utf8)
        let (_, registered) = try await URLSession.shared.data(for: request)
        #expect((registered as? HTTPURLResponse)?.statusCode == 200)

        request.url = address.appendingPathComponent("v1/registrations/check-status")
        request.httpBody = Data(#"{"login":"alice","timeoutSeconds":300}"#.utf8)
        request.timeoutInterval = 600
        let poll = Task { [request] in try await URLSession.shared.data(for: request) }
        // Nothing shows that the server has the request. A busy machine takes its time.
        try await Task.sleep(for: .seconds(15))
        let start = ContinuousClock.now
        server.signal(SIGTERM)
        let (_, response) = try await poll.value
        let result = await server.result()
        #expect((response as? HTTPURLResponse)?.statusCode == 503)
        #expect(result.status == 0)
        #expect(ContinuousClock.now - start < .seconds(200))
    }

    @Test func `a second process on the same folder is refused`() async throws {
        let server = try serve()
        _ = try await server.address()
        let second = await (try serve()).result()
        #expect(second.status == 4)
        #expect(second.output == "")
        #expect(
            second.errors == """
                trusted-identity: the database is in use by another process
                hint: one process may serve a folder, and rekey, restored and migrate need the database alone

                """)
        server.signal(SIGTERM)
        #expect(await server.result().status == 0)
    }

    @Test(arguments: [true, false])
    func `keys are made, listed and revoked while the server runs, and while it does not`(isRunning: Bool) async throws
    {
        try await prepare()
        let server = isRunning ? try serve() : nil
        _ = try await server?.address()
        let made = try await run(
            "key", "create", "--data", data, "--scope", "admin", "--name", "ops", "--json")
        #expect(made.status == 0)
        let id = try #require(made.object["id"] as? String)
        let key = try #require(made.object["key"] as? String)
        #expect(made.object["scope"] as? String == "admin")
        #expect(key.hasPrefix(id + "."))

        let listed = try await run("key", "list", "--data", data)
        #expect(listed.output.hasPrefix(id + "  admin  "))
        #expect(listed.output.hasSuffix("  valid  ops\n"))
        #expect(!listed.output.contains(key))

        let showing = try await run(
            "key", "create", "--data", data, "--scope", "app-server", "--name", "site", "--shows-numbers")
        #expect(showing.status == 0)
        #expect(try await run("key", "list", "--data", data).output.contains("  valid  site  shows numbers\n"))

        let like = try await run("key", "create", "--data", data, "--scope", "app-server", "--name", "Site.")
        #expect(like.status == 3 && like.output == "")
        #expect(
            like.errors == """
                trusted-identity: another key has this name, or one that users cannot tell from it
                hint: choose another name, or revoke the other key first; key list shows it

                """)
        let nameless = try await run("key", "create", "--data", data, "--scope", "app-server", "--name", "")
        #expect(nameless.status == 2)
        #expect(
            nameless.errors.hasPrefix(
                "trusted-identity: the name of the key is not allowed: the text is empty, or shows nothing\n"))

        let limited = try await run(
            "key", "create", "--data", data, "--scope", "app-server", "--name", "part", "--domain", "Shop", "--domain",
            "bank")
        #expect(limited.status == 0)
        #expect(try await run("key", "list", "--data", data).output.contains("  valid  part  only bank, shop\n"))
        let malformed = try await run(
            "key", "create", "--data", data, "--scope", "app-server", "--name", "wrong", "--domain", "a_b")
        #expect(malformed.errors.hasPrefix("trusted-identity: the domains of the key are not allowed\nhint: "))

        let revoked = try await run("key", "revoke", id, "--data", data)
        #expect(revoked.status == 0)
        #expect(revoked.output == "revoked\n")
        let after = try await run("key", "list", "--data", data)
        #expect(after.output.contains("  revoked 2"))

        let unknown = try await run("key", "revoke", "nonsense", "--data", data)
        #expect(unknown.status == 3)
        #expect(unknown.errors == "trusted-identity: there is no such key\nhint: key list shows them\n")
        server?.signal(SIGTERM)
        _ = await server?.result()
    }

    @Test(arguments: [true, false])
    func `users are shown, blocks are lifted and a restore is marked, with and without a running server`(
        isRunning: Bool
    ) async throws {
        try await prepare()
        let server = isRunning ? try serve() : nil
        _ = try await server?.address()
        for command in ["show", "unblock"] {
            let unknown = try await run("user", command, "alice", "--data", data)
            #expect(unknown.status == 3)
            #expect(unknown.errors == "trusted-identity: there is no such user\n")
            let malformed = try await run("user", command, "a@b@c_", "--data", data)
            #expect(malformed.status == 2)
        }
        let restored = try await run("restored", "--data", data, "--nothing-revoked")
        #expect(restored.status == 0)
        #expect(restored.output == "restored: nothing is suspended\n")
        server?.signal(SIGTERM)
        _ = await server?.result()
    }

    @Test(arguments: [true, false])
    func `a restore suspends keys until all suspensions are lifted, with and without a running server`(isRunning: Bool)
        async throws
    {
        try await prepare()
        let server = isRunning ? try serve() : nil
        _ = try await server?.address()
        _ = try await run("key", "create", "--data", data, "--scope", "admin", "--name", "ops", "--json")
        let restored = try await run("restored", "--data", data)
        #expect(restored.status == 0)
        #expect(restored.output == "restored: everything from before is suspended\n")
        #expect(try await run("key", "list", "--data", data).output.contains("  suspended  "))
        for _ in 0..<2 {
            let lifted = try await run("restored", "--lift", "--data", data)
            #expect(lifted.status == 0)
            #expect(lifted.output == "lifted\n")
        }
        #expect(try await run("key", "list", "--data", data).output.contains("  valid  "))
        #expect(try await run("restored", "--lift", "--nothing-revoked", "--data", data).status == 2)
        server?.signal(SIGTERM)
        _ = await server?.result()
    }

    @Test(arguments: [true, false])
    func `an exported audit log is applied after a restore, with and without a running server`(isRunning: Bool)
        async throws
    {
        try await prepare()
        let made = try await run("key", "create", "--data", data, "--scope", "admin", "--name", "lost", "--json")
        let kept = try await run("key", "create", "--data", data, "--scope", "app-server", "--name", "kept", "--json")
        let (id, keptID) = (try #require(made.object["id"] as? String), try #require(kept.object["id"] as? String))
        let database = data + "/platform.sqlite"
        let backup = try Data(contentsOf: URL(fileURLWithPath: database))
        #expect(try await run("key", "revoke", id, "--data", data).status == 0)
        let file = folder.appending(path: "audit.jsonl").path
        var server = isRunning ? try serve() : nil
        _ = try await server?.address()
        let exported = try await run("audit", "export", "--data", data, "--output", file)
        #expect(exported.status == 0, "\(exported.errors)")
        #expect(exported.output == "")
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let counts = try await run("audit", "counts", "--data", data, "--json")
        #expect(counts.status == 0 && counts.output == "[]\n", "\(counts.errors)")
        let printed = try await run("audit", "export", "--data", data, "--since", "2")
        #expect(printed.status == 0)
        #expect(printed.output.split(separator: "\n").count == 5)
        let missing = try await run("audit", "export", "--data", data, "--since", "99", "--output", file)
        #expect(missing.status == 2)
        #expect(missing.errors == "trusted-identity: the audit log has no entry with that number\n")
        server?.signal(SIGTERM)
        _ = await server?.result()
        #expect(!FileManager.default.fileExists(atPath: file + ".new"))

        try backup.write(to: URL(fileURLWithPath: database))
        server = isRunning ? try serve() : nil
        _ = try await server?.address()
        let cut = folder.appending(path: "cut.jsonl").path
        try Data(contentsOf: URL(fileURLWithPath: file)).dropLast(9).write(to: URL(fileURLWithPath: cut))
        let refused = try await run("restored", "--data", data, "--audit", cut)
        #expect(refused.status == 3)
        #expect(
            refused.errors
                == "trusted-identity: the file has no complete last line: it was cut off\nhint: nothing was changed\n")
        let nothing = try await run("restored", "--data", data, "--audit", folder.path + "/none")
        #expect(nothing.status == 2)
        #expect(nothing.errors.hasPrefix("trusted-identity: cannot open "))
        let both = try await run("restored", "--data", data, "--audit", file, "--nothing-revoked")
        #expect(both.status == 2)
        let restored = try await run("restored", "--data", data, "--audit", file)
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(
            restored.output == "restored: revoked again: devices 0, API keys 1, static passwords 0, accounts 0\n")
        let again = try await run("restored", "--data", data, "--audit", file, "--json")
        #expect(again.object["isLater"] as? Bool == true)
        #expect(again.object["apiKeys"] as? Int == 0)
        let list = try await run("key", "list", "--data", data).output
        #expect(list.contains("\(id)  admin") && list.contains("  revoked 2"))
        #expect(list.contains("\(keptID)  app-server") && list.contains("  valid"))
        server?.signal(SIGTERM)
        _ = await server?.result()
    }

    @Test func `an export leaves the draft of another process alone, and replaces that of an interrupted one`()
        async throws
    {
        try await prepare()
        let file = folder.appending(path: "audit.jsonl").path
        let draft = file + ".new"
        try Data("half".utf8).write(to: URL(fileURLWithPath: draft))
        let descriptor = unsafe open(draft, O_RDWR)
        #expect(flock(descriptor, LOCK_EX) == 0)
        let refused = try await run("audit", "export", "--data", data, "--output", file)
        #expect(refused.status == 1)
        #expect(refused.errors.hasPrefix("trusted-identity: another process is writing \(file)\nhint: "))
        #expect(try Data(contentsOf: URL(fileURLWithPath: draft)) == Data("half".utf8))
        #expect(!FileManager.default.fileExists(atPath: file))
        close(descriptor)
        #expect(try await run("audit", "export", "--data", data, "--output", file).status == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).starts(with: Data("{".utf8)))
        #expect(!FileManager.default.fileExists(atPath: draft))
    }

    @Test func `keys are valid after a restart`() async throws {
        try await prepare()
        let key = try await run("key", "create", "--data", data, "--scope", "app-server", "--name", "shop")
        let server = try serve()
        let address = try await server.address()
        var request = URLRequest(url: address.appendingPathComponent("v1/registrations/check-status"))
        request.httpMethod = "POST"
        request.setValue("Bearer \(key.output.dropLast())", forHTTPHeaderField: "Authorization")
        request.httpBody = Data(#"{"login":"alice"}"#.utf8)
        let (_, response) = try await URLSession.shared.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        server.signal(SIGTERM)
        _ = await server.result()
        #expect(!server.errors.contains(key.output.dropLast()))
    }

    @Test func `a server that is killed has lost nothing that it answered, and another one can start`() async throws {
        let killed = try serve()
        let address = try await killed.address()
        let key = try await run("key", "create", "--data", data, "--scope", "app-server", "--name", "shop")
        var request = URLRequest(url: address.appendingPathComponent("v1/users/register"))
        request.httpMethod = "POST"
        request.setValue("Bearer \(key.output.dropLast())", forHTTPHeaderField: "Authorization")
        request.httpBody = Data(#"{"objectType":"RegisterUserInputEx","userID":"alice"}"#.utf8)
        let (_, response) = try await URLSession.shared.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        killed.signal(SIGKILL)
        _ = await killed.result()

        // The socket of the server that was killed is still there, its lock is not.
        let shown = try await run("user", "show", "alice", "--data", data, "--json")
        #expect(shown.status == 0)
        #expect(shown.object["user"] as? String == "alice@master")
        let list = try await run("user", "list", "--prefix", "ali", "--data", data)
        #expect(list.status == 0 && list.output.contains("alice@master") && list.output.hasPrefix("USER"))
        let unconfirmed = try await run("user", "erase", "alice", "--data", data)
        #expect(unconfirmed.status == 3 && unconfirmed.errors.contains("not confirmed, nothing was changed"))
        let erased = try await run("user", "erase", "alice", "--yes", "--data", data)
        #expect(erased.output == "erased: 0 devices, 0 approval requests, 0 decisions\n")
        #expect(try await run("user", "show", "alice", "--data", data).status == 3)
        let next = try serve()
        _ = try await next.address()
        next.signal(SIGTERM)
        let result = await next.result()
        #expect(result.status == 0)
    }

    @Test func `nothing that was typed or shown once is in the data folder`() async throws {
        let server = try serve()
        let address = try await server.address()
        let key = String(
            try await run("key", "create", "--data", data, "--scope", "app-server", "--name", "shop").output.dropLast())
        var request = URLRequest(url: address.appendingPathComponent("v1/users/register"))
        request.httpMethod = "POST"
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        request.httpBody = Data(
            #"{"objectType":"RegisterUserInputEx","userID":"alice","staticPassword":"canary-password"}"#.utf8)
        let (body, _) = try await URLSession.shared.data(for: request)
        let reply = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
        let code = try #require(reply["activationPassword"] as? String)
        let secret = String(try #require(key.split(separator: ".").last))
        let characters = code.replacing("-", with: "")
        server.signal(SIGTERM)
        let result = await server.result()
        let canaries = ["canary-password", secret, code, characters, String(characters.dropFirst(3).dropLast())]
        for name in try FileManager.default.contentsOfDirectory(atPath: data) {
            let content = try Data(contentsOf: URL(fileURLWithPath: data + "/" + name))
            for canary in canaries { #expect(content.range(of: Data(canary.utf8)) == nil, "\(name)") }
        }
        for canary in canaries + ["alice"] {
            #expect(!result.errors.contains(canary) && !result.output.contains(canary))
        }
        // The search can find text: the name is not secret.
        let database = try Data(contentsOf: URL(fileURLWithPath: data + "/platform.sqlite"))
        #expect(database.range(of: Data("alice@master".utf8)) != nil)
    }

    @Test func `a master key that other users can read is refused`() async throws {
        try await prepare()
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: data + "/master.key")
        let result = await (try serve()).result()
        #expect(result.status == 6)
        #expect(
            result.errors
                == "trusted-identity: \(data)/master.key is open to other users\nhint: chmod 600 \(data)/master.key\n")
    }

    @Test(arguments: [
        "", "short", "id:00", "id:" + String(repeating: "g", count: 64), String(repeating: "x", count: 500),
    ])
    func `a malformed master key is refused`(text: String) async throws {
        try await prepare()
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: data + "/master.key"))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
        let result = await (try serve()).result()
        #expect(result.status == 6)
        #expect(result.errors.hasPrefix("trusted-identity: \(data)/master.key is "))
    }

    @Test func `a database with a missing or another master key is refused, and gets no new key`() async throws {
        try await prepare()
        let path = data + "/master.key"
        let key = try Data(contentsOf: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path)
        let without = await (try serve()).result()
        #expect(without.status == 6)
        #expect(without.errors.hasPrefix("trusted-identity: the master key \(path) is missing\nhint: "))
        #expect(!FileManager.default.fileExists(atPath: path))

        let other =
            String(decoding: key, as: UTF8.self).split(separator: ":")[0] + ":" + String(repeating: "0", count: 64)
        _ = FileManager.default.createFile(
            atPath: path, contents: Data(other.utf8), attributes: [.posixPermissions: 0o600])
        let wrong = await (try serve()).result()
        #expect(wrong.status == 6)
        #expect(
            wrong.errors.hasPrefix(
                "trusted-identity: the master key does not open the store\nhint: put the copy of the key back; "))
    }

    @Test func `an interrupted replacement of the master key is continued from each of its states`() async throws {
        try await prepare()
        let rotate = ["master-key", "rotate", "--data", data, "--yes"]
        let status = ["master-key", "status", "--data", data]
        func text(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: data + "/" + name)) }
        func write(_ name: String, _ text: Data?) throws {
            try? FileManager.default.removeItem(atPath: data + "/" + name)
            guard let text else { return }
            _ = FileManager.default.createFile(
                atPath: data + "/" + name, contents: text, attributes: [.posixPermissions: 0o600])
        }
        let earlier = try text("master.key")
        let id = String(decoding: earlier.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        let replaced = try await Self.program.run(rotate)
        #expect(replaced.status == 0 && replaced.output.hasPrefix("replaced: "), "\(replaced.errors)")
        let new = try text("master.key")
        #expect(try text("master.key.\(id)") == earlier && new != earlier && mode("master.key") == 0o600)
        // The states: before the files were moved, and between both moves.
        for present in [earlier, nil] {
            try write("master.key", present)
            try write("master.key.next", new)
            try write("master.key.\(id)", present == nil ? earlier : nil)
            try await prepare()
            #expect(try await Self.program.run(status).status == 0)
            let again = try await Self.program.run(rotate)
            #expect(again.status == 0, "\(again.errors)")
            #expect(try text("master.key") == new && text("master.key.\(id)") == earlier)
            #expect(!FileManager.default.fileExists(atPath: data + "/master.key.next"))
        }
        // Before the row was written: the new file is there, and the data need the earlier one.
        try write("master.key.next", Data(("next:" + String(repeating: "7b", count: 32) + "\n").utf8))
        try await prepare()
        let taken = try await Self.program.run(rotate + ["--json"])
        #expect(taken.status == 0 && taken.output.contains(#""id":"next""#), "\(taken.output)\(taken.errors)")
        try write("master.key", earlier)
        let wrong = await (try serve()).result()
        #expect(wrong.status == 6 && wrong.errors.contains("the data needs the master key with the id next: name its"))
    }

    @Test func `the keys of the rows are replaced while the server is stopped`() async throws {
        let server = try serve()
        _ = try await server.address()
        let created = try await run("key", "create", "--scope", "admin", "--name", "kept", "--data", data)
        #expect(created.status == 0)
        let running = try await run("rekey", "--data", data, "--yes")
        #expect(running.status == 4, "\(running.errors)")
        server.signal(SIGTERM)
        _ = await server.result()

        let unconfirmed = try await run("rekey", "--data", data)
        #expect(unconfirmed.status == 3 && unconfirmed.errors.contains("not confirmed, nothing was changed"))
        let replaced = try await run("rekey", "--data", data, "--yes", "--forget-sources")
        #expect(replaced.status == 0 && replaced.output.hasPrefix("replaced: "), "\(replaced.errors)")
        let json = try await run("rekey", "--data", data, "--yes", "--json")
        #expect(json.status == 0 && json.output.contains(#""refusedRows":0,"rows":"#), "\(json.output)\(json.errors)")
        try await prepare()
        #expect(try await run("key", "list", "--data", data).output.contains("kept"))
        let log = try await run("audit", "export", "--data", data)
        #expect(log.output.split(separator: "\n").count { $0.contains("data-keys.replaced") } == 2)
        #expect(try await run("check", "--data", data).status == 0)
    }

    @Test func `a folder that other users can enter is refused`() async throws {
        try await prepare()
        try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: data)
        let result = await (try serve()).result()
        #expect(result.status == 6)
        #expect(result.errors.contains("chmod 700 \(data);"))
    }

    @Test func `another tenant is refused`() async throws {
        try await prepare()
        let result = await (try serve("--tenant", "other")).result()
        #expect(result.status == 6)
        #expect(result.errors.hasPrefix("trusted-identity: the folder belongs to another tenant\n"))
    }

    @Test func `a folder whose socket would have too long a path is refused before anything is made in it`()
        async throws
    {
        let long = folder.path + "/" + String(repeating: "x", count: 100)
        let result = await (try Self.program.start(["serve", "--data", long])).result()
        #expect(result.status == 2)
        #expect(result.errors.hasSuffix("is too long for a socket\nhint: use a shorter path for --data\n"))
    }

    @Test func `administration without a platform names the command that makes one`() async throws {
        let result = try await run("key", "list", "--data", folder.path + "/nowhere")
        #expect(result.status == 6)
        #expect(result.errors.hasSuffix("hint: trusted-identity serve makes it on the first start\n"))
    }

    @Test func `a command without a reply is not sent again`() async throws {
        try await prepare()
        let listener = try FixedReplyListener(path: data + "/admin.sock")
        let result = try await run("key", "create", "--data", data, "--scope", "admin", "--name", "ops")
        #expect(listener.stop() == 1)
        #expect(result.status == 5)
        #expect(result.output == "")
        #expect(result.errors.hasPrefix("trusted-identity: the running server did not answer, and may have done"))
        try FileManager.default.removeItem(atPath: data + "/admin.sock")
        #expect(try await run("key", "list", "--data", data).output == "")
    }

    @Test(arguments: [("200 OK", 0), ("500 Internal Server Error", 5), ("404 Not Found", 5)])
    func `a reply counts only with the status 200`(status: String, exitCode: Int32) async throws {
        try await prepare()
        let body = #"{"status":"revoked"}"#
        let head = "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
        let listener = try FixedReplyListener(path: data + "/admin.sock", reply: head + body)
        let result = try await run("key", "revoke", "0123456789abcdef", "--data", data)
        #expect(listener.stop() == 1)
        #expect(result.status == exitCode, "\(result.errors)")
    }

    @Test func `an address that is taken is an error`() async throws {
        let first = try serve()
        let address = try await first.address()
        let other = folder.appending(path: "other").path
        let result = await
            (try Self.program.start(["serve", "--data", other, "--listen", "127.0.0.1:\(try #require(address.port))"]))
            .result()
        #expect(result.status == 1)
        #expect(result.errors.contains("trusted-identity: the address cannot be listened on"))
        #expect(result.errors.contains("hint: choose another address with --listen"))
        let management = try await run(
            "serve", "--data", other, "--listen", "127.0.0.1:0", "--management-listen",
            "127.0.0.1:\(try #require(address.port))")
        #expect(management.status == 1)
        #expect(management.errors.contains("the address of the management listener cannot be listened on"))
        #expect(management.errors.contains("hint: choose another address with --management-listen"))
        first.signal(SIGTERM)
        _ = await first.result()
    }

    @Test(arguments: [
        ["nonsense"], ["key", "create", "--data", "x"], ["key", "create", "--data", "x", "--scope", "root"],
        ["key", "create", "--data", "x", "--scope", "app-server"],
        ["user", "show"], ["config", "nonsense"], ["serve", "--nonsense"],
    ])
    func `wrong usage is exit code 2, one line and a hint`(arguments: [String]) async throws {
        let result = await (try Self.program.start(arguments)).result()
        #expect(result.status == 2)
        #expect(result.output == "")
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("trusted-identity: ") == true)
        #expect(lines.last?.hasPrefix("hint: see 'trusted-identity") == true)
    }

    @Test func `the help lists the exit codes`() async throws {
        let result = try await run("--help")
        #expect(result.status == 0)
        #expect(result.errors == "")
        for code in [
            "0 done", "1 failed", "2 wrong usage", "3 refused", "4 in use", "5 the running server", "6 the data",
        ] {
            #expect(result.output.replacing("\n", with: " ").contains(code), "\(code)")
        }
    }
}
