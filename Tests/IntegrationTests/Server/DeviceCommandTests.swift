import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `trusted-identity device`, and the text of the app of the device afterwards.
@Suite(.serialized) final class DeviceCommandTests {
    static let platform = BuiltProgram(name: "trusted-identity")
    static let authenticator = BuiltProgram(name: "authenticator")

    // With a short name, because the path of the socket in it has a low limit.
    let folder = FileManager.default.temporaryDirectory.appending(path: "td-\(UUID().uuidString.prefix(8))")
    var data: String { folder.appending(path: "data").path }
    var store: String { folder.appending(path: "store").path }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func serve() throws -> BuiltProgram.Running {
        try Self.platform.start(["serve", "--data", data, "--listen", "127.0.0.1:0"])
    }

    private func device(_ arguments: String...) async throws -> BuiltProgram.Result {
        try await Self.platform.run(["device"] + arguments + ["--data", data])
    }

    /// Registers and activates a user.
    private func activate(_ user: String, at address: URL) async throws {
        let key = try await Self.platform.run([
            "key", "create", "--data", data, "--scope", "app-server", "--name", "shop of \(user)",
        ]).output
        var request = URLRequest(url: address.appendingPathComponent("v1/users/register"))
        request.httpMethod = "POST"
        request.setValue("Bearer \(key.dropLast())", forHTTPHeaderField: "Authorization")
        request.httpBody = Data(#"{"objectType":"RegisterUserInputEx","userID":"\#(user)"}"#.utf8)
        let (body, _) = try await URLSession.shared.data(for: request)
        let reply = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
        let code = try #require(reply["activationPassword"] as? String)
        let activated = try await Self.authenticator.run(
            [
                "activate", user, "--activation-password-fd", "3", "--password-fd", "4", "--store", store,
                "--platform", address.absoluteString,
            ], descriptors: [3: code + "\n", 4: "482915\n"])
        #expect(activated.status == 0, "\(activated.errors)")
    }

    @Test func `device data are shown by the app, with its ledger, and by the platform`() async throws {
        let server = try serve()
        try await activate("alice", at: try await server.address())
        let shown = try await Self.authenticator.run(["device-data", "show", "alice", "--store", store, "--json"])
        #expect(shown.status == 0, "\(shown.errors)")
        let json = try #require(shown.json() as? [String: Any])
        let fields = try #require(json["fields"] as? [[String: Any]])
        let sent = fields.filter { $0["sent"] as? String == "yes" }.compactMap { $0["field"] as? String }
        #expect(sent.contains("system") && fields.count == 20)
        #expect(fields.allSatisfy { ($0["purpose"] as? String)?.isEmpty == false })
        #expect(fields.first { $0["field"] as? String == "latitude" }?["sent"] as? String == "no")
        let ledger = try #require(json["ledger"] as? [[String: Any]])
        #expect(ledger.count == 1)
        #expect((ledger.first?["fields"] as? [String])?.contains("system") == true)
        let table = try await Self.authenticator.run(["device-data", "show", "--store", store])
        #expect(table.status == 0 && table.output.hasPrefix("FIELD") && !table.output.contains("SENT IN FULL"))

        let listed = try #require(
            JSONSerialization.jsonObject(with: Data(try await device("list", "alice", "--json").output.utf8))
                as? [[String: Any]])
        let id = try #require(listed.first?["deviceID"] as? String)
        let report = try await device("show", "alice", id)
        #expect(report.status == 0, "\(report.errors)")
        #expect(report.output.contains("refuse systems that are not supported"))
        let unknown = try await device("show", "alice", String(repeating: "0", count: 32))
        #expect(unknown.status == 3 && unknown.errors.contains("no such device"))
        let malformed = try await device("show", "alice", "x")
        #expect(malformed.status == 2)
        server.signal(SIGTERM)
        _ = await server.result()
    }

