import Foundation
import Logging
import Orchestration
import OrchestrationHTTP
import OrchestrationProtocol
import Primitives
import TestSupport
import TrustedIdentity
import TrustedIdentityServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A platform on SQLite with its HTTP server, and the requests of an application server.
struct LivePlatform: Sendable {
    let address: URL
    let platform: Platform
    let apiKey: String

    /// Runs a platform on a folder while the body runs. A folder that was used before keeps its data.
    ///
    /// - Parameters:
    ///   - apiKey: A key of an earlier run; by default a new one.
    ///   - showsNumbers: Whether the site of a new key shows numbers.
    ///   - gateways: The gateways of notifications. They deliver while the body runs.
    static func running<R: Sendable>(
        in folder: TemporaryFolder, apiKey: String? = nil, showsNumbers: Bool = false,
        gateways: [String: any NotificationGateway] = [:],
        _ body: @Sendable (LivePlatform) async throws -> R
    ) async throws -> R {
        let store = try await SQLiteDatabase(path: folder.file("platform.sqlite"))
        let masterKey = try MasterKey(id: "test", bytes: SecretBytes(copying: [UInt8](repeating: 7, count: 32)))
        let installation = try await Installation(
            configuration: .init(server: ServerConfiguration(port: 0, limits: .patient)), store: store,
            masterKey: masterKey, gateways: gateways)
        let platform = installation.platform
        let key: String
        if let apiKey {
            key = apiKey
        } else {
            // A folder may be opened more than once.
            key = try await platform.createAPIKey(
                scope: .applicationServer, name: "test \(UUID())", showsNumbers: showsNumbers
            ).secret
        }
        let result = await Result {
            try await installation.server().run { port in
                guard let address = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
                async let _: Void = platform.deliverNotifications()
                return try await body(LivePlatform(address: address, platform: platform, apiKey: key))
            }
        }
        try await store.close()
        return try result.get()
    }

    /// Uses a policy under which a rejection of a login needs the password.
    func requirePasswordInRejections() async throws {
        let policy = try PolicyFile.policy(
            in: "policy: p\nlogins:\n- rule: login\n  then: {method: password, digits: 6, rejection: same}\n")
        try await platform.replacePolicy(with: policy, hash: [])
    }

    func register(_ user: String) async throws -> String {
        let body = #"{"objectType":"RegisterUserInputEx","userID":"\#(user)"}"#
        let reply = try await post("v1/users/register", body)
        return try Self.text(reply, "activationPassword")
    }

    func issueUnlockCode(_ user: String) async throws -> String {
        try Self.text(try await post("v1/users/\(user)@master/unlock", "{}"), "unlockCode")
    }

    func activationStatus(of user: String) async throws -> String {
        let reply = try await post("v1/registrations/check-status", #"{"login":"\#(user)"}"#)
        return try Self.text(reply, "activationStatus")
    }

    /// Returns the serial numbers of the report on a user.
    func authenticators(of user: String) async throws -> [String] {
        let reply = try await send("GET", "v1/users/\(user)@master")
        guard let numbers = reply["authenticators"] as? [String] else { throw URLError(.cannotParseResponse) }
        return numbers
    }

    func logIn(_ user: String, code: String) async throws -> (status: String, hostCode: String?) {
        let body = #"{"objectType":"LoginInput","credentials":{"authenticator":{"OTP":"\#(code)"}}}"#
        let reply = try await post("v1/users/\(user)@master/login", body)
        return (try Self.text(reply, "sessionStatus"), reply["hostCode"] as? String)
    }

    private func post(_ path: String, _ body: String) async throws -> [String: Any] {
        try await send("POST", path, body)
    }

    private func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> [String: Any] {
        var request = URLRequest(url: address.appending(path: path))
        request.httpMethod = method
        // A waiting call ends by itself, late on a busy machine.
        request.timeoutInterval = 600
        request.httpBody = body.map { Data($0.utf8) }
        request.setValue("application/json", forHTTPHeaderField: "content-type")
        request.setValue("Bearer \(apiKey)", forHTTPHeaderField: "authorization")
        let (data, response) = try await URLSession.shared.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200,
            let reply = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { throw URLError(.badServerResponse) }
        return reply
    }

    private static func text(_ reply: [String: Any], _ field: String) throws -> String {
        guard let text = reply[field] as? String else { throw URLError(.cannotParseResponse) }
        return text
    }
}

extension Result where Failure == any Error, Success: Sendable {
    /// Creates the result of an asynchronous body.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

/// A transport that starts a platform for each command, on the same data.
struct FreshPlatformTransport: Transport {
    let folder: TemporaryFolder

    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        try await LivePlatform.running(in: folder) { live in
            try await HTTPTransport(endpoint: live.address, timeout: .milliseconds(300_000)).send(command)
        }
    }
}
