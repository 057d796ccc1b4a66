import Foundation
import Orchestration
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

/// `DELETE /v1/users/{u@d}/devices/{device}`.
@Suite struct ServerDeviceTests {
    /// Activates a device of a user, and returns its id.
    private static func activate(_ user: String, on server: TestServer) async throws -> String {
        let account = try AccountName(text: user, defaultDomain: "master")
        let code = try await server.platform.register(.init(account: account)).activationPassword
        let time = ManualTimeSource(at: SystemTimeSource().now())
        let app = try await TestDevice(seed: UInt64(user.utf8.count), time: time).orchestrator(
            transport: InProcessTransport { server.platform }, user: ScriptedUser(password: "482915"))
        return try await app.user(user).activate(with: code).deviceID
    }

    private static func delete(
        _ user: String, _ device: String, key: String, on server: TestServer
    ) async throws -> TestServer.Answer {
        try await server.send(
            "DELETE", "/v1/users/\(user)/devices/\(device)", headers: ["Authorization": "Bearer \(key)"])
    }

    @Test(arguments: APIKeyScope.allCases)
    func `a key of each scope revokes a device`(scope: APIKeyScope) async throws {
        try await TestServer.run { server in
            let id = try await Self.activate("alice", on: server)
            let key = try await server.platform.createAPIKey(scope: scope, name: "caller").secret
            let answer = try await Self.delete("alice@master", id, key: key, on: server)
            #expect(answer.status == 200)
            #expect(answer.text("status") == "revoked")
            let shown = try await server.send(
                "GET", "/v1/users/alice@master", headers: ["Authorization": "Bearer \(key)"])
            let device = try #require((shown.json["devices"] as? [[String: Any]])?.first)
            #expect(device["deviceID"] as? String == id)
            #expect(device["state"] as? String == "revoked")
            #expect((device["revokedAt"] as? String)?.hasSuffix("Z") == true)
            let entry = try await server.platform.audit(limit: 9).first { $0.event == .deviceRevoked }
            #expect(entry?.reason == scope.rawValue)
            #expect(entry?.actor == .apiKey(String(key.prefix { $0 != "." })))
            #expect(entry?.address == "127.0.0.1" && entry?.correlationID == answer.header("log-correlation-id"))
        }
    }

    @Test func `a wrong user, device or key has an error of its own`() async throws {
        try await TestServer.run { server in
            let (alice, bob) = (
                try await Self.activate("alice", on: server), try await Self.activate("bob", on: server)
            )
            let key = server.applicationKey
            func refusal(_ user: String, _ device: String) async throws -> [Int?] {
                let answer = try await Self.delete(user, device, key: key, on: server)
                return [answer.status, answer.errorCode]
            }
            #expect(try await refusal("carol@master", alice) == [404, -1100])
            #expect(try await refusal("alice@master", String(repeating: "0", count: 32)) == [404, -1300])
            #expect(try await refusal("alice@master", bob) == [404, -1300])
            #expect(try await refusal("al%00ice", alice) == [400, -1101])
            for id in ["x", String(alice.dropLast()), alice + "00", String(repeating: "g", count: 32)] {
                let answer = try await Self.delete("alice@master", id, key: key, on: server)
                #expect(answer.status == 400 && answer.errorCode == -1001 && answer.fields == ["deviceID"], "\(id)")
            }
            for wrong in ["", "f00d.nonsense"] {
                let answer = try await Self.delete("alice@master", alice, key: wrong, on: server)
                #expect(answer.status == 401 && answer.errorCode == -1051)
            }
            #expect(try await server.platform.audit(limit: 99).allSatisfy { $0.event != .deviceRevoked })
            #expect(try await Self.delete("alice", alice.uppercased(), key: key, on: server).status == 200)
            #expect(try await refusal("alice", alice) == [409, -1301])
        }
    }
}
