import Foundation
import Orchestration
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

/// `GET /v1/authenticators`.
@Suite struct ServerAuthenticatorTests {
    private static let users = ["alice@master", "bob@bank", "carol@bank"]

    @Test func `activated devices are listed by domain, by serial number and by assignment, in pages`() async throws {
        try await Self.run { server in
            func list(_ query: String) async throws -> TestServer.Answer { try await Self.list(query, on: server) }
            let all = try await list("")
            #expect(["total", "offset", "limit"].map { all.json[$0] as? Int } == [3, 0, 20])
            #expect(Set(Self.users(all)) == Set(Self.users))
            for device in Self.devices(all) {
                #expect(device["authenticatorType"] as? String == "TYPMD" && device["assigned"] as? Bool == true)
                #expect(device["applications"] as? [Int] == [1, 2, 3, 4])
                let serial = try #require(device["serialNumber"] as? String)
                let found = Self.users(try await list("?serialNumber=\(serial)"))
                #expect(found == Self.users(["authenticators": [device]]))
            }
            #expect(Set(Self.users(try await list("?domain=BANK&type=TYPMD"))) == ["bob@bank", "carol@bank"])
            #expect(try await list("?domain=nowhere").json["total"] as? Int == 0)
            #expect(try await list("?assigned=false").json["total"] as? Int == 0)

            var paged: [String] = []
            for offset in 0..<4 {
                let page = try await list("?limit=1&offset=\(offset)")
                #expect(page.json["total"] as? Int == 3 && page.json["offset"] as? Int == offset)
                #expect(Self.users(page).count == (offset < 3 ? 1 : 0), "a page beyond the end is empty")
                paged += Self.users(page)
            }
            #expect(paged == Self.users(all))

            let bob = try AccountName(text: "bob@bank", defaultDomain: "master")
            let device = try #require(try await server.platform.account(bob)?.devices.first)
            try await server.platform.revokeDevice(device.id, of: bob)
            #expect(Self.users(try await list("?assigned=false")) == ["bob@bank"])
            #expect(try await list("?assigned=true").json["total"] as? Int == 2)
        }
    }

    @Test func `an API key that is limited to a domain lists and counts the devices of that domain`() async throws {
        try await Self.run { server in
            let key = try await server.platform.createAPIKey(scope: .applicationServer, name: "bank", domains: ["bank"])
                .secret
            let all = try await Self.list("", key: key, on: server)
            #expect(all.json["total"] as? Int == 2 && Set(Self.users(all)) == ["bob@bank", "carol@bank"])
            #expect(try await Self.list("?domain=bank", key: key, on: server).json["total"] as? Int == 2)
            #expect(try await Self.list("?domain=master", key: key, on: server).errorCode == -1052)
            #expect(try await Self.list("?domain=nowhere", key: key, on: server).errorCode == -1052)
        }
    }

    @Test(
        arguments: [
            ("serialNumber=", "serialNumber"), ("serialNumber=\(String(repeating: "1", count: 65))", "serialNumber"),
            ("assigned=yes", "assigned"), ("assigned=", "assigned"), ("type=FIDO", "type"), ("offset=-1", "offset"),
            ("offset=2147483648", "offset"), ("offset=%2B1", "offset"), ("offset=", "offset"), ("limit=0", "limit"),
            ("limit=101", "limit"), ("limit=1e1", "limit"), ("limit=99999999999999999999", "limit"),
        ])
    func `a wrong parameter is named`(query: String, field: String) async throws {
        try await TestServer.run { server in
            let answer = try await Self.list("?" + query, on: server)
            #expect(answer.status == 400 && answer.errorCode == -1001 && answer.fields == [field], "\(answer.json)")
        }
    }

    @Test func `a domain that no user can have is refused`() async throws {
        try await TestServer.run { server in
            for domain in ["", "a%20b", "%00"] {
                let answer = try await Self.list("?domain=\(domain)", on: server)
                #expect(answer.errorCode == -1101, "\(domain)")
            }
        }
    }

    private static func run(_ body: @escaping @Sendable (TestServer) async throws -> Void) async throws {
        try await TestServer.run { server in
            for (number, user) in users.enumerated() {
                let account = try AccountName(text: user, defaultDomain: "master")
                let code = try await server.platform.register(.init(account: account)).activationPassword
                let time = ManualTimeSource(at: SystemTimeSource().now())
                let app = try await TestDevice(seed: UInt64(number), time: time).orchestrator(
                    transport: InProcessTransport { server.platform }, user: ScriptedUser(password: "482915"))
                _ = try await app.user(user).activate(with: code)
            }
            // Registered, and never activated.
            _ = try await server.platform.register(.init(account: AccountName(userID: "dora", domain: "bank")))
            try await body(server)
        }
    }

    private static func list(
        _ query: String, key: String? = nil, on server: TestServer
    ) async throws -> TestServer.Answer {
        try await server.send(
            "GET", "/v1/authenticators\(query)", headers: ["Authorization": "Bearer \(key ?? server.applicationKey)"])
    }

    private static func devices(_ answer: TestServer.Answer) -> [[String: Any]] { devices(answer.json) }

    private static func devices(_ json: [String: Any]) -> [[String: Any]] {
        json["authenticators"] as? [[String: Any]] ?? []
    }

    private static func users(_ answer: TestServer.Answer) -> [String] { users(answer.json) }

    private static func users(_ json: [String: Any]) -> [String] {
        devices(json).map { "\($0["userID"] ?? "")@\($0["domain"] ?? "")" }
    }
}
