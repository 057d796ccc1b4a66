import Foundation
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The program `trusted-identity serve` with its data in a folder, the requests of a site, and the program
/// `authenticator` of a user.
struct ServedPlatform: Sendable {
    static let platform = BuiltProgram(name: "trusted-identity")
    static let authenticator = BuiltProgram(name: "authenticator")
    static let password = "482915\n"

    let folder: TemporaryFolder
    let address: URL
    private let data: String
    private let apiKey: String
    private let server: Server

    /// The process that serves now.
    private final class Server: Sendable {
        let process: Mutex<BuiltProgram.Running>

        init(_ process: BuiltProgram.Running) { self.process = Mutex(process) }
    }

    /// The options of a command of the authenticator that talks to the platform.
    var options: [String] { ["--store", folder.file("store"), "--platform", address.absoluteString] }

    /// Runs the platform while the body runs. The site shows numbers.
    ///
    /// - Parameter options: Further options of `serve`.
    static func running(
        policy: String? = nil, options: [String] = [], _ body: @Sendable (ServedPlatform) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        // With a short path, because the path of the socket in it has a low limit.
        let data = FileManager.default.temporaryDirectory.appending(path: "ts-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: data) }
        let file = try policy.map { ["--policy", try folder.write("policy.yaml", $0)] } ?? []
        let server = try platform.start(["serve", "--data", data, "--listen", "127.0.0.1:0"] + file + options)
        let address = try await server.address()
        let key = try await platform.run([
            "key", "create", "--data", data, "--scope", "app-server", "--name", "shop", "--shows-numbers",
        ])
        #expect(key.status == 0, "\(key.errors)")
        let served = ServedPlatform(
            folder: folder, address: address, data: data, apiKey: String(key.output.dropLast()), server: Server(server))
        try await body(served)
        #expect(await served.stop(SIGTERM) == 0)
    }

    /// Runs a command of the administration.
    func administer(_ arguments: [String]) async throws -> BuiltProgram.Result {
        try await Self.platform.run(arguments + ["--data", data])
    }

    /// Stops the platform with a signal, and starts it again on the same port and with the documented default policy.
    ///
    /// - Parameter options: Further options of `serve`.
    func restart(after signal: Int32, options: [String] = []) async throws {
        _ = await stop(signal)
        let port = try #require(address.port)
        let next = try Self.platform.start(["serve", "--data", data, "--listen", "127.0.0.1:\(port)"] + options)
        server.process.withLock { $0 = next }
        _ = try await next.address()
    }

    /// What the server has written to standard error.
    var log: String { server.process.withLock(\.self).errors }

    /// Sends a signal that does not stop the server.
    func signal(_ number: Int32) { server.process.withLock(\.self).signal(number) }

    private func stop(_ signal: Int32) async -> Int32 {
        let process = server.process.withLock(\.self)
        process.signal(signal)
        return await process.result().status
    }

    /// Runs the authenticator on the store of this test.
    func run(_ arguments: [String], _ descriptors: [Int: String] = [:]) async throws -> BuiltProgram.Result {
        try await Self.authenticator.run(arguments + options, descriptors: descriptors)
    }

    /// Registers a user at the site and activates the authenticator.
    func activate(_ user: String) async throws {
        let reply = try await send(
            "POST", "v1/users/register", #"{"objectType":"RegisterUserInputEx","userID":"\#(user)"}"#)
        let secret = try #require(reply["activationPassword"] as? String)
        let activated = try await run(
            ["activate", user, "--activation-password-fd", "3", "--password-fd", "4"], [3: secret, 4: Self.password])
        #expect(activated.status == 0, "\(activated.errors)")
        let registered = try await run(["register-notifications", user])
        #expect(registered.status == 0, "\(registered.errors)")
    }

    /// Asks alice to approve a login, without a wait. Each source has requests of its own.
    func login(
        _ id: String, source: String? = nil, more: String = #","dataToDisplay":"Log in at the shop""#
    ) async throws -> [String: Any] {
        let source = source.map { #","sourceID":"\#($0)""# } ?? ""
        return try await send(
            "POST", "v1/users/alice@master/login",
            #"{"objectType":"LoginInput","timeout":0,"requestID":"\#(id)"\#(source)\#(more)}"#)
    }

    /// The state of a request.
    func session(_ id: String) async throws -> [String: Any] { try await send("GET", "v1/sessions/\(id)") }

    /// Sends a request of the site. A reply with another status than 200 fails the test.
    @discardableResult func send(
        _ method: String, _ path: String, _ body: String? = nil
    ) async throws -> [String: Any] {
        let (status, reply) = try await reply(method, path, body)
        try #require(status == 200, "\(reply)")
        return reply
    }

    /// Sends a request of the site, and returns the status and the JSON of the reply.
    func reply(_ method: String, _ path: String, _ body: String? = nil) async throws -> (Int?, [String: Any]) {
        var request = URLRequest(url: address.appending(path: path))
        request.httpMethod = method
        // A waiting call ends by itself, late on a busy machine.
        request.timeoutInterval = 600
        request.httpBody = body.map { Data($0.utf8) }
        request.setValue("Bearer \(apiKey)", forHTTPHeaderField: "authorization")
        let (data, response) = try await URLSession.shared.data(for: request)
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return ((response as? HTTPURLResponse)?.statusCode, json)
    }

    /// Writes the answer of `GET /v1/platform-keys` to a file, and returns its path.
    func platformKeys() async throws -> String {
        let (keys, _) = try await URLSession.shared.data(from: address.appending(path: "v1/platform-keys"))
        return try folder.write("keys.json", String(decoding: keys, as: UTF8.self))
    }
}
