import Foundation
import Orchestration
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

/// What a help desk does for a user, with a key of the application server or of the scope `helpdesk`.
@Suite struct ServerHelpDeskTests {
    /// The routes that a key of the scope `helpdesk` opens.
    static let opened: Set = [
        "GET /v1/users/{user}", "DELETE /v1/users/{user}/devices/{device}", "POST /v1/users/{user}/lift-blocks",
        "POST /v1/users/register", "POST /v1/users/{user}/unlock", "POST /v1/users/{user}/devices/{device}/unlock",
    ]

    /// The routes that read no API key.
    static let keyless: Set = [
        "GET /health", "GET /health/live", "GET /health/ready", "GET /openapi.json", "GET /v1/platform-keys",
        "GET /v1/visualcodes/render", "GET /v1/notifications/{channel}",
    ]

    private static func send(
        _ method: String, _ path: String, _ body: String? = nil, key: NewAPIKey, to server: TestServer
    ) async throws -> TestServer.Answer {
        try await server.send(
            method, path, body: body.map { Data($0.utf8) }, headers: ["Authorization": "Bearer \(key.secret)"])
    }

    /// Registers the user `alice` and activates a device.
    ///
    /// - Returns: The id of the device.
    private static func activate(seed: UInt64, key: NewAPIKey, on server: TestServer) async throws -> String {
        let answer = try await send(
            "POST", "/v1/users/register", #"{"objectType":"RegisterUserInputEx","userID":"alice"}"#, key: key,
            to: server)
        #expect(answer.status == 200)
        let password = try #require(answer.text("activationPassword"))
        let time = ManualTimeSource(at: SystemTimeSource().now())
        let app = try await TestDevice(seed: seed, time: time).orchestrator(
            transport: InProcessTransport { server.platform }, user: ScriptedUser(password: "482915"))
        return try await app.user("alice").activate(with: password).deviceID
    }

    @Test(arguments: [APIKeyScope.applicationServer, .helpDesk])
    func `a user is looked up, a block is lifted, a device is revoked, and the user registers again`(
        scope: APIKeyScope
    ) async throws {
        try await TestServer.run { server in
            let site = try await server.platform.createAPIKey(scope: .applicationServer, name: "site")
            let key = try await server.platform.createAPIKey(scope: scope, name: "desk")
            let alice = try AccountName(userID: "alice", domain: "master")
            _ = try await server.platform.register(Registration(account: alice, staticPassword: "correct horse"))
            let lost = try await Self.activate(seed: 1, key: site, on: server)
            // Five failures in a row start a block.
            for _ in 0..<5 {
                _ = try await server.platform.login(
                    LoginRequest(account: alice, credential: .staticPassword("wrong"), source: nil))
            }
            func show() async throws -> (blocks: Int, states: [String: String]) {
                let shown = try await Self.send("GET", "/v1/users/alice", key: key, to: server)
                #expect(shown.status == 200)
                let failures = shown.json["failures"] as? [[String: Any]] ?? []
                let devices = (shown.json["devices"] as? [[String: Any]] ?? []).compactMap { device in
                    (device["deviceID"] as? String).map { ($0, device["state"] as? String ?? "") }
                }
                return (
                    failures.count { $0["blockedUntil"] != nil }, Dictionary(devices) { first, _ in first }
                )
            }
            let before = try await show()
            #expect(before.blocks == 1 && before.states[lost] == "active")

            let lifted = try await Self.send("POST", "/v1/users/alice/lift-blocks", key: key, to: server)
            #expect(lifted.status == 200 && lifted.text("status") == "lifted")
            #expect(try await show().blocks == 0)

            let revoked = try await Self.send("DELETE", "/v1/users/alice/devices/\(lost)", key: key, to: server)
            #expect(revoked.status == 200 && revoked.text("status") == "revoked")

            let replacement = try await Self.activate(seed: 2, key: key, on: server)
            #expect(try await show().states == [lost: "revoked", replacement: "active"])

            let entries = try await server.platform.audit(of: alice, limit: 99)
            for event in [AuditEvent.throttleLifted, .deviceRevoked, .registered] {
                let entry = entries.first { $0.event == event }
                #expect(entry?.actor == .apiKey(key.id), "\(event)")
            }
        }
    }

    /// A route that is added later is refused, or this test fails.
    @Test func `a key of the scope helpdesk opens its routes, and no other`() async throws {
        let operations = try OpenAPIDescription.served.get().operations
        #expect(Self.opened.union(Self.keyless).isSubset(of: operations.map(\.description)))
        try await TestServer.run { server in
            let key = try await server.platform.createAPIKey(scope: .helpDesk, name: "desk")
            for operation in operations {
                let path = operation.path.replacing(/[{]\w+}/, with: "none")
                let body = operation.method == "POST" ? "{}" : nil
                let answer = try await Self.send(operation.method, path, body, key: key, to: server)
                let isRefused = !Self.opened.union(Self.keyless).contains(operation.description)
                #expect((answer.status == 403) == isRefused, "\(operation.description)")
                #expect((answer.errorCode == -1052) == isRefused, "\(operation.description)")
            }
            // The REST API has no routes of administration.
            for (method, path) in [
                ("GET", "/v1/users"), ("GET", "/v1/audit"), ("GET", "/v1/keys"), ("POST", "/v1/keys"),
            ] {
                #expect(try await Self.send(method, path, key: key, to: server).status == 404, "\(method) \(path)")
            }
        }
    }

    @Test func `a key of the scope helpdesk asks no user, and verifies no code`() async throws {
        try await TestServer.run { server in
            let site = try await server.platform.createAPIKey(scope: .applicationServer, name: "site")
            let key = try await server.platform.createAPIKey(scope: .helpDesk, name: "desk")
            _ = try await Self.activate(seed: 1, key: site, on: server)
            let size = try await server.platform.audit(limit: 99).count
            for (path, body) in [
                ("login", #"{"objectType":"LoginInput","timeout":0}"#),
                ("login", #"{"objectType":"LoginInput","credentials":{"authenticator":{"OTP":"12345678"}}}"#),
                ("events/validate", #"{"eventType":"x","timeout":0}"#),
            ] {
                let answer = try await Self.send("POST", "/v1/users/alice/\(path)", body, key: key, to: server)
                #expect(answer.status == 403 && answer.errorCode == -1052, "\(path)")
            }
            #expect(try await server.platform.audit(limit: 99).count == size, "nothing was asked or counted")
        }
    }

    @Test func `a key of the scope helpdesk makes no user, and sets no static password`() async throws {
        try await TestServer.run { server in
            let key = try await server.platform.createAPIKey(scope: .helpDesk, name: "desk")
            let (alice, bob) = (
                try AccountName(userID: "alice", domain: "master"), try AccountName(userID: "bob", domain: "master")
            )
            _ = try await server.platform.register(Registration(account: alice))
            let unknown = try await Self.send(
                "POST", "/v1/users/register", #"{"objectType":"RegisterUserInputEx","userID":"bob"}"#, key: key,
                to: server)
            #expect(unknown.status == 404 && unknown.errorCode == -1100)
            #expect(try await server.platform.account(bob) == nil)
            let registrationID = try await server.platform.account(alice)?.registrationID
            let withPassword = try await Self.send(
                "POST", "/v1/users/register",
                #"{"objectType":"RegisterUserInputEx","userID":"alice","staticPassword":"correct horse"}"#, key: key,
                to: server)
            #expect(withPassword.status == 403 && withPassword.errorCode == -1052)
            let report = try await server.platform.account(alice)
            #expect(report?.hasStaticPassword == false && report?.registrationID == registrationID)
        }
    }
}