    @Test(arguments: [true, false])
    func `a test notification says what happens to it, while the server runs and while it does not`(
        isRunning: Bool
    ) async throws {
        let server = try serve()
        let address = try await server.address()
        try await activate("alice", at: address)
        let id = String(try await device("list", "alice").output.prefix(32))
        let stream = try await device("test", "alice", "--json").json() as? [[String: Any]]
        #expect(stream?.map { $0["deviceID"] as? String } == [id])
        #expect((stream?.first?["hops"] as? [[String: Any]])?.map { $0["step"] as? String } == ["streamOnly"])
        let registered = try await Self.authenticator.run([
            "register-notifications", "alice", "--identifier", "0a1b", "--kind", "apns", "--app", "shop", "--store",
            store, "--platform", address.absoluteString,
        ])
        #expect(registered.status == 0, "\(registered.errors)")
        if !isRunning {
            server.signal(SIGTERM)
            _ = await server.result()
        }
        for arguments in [["alice"], ["alice", id]] {
            let tested = try await Self.platform.run(["device", "test"] + arguments + ["--data", data])
            #expect(tested.status == 0, "\(tested.errors)")
            #expect(tested.output.hasPrefix("\(id)  apns-shop  noGateway  2"), "\(tested.output)")
        }
        for (arguments, status) in [(["carol"], 3 as Int32), (["alice", "f00"], 2), (["alice", ""], 2)] {
            let refused = try await Self.platform.run(["device", "test"] + arguments + ["--data", data])
            #expect(refused.status == status, "\(refused.errors)")
        }
        if isRunning {
            server.signal(SIGTERM)
            _ = await server.result()
        }
    }

    @Test(arguments: [true, false])
    func `a device is listed and revoked while the server runs and while it does not, and its app says so`(
        isRunning: Bool
    ) async throws {
        var server = try serve()
        for user in ["alice", "bob"] { try await activate(user, at: try await server.address()) }
        if !isRunning {
            server.signal(SIGTERM)
            _ = await server.result()
        }
        let listed = try await device("list", "alice")
        #expect(listed.status == 0)
        let fields = listed.output.split(separator: "  ", omittingEmptySubsequences: true).map(String.init)
        try #require(fields.count > 3, "\(listed.output)")
        #expect(fields[0].count == 32 && fields[1].hasPrefix("TI") && fields[2] == "active")
        #expect(fields[3].hasPrefix("last seen 2"))
        let bob = String(try await device("list", "bob@master").output.prefix(32))

        let unknownDevice = "the user has no such device\nhint: device list shows them"
        for (arguments, status, text) in [
            (["alice", bob], 3 as Int32, unknownDevice),
            (["alice", String(repeating: "0", count: 32)], 3, unknownDevice),
            (["alice", "f00"], 2, "the id of a device has 32 hexadecimal digits\nhint: device list shows them"),
            (["carol", bob], 3, "there is no such user"), (["a/b", bob], 2, "the name of the user is not allowed"),
        ] {
            let refused = try await device("revoke", arguments[0], arguments[1])
            #expect(refused.status == status)
            #expect(refused.errors == "trusted-identity: \(text)\n")
        }
        let unknown = try await device("list", "carol")
        #expect(unknown.status == 3 && unknown.errors == "trusted-identity: there is no such user\n")

        let revoked = try await device("revoke", "alice", fields[0])
        #expect(revoked.status == 0 && revoked.output == "revoked\n", "\(revoked.errors)")
        let again = try await device("revoke", "alice", fields[0])
        #expect(again.status == 3 && again.errors == "trusted-identity: the device is revoked already\n")
        let json = try #require(try await device("list", "alice", "--json").json() as? [[String: Any]])
        #expect(json.map { $0["state"] as? String } == ["revoked"] && json[0]["revokedAt"] is String)
        #expect(try await device("list", "alice").output.contains("  revoked 2"))
        #expect(try await device("list", "bob").output.contains("  active  "))

        if !isRunning { server = try serve() }
        let address = try await server.address().absoluteString
        let aborted = try await Self.authenticator.run(
            ["register-notifications", "alice", "--store", store, "--platform", address])
        #expect(aborted.status == 3)
        #expect(aborted.errors.hasPrefix("authenticator: this device was revoked\n"))
        #expect(aborted.errors.lowercased().contains("please activate it again"))
        let locked = try await Self.authenticator.run(
            ["register-notifications", "alice", "--store", store, "--platform", address])
        #expect(locked.status == 3)
        #expect(locked.errors.hasPrefix("authenticator: this device was revoked\n"))
        #expect(locked.errors.hasSuffix("\ncode: revoked (609)\n"))
        let other = try await Self.authenticator.run(
            ["register-notifications", "bob", "--store", store, "--platform", address])
        #expect(other.status == 0, "\(other.errors)")
        server.signal(SIGTERM)
        _ = await server.result()
    }
}
