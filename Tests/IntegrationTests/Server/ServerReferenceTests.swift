import Foundation
import Hummingbird
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity
@testable import TrustedIdentityServer

/// The article "REST reference" against the server: routes, scopes, fields of requests and replies, and errors.
@Suite struct ServerReferenceTests {
    /// The names of the fields that each request type decodes.
    static let decoded: [String: Set<String>] = [
        "POST /v1/users/register": names(RegisterBody.CodingKeys.self).union(common),
        "POST /v1/registrations/check-status": names(CheckStatusBody.CodingKeys.self),
        "POST /v1/users/{user}/events/validate": names(EventBody.CodingKeys.self)
            .union(remote).union(common),
        "POST /v1/users/{user}/login": names(LoginBody.CodingKeys.self).union(common)
            .union(remote)
            .union(names(LoginBody.CredentialKeys.self, in: "credentials."))
            .union(names(LoginBody.AuthenticatorKeys.self, in: "credentials.authenticator.")),
        "POST /v1/users/{user}/generate-challenge": names(ChallengeBody.CodingKeys.self),
        "POST /v1/users/{user}/transactions/validate": names(TransactionBody.CodingKeys.self)
            .union(names(TransactionDetails.CodingKeys.self)).union(remote).union(common)
            .union(names(TransactionMessage.CodingKeys.self, in: "data.transactionMessage."))
            .union(names(TransactionData.CodingKeys.self, in: "data."))
            .union(names(TransactionData.StandardKeys.self, in: "data.standard.")),
        "POST /v1/users/{user}/seals/validate": names(SealBody.CodingKeys.self).union(common),
        "POST /v1/users/{user}/sync-authenticator": names(SynchronizeBody.CodingKeys.self),
        "POST /v1/orchestration-commands": names(RelayedCommandBody.CodingKeys.self),
        "POST /v1/orchestration-commands-v2": names(RelayedCommandBody.CodingKeys.self),
        "DELETE /v1/sessions/{requestID}": names(NoticeBody.CodingKeys.self),
    ]

    /// The fields of a request that a device approves.
    static let remote = names(RemoteFields.CodingKeys.self).union(names(NoticeBody.CodingKeys.self, in: "refusal."))

    /// The routes whose reply has no fields: an image, and the OpenAPI document.
    static let fieldless: Set = ["GET /v1/visualcodes/render", "GET /openapi.json"]

    static let common = names(SourceFields.CodingKeys.self).union(names(SourceFields.DeviceKeys.self, in: "cddc."))
        .union(names(SourceFields.BrowserKeys.self, in: "cddc.browserCDDC."))

    /// A valid body of each request.
    static var bodies: [String: [String: Any]] {
        [
            "POST /v1/users/register": ["objectType": "RegisterUserInputEx", "userID": "alice"],
            "POST /v1/registrations/check-status": ["login": "alice"],
            "POST /v1/users/{user}/login": [
                "objectType": "LoginInput", "credentials": ["authenticator": ["OTP": "12345678"]], "timeout": 1,
            ],
            "POST /v1/users/{user}/events/validate": ["eventType": "x", "timeout": 0],
            "POST /v1/users/{user}/generate-challenge": [:],
            "POST /v1/users/{user}/transactions/validate": [
                "objectType": "TransactionInput",
                "data": ["standard": ["dataFields": ["10"], "signature": "12345678"] as [String: Any]],
            ],
            "POST /v1/users/{user}/seals/validate": [
                "seal": "12345678", "digest": String(repeating: "0", count: 64),
            ],
            "POST /v1/users/{user}/sync-authenticator": ["firstOTP": "12345678", "secondOTP": "87654321"],
            "POST /v1/orchestration-commands": ["command": "gA"],
            "POST /v1/orchestration-commands-v2": ["command": "gA"],
            "DELETE /v1/sessions/{requestID}": [:],
        ]
    }

