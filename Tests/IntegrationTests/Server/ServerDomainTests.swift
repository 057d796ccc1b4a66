import Foundation
import Hummingbird
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity
@testable import TrustedIdentityServer

/// API keys that are limited to the users of some domains, on every route.
@Suite struct ServerDomainTests {
    /// What a route names.
    enum Subject {
        /// A user in the path.
        case userInPath
        /// A user in the body, as a function of the name and the domain.
        case userInBody(@Sendable (_ user: String, _ domain: String) -> [String: String])
        /// A row of a user, with the number of the error for an unknown one.
        case row(Int)
        /// Rows of many users, with a domain in the query.
        case list
        /// Neither. A command proves its device itself, and the others show nothing about users.
        case nothing
    }

    /// Every route.
    static let subjects: [String: Subject] = [
        "GET /health": .nothing,
        "GET /health/live": .nothing,
        "GET /health/ready": .nothing,
        "GET /openapi.json": .nothing,
        "POST /v1/orchestration-commands": .nothing,
        "POST /v1/orchestration-commands-v2": .nothing,
        "GET /v1/platform-keys": .nothing,
        "GET /v1/visualcodes/render": .nothing,
        "GET /v1/notifications/{channel}": .nothing,
        "POST /v1/users/register": .userInBody { ["userID": $0, "domain": $1] },
        "POST /v1/registrations/check-status": .userInBody { ["login": "\($0)@\($1)"] },
        "GET /v1/users/{user}": .userInPath,
        "DELETE /v1/users/{user}/devices/{device}": .userInPath,
        "POST /v1/users/{user}/lift-blocks": .userInPath,
        "POST /v1/users/{user}/unlock": .userInPath,
        "POST /v1/users/{user}/devices/{device}/unlock": .userInPath,
        "POST /v1/users/{user}/login": .userInPath,
        "POST /v1/users/{user}/generate-challenge": .userInPath,
        "POST /v1/users/{user}/transactions/validate": .userInPath,
        "POST /v1/users/{user}/seals/validate": .userInPath,
        "POST /v1/users/{user}/sync-authenticator": .userInPath,
        "POST /v1/users/{user}/unregister": .userInPath,
        "POST /v1/users/{user}/events/validate": .userInPath,
        "GET /v1/authenticators": .list,
        "GET /v1/sessions/{requestID}": .row(-1401),
        "DELETE /v1/sessions/{requestID}": .row(-1401),
        "GET /v1/decisions/{decisionID}": .row(-1500),
    ]

    @Test func `every route is in the table, and no other`() async throws {
        let platform = try await TestPlatform().platform
        let handlers = Handlers(
            platform: platform, configuration: ServerConfiguration(), random: SystemRandomSource(),
            time: SystemTimeSource())
        let router = handlers.routes()
        let routes = router.routes.map { route in
            "\(route.method) \(route.path)".replacing(/[:{](\w+)}?/) { "{\($0.1)}" }
        }
        #expect(Set(routes) == Set(Self.subjects.keys))
    }

    @Test func `a user of another domain is refused on each route, whether the user exists or not`() async throws {
        let routes = try RESTReference.load().routes
        try await TestServer.run { server in
            let keys = try await Self.keys(on: server)
            for user in ["alice@other", "alice@bank", "alice@master"] {
                let account = try AccountName(text: user, defaultDomain: "master")
                _ = try await server.platform.register(Registration(account: account))
            }
            var refused = 0
            for route in routes {
                for scope in route.scopes {
                    let key = try #require(keys[scope])
                    let ask = { (user: String, domain: String) in
                        try await Self.send(route, user, domain, key: key.secret, to: server)
                    }
                    guard let existing = try await ask("alice", "other") else { continue }
                    #expect(existing.status == 403 && existing.errorCode == -1052, "\(route), \(scope)")
                    let missing = try #require(try await ask("nobody", "other"))
                    #expect(Self.content(missing) == Self.content(existing), "\(route), \(scope)")
                    #expect(try await ask("alice", "master")?.status == 403, "\(route), \(scope)")
                    let upperCase = try #require(try await ask("nobody", "BANK"))
                    #expect(![401, 403].contains(upperCase.status), "\(route), \(scope)")
                    refused += 1
                }
            }
            #expect(refused == 30, "the routes that name a user, by scope")
            let other = try AccountName(text: "alice@other", defaultDomain: "master")
            #expect(try await server.platform.account(other) != nil, "not unregistered")
        }
    }

