import Foundation
import Orchestration
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

/// What an application server and a key of the scope `helpdesk` do for a user who is locked out.
@Suite struct HelpDeskTests {
    private static func key(_ scope: APIKeyScope, on server: TestServer) async throws -> String {
        try await server.platform.createAPIKey(scope: scope, name: "").secret
    }

    private static func register(
        _ members: String, key: String, on server: TestServer
    ) async throws -> TestServer.Answer {
        try await server.post(
            "/v1/users/register", #"{"objectType": "RegisterUserInputEx", \#(members)}"#, key: key)
    }

    @Test(arguments: [APIKeyScope.applicationServer, .helpDesk])
    func `a user is looked up, unblocked, revoked and registered again`(scope: APIKeyScope) async throws {
        try await TestServer.run { server in
            let account = try AccountName(text: "alice", defaultDomain: "master")
            let code = try await server.platform.register(.init(account: account)).activationPassword
            let time = ManualTimeSource(at: SystemTimeSource().now())
            let app = try await TestDevice(seed: 3, time: time).orchestrator(
                transport: InProcessTransport { server.platform }, user: ScriptedUser(password: "482915"))
            let device = try await app.activation(for: .init(user: "alice", activationPassword: code)).deviceID
            for _ in 0..<5 {
                let login = #"{"objectType": "LoginInput", "credentials": {"authenticator": {"OTP": "00000000"}}}"#
                #expect(try await server.post("/v1/users/alice/login", login).status == 200)
            }
            let headers = ["Authorization": "Bearer \(try await Self.key(scope, on: server))"]
            func failures() async throws -> Int? {
                let answer = try await server.send("GET", "/v1/users/alice", headers: headers)
                #expect(answer.status == 200)
                return answer.json["consecutiveFailures"] as? Int
            }
            #expect(try await failures() == 5)
            let lifted = try await server.send("POST", "/v1/users/alice/lift-blocks", headers: headers)
            #expect(lifted.status == 200 && lifted.text("status") == "lifted")
            #expect(try await failures() == 0)
            let revoked = try await server.send("DELETE", "/v1/users/alice/devices/\(device)", headers: headers)
            #expect(revoked.status == 200)
            let key = String(try #require(headers["Authorization"]).dropFirst("Bearer ".count))
            let again = try await Self.register(#""userID": "alice""#, key: key, on: server)
            #expect(again.status == 200 && again.text("activationPassword")?.count == 14)
            let entries = try await server.platform.audit(of: account)
            let id = String(key.prefix { $0 != "." })
            #expect(
                Set(entries.filter { $0.actor == .apiKey(id) }.map(\.event)).isSuperset(
                    of: [.throttleLifted, .deviceRevoked]))
            #expect(entries.first { $0.event == .deviceRevoked }?.reason == scope.rawValue)
        }
    }

    @Test func `a help desk registers no unknown user, and sets no static password`() async throws {
        try await TestServer.run { server in
            let key = try await Self.key(.helpDesk, on: server)
            let unknown = try await Self.register(#""userID": "alice""#, key: key, on: server)
            #expect(unknown.status == 404 && unknown.errorCode == -1100)
            _ = try await Self.register(#""userID": "alice""#, key: server.applicationKey, on: server)
            let password = try await Self.register(
                #""userID": "alice", "staticPassword": "secret""#, key: key, on: server)
            #expect(password.status == 403 && password.errorCode == -1052)
        }
    }

    @Test func `a help desk shows no numbers`() async throws {
        try await TestServer.run { server in
            await #expect(throws: PlatformError(.malformedRequest)) {
                try await server.platform.createAPIKey(scope: .helpDesk, name: "", showsNumbers: true)
            }
        }
    }
}