    private static func names<K: CodingKey & CaseIterable>(_ keys: K.Type, in prefix: String = "") -> Set<String> {
        Set(keys.allCases.map { prefix + $0.stringValue })
    }

    @Test func `every route is listed, and no other`() async throws {
        let reference = try RESTReference.load()
        let platform = try await TestPlatform().platform
        let handlers = Handlers(
            platform: platform, configuration: ServerConfiguration(), random: SystemRandomSource(),
            time: SystemTimeSource())
        let routes = handlers.routes().routes.map { route in
            "\(route.method) \(route.path)".replacing(/[:{](\w+)}?/) { "{\($0.1)}" }
        }
        #expect(Set(reference.routes.map(\.description)) == Set(routes))
        #expect(reference.routes.count == routes.count)
    }

    @Test func `the fields of each request are those that the server decodes`() throws {
        for route in try RESTReference.load().routes {
            #expect(Set(route.request.map(\.name)) == Self.decoded[route.description] ?? [], "\(route)")
            #expect(Set(route.request.map(\.name)).count == route.request.count, "\(route)")
        }
    }

    @Test func `a wrong type of each field, and the absence of a required one, are refused by name`() async throws {
        let routes = try RESTReference.load().routes.filter { !$0.request.isEmpty }
        try await TestServer.run(PlatformConfiguration(requestsPerAddress: 1_000)) { server in
            for route in routes {
                let path = route.path.replacing("{user}", with: "alice")
                for field in route.request where field.type != "any value" {
                    let body = try #require(Self.bodies[route.description])
                    let wrong: Any =
                        field.type == "text or array of objects"
                        ? 7 : field.type == "object" || field.type.hasPrefix("array") ? "x" : ["x"]
                    let answer = try await server.send(route, path, Self.set(body, field.name, wrong))
                    #expect(answer.status == 400, "\(route), \(field.name)")
                    #expect(answer.fields == [field.name], "\(route)")
                    guard field.isRequired else { continue }
                    let without = try await server.send(route, path, Self.set(body, field.name, nil))
                    #expect(without.status == 400, "\(route), \(field.name)")
                    #expect(without.fields == [field.name], "\(route)")
                }
            }
        }
    }

    @Test func `an optional field may be null, and a field of the type "any value" may have any value`() async throws {
        let routes = try RESTReference.load().routes.filter { !$0.request.isEmpty }
        try await TestServer.run { server in
            for route in routes {
                let path = route.path.replacing("{user}", with: "alice")
                // Without one of its members, the object of credentials is empty. Without a timeout, an event waits for
                // a minute.
                let skipped = ["credentials.authenticator", "timeout"]
                for field in route.request where !field.isRequired && !skipped.contains(field.name) {
                    let body = try #require(Self.bodies[route.description])
                    for value in field.type == "any value" ? [NSNull(), 1, "x", ["x"], ["x": 1]] as [Any] : [NSNull()] {
                        let answer = try await server.send(route, path, Self.set(body, field.name, value))
                        // The command of the body cannot be decoded, which is an error of its own.
                        #expect(answer.errorCode != -1001, "\(route), \(field.name)")
                    }
                }
            }
        }
    }

    @Test func `each route is opened by the scopes that are listed, and by no other`() async throws {
        let routes = try RESTReference.load().routes
        try await TestServer.run { server in
            let helpDesk = try await server.platform.createAPIKey(scope: .helpDesk, name: "help desk").secret
            let keys = [
                "app-server": server.applicationKey, "admin": server.administratorKey, "helpdesk": helpDesk,
            ]
            for route in routes {
                // The stream of a device has a token of its own.
                guard route.description != "GET /v1/notifications/{channel}" else { continue }
                let path = route.path.replacing("{user}", with: "alice").replacing("{device}", with: "none")
                    .replacing("{requestID}", with: "none").replacing("{decisionID}", with: "none")
                let body = route.method == "POST" ? Data("{}".utf8) : nil
                let open = try await server.send(route.method, path, body: body)
                #expect((open.status == 401) == !route.scopes.isEmpty, "\(route)")
                for (scope, key) in keys where !route.scopes.isEmpty {
                    let answer = try await server.send(
                        route.method, path, body: body, headers: ["Authorization": "Bearer \(key)"])
                    #expect((answer.status == 403) == !route.scopes.contains(scope), "\(route), \(scope)")
                    #expect((answer.errorCode == -1052) == !route.scopes.contains(scope), "\(route), \(scope)")
                    #expect(answer.status != 401, "\(route), \(scope)")
                }
            }
        }
        #expect(routes.contains { $0.scopes == ["app-server"] })
    }

