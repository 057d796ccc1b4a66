import Foundation
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The status and the risk code of every reply about a login, a transaction or an event: every route in every state.
@Suite struct ServerStatusTests {
    /// The routes that ask for an approval, with a body of each. `{more}` stands for further members.
    static let routes: [(path: String, body: String)] = [
        ("/v1/users/alice/login", #"{"objectType":"LoginInput"{more}}"#),
        (
            "/v1/users/alice/transactions/validate",
            #"""
            {"objectType":"TransactionInput","data":{"transactionMessage":
            {"dataFields":[{"key":{"text":"To"},"value":{"text":"ACME"}}]}}{more}}
            """#
        ),
        ("/v1/users/alice/events/validate", #"{"eventType":"x"{more}}"#),
    ]

    /// A state in which a request has ended, and what is said of it.
    struct End: CustomStringConvertible {
        let state: ApprovalState
        var reason: RejectionReason?
        let status: String
        let code: Int
        var declineReason: String?

        var description: String { "\(state) \(reason.map { "\($0)" } ?? "")" }
    }

    static let ends: [End] = [
        End(state: .approved, status: "accepted", code: 0),
        End(state: .rejected, reason: .notMe, status: "refused", code: 1, declineReason: "notMe"),
        End(state: .rejected, reason: .canceled, status: "refused", code: 1, declineReason: "canceled"),
        End(state: .rejected, reason: .wrongData, status: "refused", code: 1, declineReason: "wrongData"),
        End(state: .wrongNumber, status: "refused", code: 1, declineReason: "wrongNumber"),
        End(state: .methodRefused, status: "refused", code: 1, declineReason: "methodRefused"),
        End(state: .replaced, status: "refused", code: 1, declineReason: "replaced"),
        End(state: .canceled, status: "refused", code: 1, declineReason: "canceled"),
        End(state: .expired, status: "timeout", code: 1),
    ]

    static let codes: [AuthenticationMethod: Int] = [.possession: 21, .password: 22, .biometric: 23, .face: 24]

    /// Checks what holds for every reply with a status, and returns it as text.
    private static func summary(of answer: TestServer.Answer) throws -> String {
        #expect(answer.status == 200)
        let status = try #require(answer.text("sessionStatus"))
        let code = try #require(answer.json["riskResponseCode"] as? Int)
        switch status {
        case "pending": #expect([21, 22, 23, 24].contains(code), "clients take 0 as accepted and 1 as refused")
        case "accepted": #expect(code == 0)
        case "refused", "failed", "timeout": #expect(code == 1)
        default: Issue.record("the status \(status) is never sent")
        }
        let isPending = status == "pending"
        #expect(isPending || (answer.text("numberToMatch") == nil && answer.text("requestMessage") == nil))
        return [status, "\(code)", answer.text("declineReason")].compactMap(\.self).joined(separator: " ")
    }

    /// Returns a policy that asks for a method, with a number where the site shows one.
    private static func policy(_ action: PolicyAction) throws -> PlatformConfiguration {
        let rule = try #require(PolicyRule("only rule", then: action))
        let rules = try #require(PolicyRules([rule]))
        let policy = try #require(Policy(name: "test", logins: rules, transactions: rules))
        return PlatformConfiguration(policy: policy)
    }

    private static func ask(
        _ route: (path: String, body: String), _ members: String, on server: TestServer, key: String? = nil
    ) async throws -> TestServer.Answer {
        try await server.post(route.path, route.body.replacing("{more}", with: members), key: key)
    }

    private static func session(
        _ id: String, _ method: String = "GET", on server: TestServer, key: String? = nil
    ) async throws -> TestServer.Answer {
        try await server.send(
            method, "/v1/sessions/\(id)", headers: ["Authorization": "Bearer \(key ?? server.applicationKey)"])
    }

    @Test func `the states of the table are all states that a request ends in, with every reason`() {
        #expect(Set(Self.ends.map(\.state)) == Set(ApprovalState.allCases).subtracting([.pending]))
        let rejections = Self.ends.filter { $0.state == .rejected }
        #expect(Set(rejections.compactMap(\.reason)) == Set(RejectionReason.allCases))
    }

    @Test(arguments: AuthenticationMethod.allCases)
    func `a pending reply of each route has the code of the method`(method: AuthenticationMethod) async throws {
        let requirement = try #require(PolicyRequirement(method, digits: 6))
        let code = try #require(Self.codes[method])
        try await TestServer.run(Self.policy(.challenge(requirement))) { server in
            let site = try await server.platform.createAPIKey(
                scope: .applicationServer, name: "site", showsNumbers: true
            ).secret
            for key in [server.applicationKey, site] {
                for (number, route) in Self.routes.enumerated() {
                    let answer = try await Self.ask(
                        route, #","timeout":0,"requestID":"r\#(number)""#, on: server, key: key)
                    #expect(try Self.summary(of: answer) == "pending \(code)")
                    #expect((answer.text("numberToMatch") != nil) == (key == site))
                    let asked = try await Self.session("r\(number)", on: server, key: key)
                    #expect(try Self.summary(of: asked) == "pending \(code)")
                    #expect(asked.text("numberToMatch") == answer.text("numberToMatch"))
                }
            }
        }
    }

    @Test(arguments: [AuthenticationMethod.biometric, .face])
    func `users who are unknown, without devices and with devices get one reply`(
        method: AuthenticationMethod
    ) async throws {
        let requirement = try #require(PolicyRequirement(method))
        let code = try #require(Self.codes[method])
        let time = ManualTimeSource()
        try await TestServer.run(Self.policy(.challenge(requirement)), time: time) { server in
            // The account "none" has no device, and "nobody" is no account.
            for (number, user) in ["none", "plain", "modern"].enumerated() {
                _ = try await server.post(
                    "/v1/users/register", #"{"objectType":"RegisterUserInputEx","userID":"\#(user)"}"#)
                guard number > 0 else { continue }
                try await server.platform.store.write { store in
                    var device = DeviceRecord(
                        id: [UInt8](repeating: UInt8(number), count: 16), account: "\(user)@master",
                        registrationID: "r", serialNumber: "TI000000000\(number)", createdAt: time.now(),
                        pendingUntil: time.now(), name: "phone", sdkVersion: "1",
                        methods: number == 1 ? [0, 1] : [0, 1, 2, 3], deviceKey: [UInt8](repeating: 2, count: 33),
                        suite: 1, promotedAt: time.now())
                    (device.state, device.activatedAt) = (.active, device.createdAt)
                    try requireWritten(store.insert(device))
                }
            }
            for (place, route) in Self.routes.enumerated() {
                var replies: Set<[String]> = []
                let users = ["nobody", "none", "plain", "modern"]
                for user in users {
                    let path = route.path.replacing("alice", with: user)
                    let members = #","timeout":0,"requestID":"\#(user)-\#(place)""#
                    let answer = try await Self.ask((path, route.body), members, on: server)
                    let asked = try await Self.session("\(user)-\(place)", on: server)
                    var reply: [String] = []
                    for answer in [answer, asked] {
                        reply.append(try Self.summary(of: answer))
                        reply.append(answer.json.keys.sorted().joined(separator: " "))
                        reply.append("\(answer.text("requestMessage")?.count ?? 0)")
                    }
                    replies.insert(reply)
                }
                #expect(replies.count == 1, "\(route.path)")
                #expect(replies.first?.first == "pending \(code)")
                time.advance(seconds: 120)
                for user in users {
                    let ended = try await Self.session("\(user)-\(place)", on: server)
                    #expect(try Self.summary(of: ended) == "timeout 1")
                }
            }
        }
    }

    @Test(arguments: ends)
    func `each route says of each end the status, the code and the reason`(end: End) async throws {
        let expected = ["\(end.status) \(end.code)", end.declineReason].compactMap(\.self).joined(separator: " ")
        try await TestServer.run { server in
            for (number, route) in Self.routes.enumerated() {
                let id = "r\(number)"
                async let waiting = Self.ask(route, #","timeout":300,"requestID":"\#(id)""#, on: server)
                var asked = try await Self.session(id, on: server)
                while asked.status == 404 {
                    try await Task.sleep(for: .milliseconds(1))
                    asked = try await Self.session(id, on: server)
                }
                #expect(try Self.summary(of: asked) == "pending 22")
                try await Self.end(id, as: end, on: server.platform)
                #expect(try await Self.summary(of: waiting) == expected, "\(route.path)")
                #expect(try await Self.summary(of: Self.session(id, on: server)) == expected)
                let canceled = try await Self.session(id, "DELETE", on: server)
                if end.state == .canceled {
                    #expect(try Self.summary(of: canceled) == expected)
                } else {
                    #expect(canceled.status == 409 && canceled.errorCode == -1403)
                    #expect(canceled.json["riskResponseCode"] == nil)
                }
            }
        }
    }

    /// Moves the row of a request to an end, as the device machine and the application server do.
    private static func end(_ id: String, as end: End, on platform: Platform) async throws {
        let row = try await platform.store.write { store in
            let waiting = try store.pendingApprovals(of: "alice@master")
            var row = try #require(waiting.first { $0.requestID == id })
            row.state = end.state
            row.reason = end.reason
            row.number = nil
            row.endedAt = row.createdAt
            try requireWritten(store.update(row))
            return row
        }
        platform.watch.changed(.approvalRequest(row.id))
    }

    @Test func `a key of an administrator asks no user, whatever the route`() async throws {
        try await TestServer.run { server in
            for (number, route) in Self.routes.enumerated() {
                let members = #","timeout":0,"requestID":"r\#(number)""#
                let refused = try await Self.ask(route, members, on: server, key: server.administratorKey)
                #expect(refused.status == 403 && refused.errorCode == -1052, "\(route)")
                #expect(try await Self.session("r\(number)", on: server).errorCode == -1401, "nothing was created")
            }
        }
    }

    @Test func `a request without an answer times out, and is known to its key only`() async throws {
        let time = ManualTimeSource()
        try await TestServer.run(time: time) { server in
            let site = try await server.platform.createAPIKey(scope: .applicationServer, name: "other").secret
            for (number, route) in Self.routes.enumerated() {
                let members = #","timeout":0,"requestID":"r\#(number)""#
                #expect(try await Self.summary(of: Self.ask(route, members, on: server)) == "pending 22")
                // Another key gets what it gets for an unused id.
                let other = try await Self.session("r\(number)", on: server, key: site)
                let none = try await Self.session("none", on: server, key: site)
                #expect(other.status == 404 && other.errorCode == -1401)
                #expect(other.text("message") == none.text("message") && other.json.count == none.json.count)
                let refused = try await Self.session("r\(number)", "DELETE", on: server, key: site)
                #expect(refused.status == 404 && refused.errorCode == -1401)
            }
            time.advance(seconds: 120)
            for number in Self.routes.indices {
                #expect(try await Self.summary(of: Self.session("r\(number)", on: server)) == "timeout 1")
            }
        }
    }

    @Test func `a login that is replaced is refused, and the newer one is pending`() async throws {
        try await TestServer.run { server in
            for id in ["first", "second"] {
                let answer = try await Self.ask(
                    Self.routes[0], #","timeout":0,"sourceID":"browser","requestID":"\#(id)""#, on: server)
                #expect(try Self.summary(of: answer) == "pending 22")
            }
            #expect(try await Self.summary(of: Self.session("first", on: server)) == "refused 1 replaced")
            #expect(try await Self.summary(of: Self.session("second", on: server)) == "pending 22")
        }
    }

    @Test func `what the policy decides by itself is accepted or refused, and never pending`() async throws {
        for (action, expected) in [(PolicyAction.accept, "accepted 0"), (.refuse, "refused 1 policy")] {
            try await TestServer.run(Self.policy(action)) { server in
                _ = try await server.post("/v1/users/register", ServerEndpointTests.registration)
                for route in Self.routes {
                    for timeout in [0, 60] {
                        let answer = try await Self.ask(route, #","timeout":\#(timeout)"#, on: server)
                        #expect(try Self.summary(of: answer) == expected)
                    }
                }
            }
        }
    }

    @Test func `a wrong credential has failed, and one that the policy does not accept is refused`() async throws {
        var policy = Policy.default
        policy.codes.applications = [.app1, .app4]
        try await TestServer.run(PlatformConfiguration(policy: policy)) { [policy] server in
            #expect(policy.codes.staticPasswords)
            _ = try await server.post("/v1/users/register", ServerEndpointTests.registration)
            for (credential, expected) in [
                (#"{"passKey":"correct horse"}"#, "accepted 0"), (#"{"passKey":"wrong"}"#, "failed 1"),
                (#"{"authenticator":{"OTP":"00000000"}}"#, "failed 1"),
                (#"{"authenticator":{"OTP":"00000000","application":2}}"#, "refused 1"),
            ] {
                let answer = try await Self.ask(Self.routes[0], #","credentials":\#(credential)"#, on: server)
                #expect(try Self.summary(of: answer) == expected)
            }
            let signature = #""data":{"standard":{"dataFields":["1"],"signature":"1"}}"#
            let signed = try await server.post(Self.routes[1].path, #"{"objectType":"TransactionInput",\#(signature)}"#)
            #expect(try Self.summary(of: signed) == "failed 1")
        }
    }
}