    @Test func `a name without a domain is one of the default domain`() async throws {
        try await TestServer.run { server in
            let keys = try await Self.keys(on: server)
            let headers = ["Authorization": "Bearer \(try #require(keys["admin"]).secret)"]
            #expect(try await server.send("GET", "/v1/users/alice", headers: headers).status == 403)
            #expect(try await server.send("GET", "/v1/users/alice@bank", headers: headers).errorCode == -1100)
            #expect(try await server.send("GET", "/v1/users/alice%40other@bank", headers: headers).errorCode == -1100)
            #expect(try await server.send("GET", "/v1/users/alice%40bank@other", headers: headers).status == 403)
        }
    }

    @Test func `a session and a decision of a user of another domain are unknown`() async throws {
        try await TestServer.run { server in
            let keys = try await Self.keys(on: server)
            let (key, administrator) = (try #require(keys["app-server"]), try #require(keys["admin"]))
            for (domain, isVisible) in [("other", false), ("bank", true)] {
                let account = try AccountName(userID: "alice", domain: domain)
                let report = try await server.platform.requestApproval(
                    ApprovalParameters(
                        .login, of: account, requestID: domain,
                        principal: ApprovalPrincipal(id: key.id, name: "app-server")))
                let decision = Hex.encode(try #require(report.decision))
                for (route, subject) in Self.subjects {
                    guard case .row(let error) = subject, route.hasPrefix("GET") else { continue }
                    let path = route.dropFirst(4).replacing("{requestID}", with: domain)
                        .replacing("{decisionID}", with: decision)
                    let asker = path.hasPrefix("/v1/decisions") ? administrator : key
                    let answer = try await Self.send("GET", String(path), key: asker, to: server)
                    #expect(answer.status == (isVisible ? 200 : 404), "\(route)")
                    #expect(answer.errorCode == (isVisible ? nil : error), "\(route)")
                }
                let canceled = try await Self.send("DELETE", "/v1/sessions/\(domain)", key: key, to: server)
                #expect(canceled.errorCode == (isVisible ? nil : -1401))
                let status = try await server.platform.approval(requestID: domain, of: key.id).status
                #expect(status == (isVisible ? .refused : .pending), "a request of another domain is not canceled")
            }
        }
    }

    /// Returns a key of each scope for the users of two domains.
    private static func keys(on server: TestServer) async throws -> [String: NewAPIKey] {
        var keys: [String: NewAPIKey] = [:]
        for scope in APIKeyScope.allCases {
            keys[scope.rawValue] = try await server.platform.createAPIKey(
                scope: scope, name: scope.rawValue, domains: ["shop.example", "Bank"])
        }
        return keys
    }

    /// Sends a request of a route that names a user; nil for another route.
    private static func send(
        _ route: RESTReference.Route, _ user: String, _ domain: String, key: String, to server: TestServer
    ) async throws -> TestServer.Answer? {
        var body = ServerReferenceTests.bodies[route.description] ?? [:]
        switch try #require(subjects[route.description]) {
        case .userInPath: break
        case .userInBody(let fields): body.merge(fields(user, domain)) { $1 }
        case .row, .list, .nothing: return nil
        }
        if body["timeout"] != nil { body["timeout"] = 0 }
        let path = route.path.replacing("{user}", with: "\(user)@\(domain)")
            .replacing("{device}", with: String(repeating: "0", count: 32))
        return try await server.send(
            route.method, path, body: route.method == "POST" ? JSONSerialization.data(withJSONObject: body) : nil,
            headers: ["Authorization": "Bearer \(key)"])
    }

    private static func send(
        _ method: String, _ path: String, key: NewAPIKey, to server: TestServer
    ) async throws -> TestServer.Answer {
        try await server.send(method, path, headers: ["Authorization": "Bearer \(key.secret)"])
    }

    /// Returns the fields of an error that depend on the request.
    private static func content(_ answer: TestServer.Answer) -> [String] {
        var json = answer.json
        for key in ["logCorrelationId", "timestamp"] { json[key] = nil }
        return json.map { "\($0.key): \($0.value)" }.sorted() + ["\(answer.status)"]
    }
}
