import Foundation
import Primitives
import Testing
import TrustedIdentity

@testable import TrustedIdentityServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The management listener: health with its reasons, metrics and administration.
@Suite struct ManagementServerTests {
    /// A management listener on a free port.
    struct Scene: Sendable {
        let platform: Platform
        let port: Int
        let administrator: NewAPIKey
        let application: NewAPIKey
        /// A key of the scope `admin` that is limited to the domain `shop`.
        let shop: NewAPIKey

        func send(
            _ method: String, _ path: String, key: NewAPIKey? = nil
        ) async throws -> (status: Int, text: String, json: [String: Any]) {
            var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)\(path)")))
            request.httpMethod = method
            // Late on a busy machine.
            request.timeoutInterval = 600
            if let key { request.setValue("Bearer \(key.secret)", forHTTPHeaderField: "authorization") }
            let (data, response) = try await URLSession.shared.data(for: request)
            let json = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
            return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self), json ?? [:])
        }
    }

    private func run(_ body: @escaping @Sendable (Scene) async throws -> Void) async throws {
        var configuration = InstallationConfiguration()
        configuration.server.limits = .patient
        configuration.management = ListenAddress(host: "127.0.0.1", port: 0)
        let installation = try await Installation(
            configuration: configuration, store: SQLiteDatabase.inMemory(), masterKey: MasterKey.make(id: "test"))
        let (ports, listening) = AsyncStream<Int>.makeStream()
        let server = try #require(installation.managementServer { listening.yield($0) })
        let platform = installation.platform
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask {
                for await port in ports {
                    try await body(
                        Scene(
                            platform: platform, port: port,
                            administrator: platform.createAPIKey(scope: .administrator, name: "staff"),
                            application: platform.createAPIKey(scope: .applicationServer, name: "shop"),
                            shop: platform.createAPIKey(scope: .administrator, name: "shop staff", domains: ["shop"])))
                    return
                }
            }
            // The server runs until it is canceled, so that the first end is that of the body.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// The routes that require an API key.
    private static let routes = [
        ("GET", "/metrics"), ("GET", "/v1/readiness"), ("GET", "/v1/users"),
        ("GET", "/v1/users/alice"),
        ("POST", "/v1/users/alice/lift-blocks"), ("POST", "/v1/users/alice/test-notifications"),
        ("POST", "/v1/users/alice/unregister"), ("GET", "/v1/users/alice/devices/00/data"),
        ("DELETE", "/v1/users/alice/devices/00"), ("GET", "/v1/approvals/1"), ("GET", "/v1/keys"),
        ("DELETE", "/v1/keys/1"), ("GET", "/v1/audit"), ("POST", "/v1/audit/checkpoint"),
        ("GET", "/v1/audit/checkpoints"),
    ]

    @Test func `everything but the status of health requires a key of the scope admin`() async throws {
        try await run { scene in
            for path in ["/health/live", "/health/ready"] {
                #expect(try await scene.send("GET", path).status == 200, "\(path)")
            }
            let helpDesk = try await scene.platform.createAPIKey(scope: .helpDesk, name: "help desk")
            for (method, path) in Self.routes {
                #expect(try await scene.send(method, path).status == 401, "\(method) \(path)")
                for key in [scene.application, helpDesk] {
                    let refused = try await scene.send(method, path, key: key)
                    #expect(refused.status == 403, "\(method) \(path), \(key.scope)")
                }
            }
            // The REST API is not here: the path is that of the user `register`.
            #expect(try await scene.send("POST", "/v1/users/register", key: scene.application).status == 405)
            #expect(try await scene.send("GET", "/v1/platform-keys", key: scene.application).status == 404)
        }
    }

    @Test func `an API key reaches no route that makes a key, lifts a suspension or erases a user`() async throws {
        try await run { scene in
            for (method, path) in [
                ("POST", "/v1/keys"), ("DELETE", "/v1/users/alice"), ("POST", "/v1/restored"),
                ("POST", "/v1/restored/audit"), ("POST", "/v1/lift-suspensions"), ("POST", "/v1/platform-keys/rotate"),
                ("POST", "/v1/master-keys/replace"), ("POST", "/v1/audit/prune"), ("POST", "/v1/audit/pruned-rows"),
                ("GET", "/v1/audit/before?date=2026-01-31"), ("GET", "/v1/audit/extract?user=alice"),
            ] {
                let status = try await scene.send(method, path, key: scene.administrator).status
                #expect([404, 405].contains(status), "\(method) \(path)")
            }
        }
    }

    @Test func `the article lists each route`() throws {
        let page = try #require(DocumentationTests.pages.first { $0.lastPathComponent == "RunningThePlatform.md" })
        let article = try String(contentsOf: page, encoding: .utf8)
        let section = try #require(article.components(separatedBy: "### Management listener").last)
            .components(separatedBy: "### Logs")[0]
        let listed = section.components(separatedBy: "`").filter { text in
            ["GET /", "POST /", "DELETE /"].contains { text.hasPrefix($0) }
        }
        #expect(listed.count == Self.routes.count + 2)
        for (method, path) in Self.routes {
            let parts = path.split(separator: "/")
            let isListed = listed.contains { route in
                let names = route.split(separator: " ")
                let segments = names[1].split(separator: "?")[0].split(separator: "/")
                return names[0] == method && segments.count == parts.count
                    && zip(segments, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
            }
            #expect(isListed, "\(method) \(path) is not in the article")
        }
    }

    @Test func `health has its reasons, and metrics are those of the socket`() async throws {
        try await run { scene in
            let readiness = try await scene.send("GET", "/v1/readiness", key: scene.administrator)
            #expect(readiness.status == 200 && readiness.json["status"] as? String == "ready")
            #expect((readiness.json["problems"] as? [Any])?.isEmpty == true)
            let metrics = try await scene.send("GET", "/metrics", key: scene.administrator)
            #expect(metrics.text.contains("\ntrusted_identity_ready 1\n"))
        }
    }

    @Test func `a list of users has pages, and only the domains of the key`() async throws {
        try await run { scene in
            for user in ["al@master", "ali@shop", "alina@shop", "bob@shop"] {
                _ = try await scene.platform.register(
                    Registration(account: AccountName(text: user, defaultDomain: "master")))
            }
            func list(_ query: String, _ key: NewAPIKey) async throws -> (users: [String], next: String?) {
                let reply = try await scene.send("GET", "/v1/users?\(query)", key: key)
                #expect(reply.status == 200)
                let users = try #require(reply.json["users"] as? [[String: Any]])
                return (users.compactMap { $0["user"] as? String }, reply.json["next"] as? String)
            }
            let first = try await list("prefix=al&limit=2", scene.administrator)
            #expect(first.users == ["al@master", "ali@shop"] && first.next == "ali@shop")
            let rest = try await list("prefix=al&limit=2&after=ali@shop", scene.administrator)
            #expect(rest.users == ["alina@shop"] && rest.next == nil)
            #expect(try await list("", scene.shop).users == ["ali@shop", "alina@shop", "bob@shop"])
            for limit in ["0", "1001", "x", ""] {
                #expect(
                    try await scene.send("GET", "/v1/users?limit=\(limit)", key: scene.administrator).status == 400)
            }
        }
    }

    @Test func `pages of a key that is limited to domains show nothing of others, not even a name to go on after`()
        async throws
    {
        try await run { scene in
            let names = ["a@master", "b@shop", "c@master", "d@shop", "e@shop", "f@master", "g@master"]
            for user in names {
                _ = try await scene.platform.register(
                    Registration(account: AccountName(text: user, defaultDomain: "master")))
            }
            var (pages, next) = ([[String]](), String?.none)
            repeat {
                let after = next.map { "&after=\($0)" } ?? ""
                let reply = try await scene.send("GET", "/v1/users?limit=2\(after)", key: scene.shop)
                #expect(!reply.text.contains("@master"), "\(reply.text)")
                let users = try #require(reply.json["users"] as? [[String: Any]])
                pages.append(users.compactMap { $0["user"] as? String })
                next = reply.json["next"] as? String
            } while next != nil && pages.count < names.count
            #expect(pages == [["b@shop", "d@shop"], ["e@shop"]])
        }
    }

    @Test func `staff shows users and lifts their blocks, and the audit log names its key`() async throws {
        try await run { scene in
            let alice = try AccountName(userID: "alice", domain: "master")
            _ = try await scene.platform.register(Registration(account: alice, staticPassword: "correct horse"))
            for _ in 0..<3 {
                _ = try await scene.platform.login(
                    LoginRequest(account: alice, credential: .staticPassword("wrong"), source: nil))
            }
            let shown = try await scene.send("GET", "/v1/users/alice", key: scene.administrator)
            #expect(shown.json["user"] as? String == "alice@master" && shown.json["consecutiveFailures"] as? Int == 3)
            #expect(try await scene.send("POST", "/v1/users/alice/lift-blocks", key: scene.administrator).status == 200)
            let lifted = try await scene.send("GET", "/v1/users/alice", key: scene.administrator)
            #expect(lifted.json["consecutiveFailures"] as? Int == 0)
            #expect(try await scene.send("GET", "/v1/users/bob", key: scene.administrator).status == 404)
            let log = try await scene.send("GET", "/v1/audit", key: scene.administrator)
            let entries = log.text.split(separator: "\n")
            #expect(log.status == 200 && entries.count > 2)
            #expect(entries.contains { $0.contains("alice@master") && $0.contains(scene.administrator.id) })
            let late = try await scene.send("GET", "/v1/audit?first=\(entries.count)", key: scene.administrator)
            #expect(late.status == 200 && late.text.count < log.text.count)
            #expect(try await scene.send("GET", "/v1/audit?first=0", key: scene.administrator).status == 400)
        }
    }

    @Test func `a key that is revoked here opens nothing afterwards`() async throws {
        try await run { scene in
            let keys = try await scene.send("GET", "/v1/keys", key: scene.administrator)
            #expect((keys.json["keys"] as? [Any])?.count == 3)
            #expect(!keys.text.contains(scene.application.secret))
            let path = "/v1/keys/\(scene.application.id)"
            #expect(try await scene.send("DELETE", path, key: scene.administrator).status == 200)
            #expect(try await scene.platform.authenticate(apiKey: scene.application.secret) == nil)
            #expect(try await scene.send("DELETE", "/v1/keys/none", key: scene.administrator).status == 404)
        }
    }

    @Test func `a key that is limited to domains reaches only their users`() async throws {
        try await run { scene in
            for name in ["eve@shop", "eve@master"] {
                _ = try await scene.platform.register(
                    Registration(account: AccountName(text: name, defaultDomain: "master")))
            }
            #expect(try await scene.send("GET", "/v1/users/eve@shop", key: scene.shop).status == 200)
            #expect(try await scene.send("GET", "/v1/users/eve@master", key: scene.shop).status == 403)
            for (method, path) in [
                ("GET", "/v1/keys"), ("DELETE", "/v1/keys/x"), ("GET", "/v1/audit"), ("POST", "/v1/audit/checkpoint"),
                ("GET", "/v1/audit/checkpoints"),
            ] {
                #expect(try await scene.send(method, path, key: scene.shop).status == 403, "\(path)")
            }
        }
    }

    @Test func `a checkpoint of the audit log is signed by the key that the reply names`() async throws {
        try await run { scene in
            for query in ["limit=0", "limit=1001", "limit=x", "before=0", "before=x"] {
                let path = "/v1/audit/checkpoints?\(query)"
                #expect(try await scene.send("GET", path, key: scene.administrator).status == 400, "\(query)")
            }
            let kept = try await scene.send("GET", "/v1/audit/checkpoints", key: scene.administrator)
            #expect(kept.status == 200 && kept.json["checkpoints"] is [Any])
            let reply = try await scene.send("POST", "/v1/audit/checkpoint", key: scene.administrator)
            let note = try #require(reply.json["note"] as? String)
            #expect(reply.json["key"] as? String == scene.platform.auditVerifierKey)
            let verification = try await scene.platform.verifyAudit(against: [scene.platform.checkpoint(of: note)])
            #expect(verification.findings.isEmpty && verification.size > 0)
        }
    }
}