    @Test func `the fields of each reply are those that the server sends`() throws {
        let status = StatusReply(status: "")
        let decision = LoginReply(
            sessionStatus: .failed, riskResponseCode: .refuse, requestID: "", hostCode: "", declineReason: "",
            requestMessage: "", numberToMatch: "", receipt: "", verifiedMethod: "", fallback: "")
        let key = KeyStatementBody.Key(
            kid: "", use: "", algorithm: 1, publicKey: "", notBefore: "", notAfter: "")
        let unlockCode = try JSONDecoder().decode(
            UnlockCodeBody.self, from: Data(#"{"unlockCode":"","deviceID":"","expiresAt":""}"#.utf8))
        var replies: [String: any Encodable] = [
            "GET /v1/notifications/{channel}": ["id": "", "event": "", "data": ""],
            "POST /v1/users/register": RegisterReply(
                activationPassword: "", activationLink: "", registrationID: "", serialNumber: ""),
            "POST /v1/users/{user}/unregister": status, "POST /v1/users/{user}/lift-blocks": status,
            "DELETE /v1/users/{user}/devices/{device}": status,
            "POST /v1/users/{user}/unlock": unlockCode, "POST /v1/users/{user}/devices/{device}/unlock": unlockCode,
            "POST /v1/registrations/check-status": CheckStatusReply(activationStatus: ""),
            "POST /v1/users/{user}/login": decision, "POST /v1/users/{user}/transactions/validate": decision,
            "POST /v1/users/{user}/seals/validate": decision,
            "POST /v1/users/{user}/generate-challenge": ChallengeReply(challenge: "", requestID: ""),
            "POST /v1/users/{user}/sync-authenticator": status,
            "GET /v1/authenticators": try Self.authenticators,
            "POST /v1/orchestration-commands": CommandReply(command: ""),
            "POST /v1/orchestration-commands-v2": CommandReply(command: ""), "GET /health": status,
            "GET /health/live": status, "GET /health/ready": status,
            "GET /v1/platform-keys": PlatformKeysBody(
                statements: [
                    KeyStatementBody(
                        sequence: 2, previous: "", time: "", statement: "", fingerprint: "", keys: [key])
                ], nextPage: 2),
        ]
        let approvals = [
            "POST /v1/users/{user}/events/validate", "GET /v1/sessions/{requestID}", "DELETE /v1/sessions/{requestID}",
        ]
        for route in approvals { replies[route] = decision }
        for route in try RESTReference.load().routes where !Self.fieldless.contains(route.description) {
            #expect(!route.reply.isEmpty, "\(route)")
            let sent: [String: Any]
            if route.description == "GET /v1/decisions/{decisionID}" {
                sent = try Self.fullDecision
            } else {
                let reply = try replies[route.description] ?? Self.decoded(route)
                sent = try #require(
                    try JSONSerialization.jsonObject(with: Data(JSONBody.encode(reply))) as? [String: Any])
            }
            #expect(Self.names(sent) == Set(route.reply.map(\.name)), "\(route)")
        }
    }

    @Test func `the errors of each route exist`() throws {
        let numbers = Set(APIErrorCode.all.map(\.number))
        for route in try RESTReference.load().routes {
            #expect(!route.errors.isEmpty && route.errors.isSubset(of: numbers), "\(route)")
        }
    }

    /// A record of a decision with a value in each field. A refusal has a reason where a challenge has the other parts.
    private static var fullDecision: [String: Any] {
        get throws {
            let challenge = PolicyDecision.Challenge(
                method: .password, digits: 6, rejection: .password, fallbacks: [.password], pushes: .allowed)
            let amount = try MonetaryAmount(minorUnits: 1, currency: Currency("EUR"))
            let situation = Situation(.transaction, at: Timestamp(secondsSinceEpoch: 0), type: "x", amount: amount)
            var bodies: [[String: Any]] = []
            for outcome in [PolicyDecision.Outcome.challenge(challenge), .refuse(.noMethod)] {
                let decision = PolicyDecision(
                    policy: "p", rule: "r", outcome: outcome, unavailableMethod: .biometric)
                let record = DecisionRecord(
                    id: [UInt8](repeating: 1, count: 16), account: try AccountName(userID: "a", domain: "b"),
                    situation: situation, decision: decision)
                let body = try JSONBody.encode(DecisionBody(record))
                bodies.append(try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]))
            }
            let parts = bodies.compactMap { $0["decision"] as? [String: Any] }
            bodies[0]["decision"] = parts[0].merging(parts[1]) { first, _ in first }
            return bodies[0]
        }
    }

    /// A page with one authenticator.
    private static var authenticators: AuthenticatorsReply {
        get throws {
            let time = Timestamp(secondsSinceEpoch: 0)
            var device = DeviceRecord(
                id: [UInt8](repeating: 1, count: 16), account: "a@b", registrationID: "", serialNumber: "",
                createdAt: time, pendingUntil: time, name: "", sdkVersion: "", methods: [], deviceKey: [], suite: 1,
                promotedAt: time)
            device.activatedAt = time
            return try AuthenticatorsReply(
                AuthenticatorPage(total: 1, authenticators: [try #require(.init(device))]), offset: 0, limit: 1)
        }
    }

    /// Decodes the report on a user from values that the article describes.
    private static func decoded(_ route: RESTReference.Route) throws -> any Encodable {
        var value: [String: Any] = [:]
        for field in route.reply {
            let parts = field.name.split(separator: ".").map(String.init)
            let sample: Any =
                switch field.type.prefix(while: { $0 != "?" }) {
                case "Boolean": true
                case "number": 1
                case "array of text": ["x"]
                case "array of objects": [[String: Any]()]
                default: "x"
                }
            if parts.count == 1 {
                value[parts[0]] = sample
            } else {
                var member = (value[parts[0]] as? [[String: Any]])?.first ?? [:]
                member[parts[1]] = sample
                value[parts[0]] = [member]
            }
        }
        #expect(route.description == "GET /v1/users/{user}")
        return try JSONDecoder().decode(AccountBody.self, from: JSONSerialization.data(withJSONObject: value))
    }

    /// Returns the names of the members of an object and of the objects in it.
    private static func names(_ object: [String: Any], in prefix: String = "") -> Set<String> {
        object.reduce(into: []) { names, member in
            names.insert(prefix + member.key)
            let inner = (member.value as? [[String: Any]])?.first ?? member.value as? [String: Any]
            if let inner { names.formUnion(Self.names(inner, in: prefix + member.key + ".")) }
        }
    }

    /// Returns an object with another value at a path; `nil` removes the member.
    static func set(_ object: [String: Any], _ path: String, _ value: Any?) -> [String: Any] {
        let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
        var object = object
        object[parts[0]] =
            parts.count == 1 ? value : set(object[parts[0]] as? [String: Any] ?? [:], parts[1], value)
        return object
    }

    fileprivate static func json(_ object: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }
}

extension TestServer {
    /// Sends a body to a route with a path.
    fileprivate func send(
        _ route: RESTReference.Route, _ path: String, _ body: [String: Any]
    ) async throws -> Answer {
        try await send(
            route.method, path, body: Data(ServerReferenceTests.json(body).utf8),
            headers: ["Authorization": "Bearer \(applicationKey)"])
    }
}
