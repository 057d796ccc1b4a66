import Foundation
import Orchestration
import OrchestrationTesting
import Primitives
import Synchronization
import Testing
import TrustedIdentity

/// Bodies in the shape in which integrations of the original API send them: one request of each route, in the order in
/// which an application server sends them about one user.
@Suite struct ServerExampleTests {
    /// What a field of a reply has.
    enum Value {
        case text(String)
        case number(Int)
        case flag(Bool)
        /// A text of this form.
        case form(String)
        /// An array of this many values.
        case count(Int)
        /// Any value.
        case present
        case absent
    }

    /// A request, and what comes back.
    struct Example {
        let route: String
        /// The path with its query. `{name}` stands for a value of an earlier reply or of the device.
        let path: String
        var body: String?
        var key = Key.application
        var status = 200
        let reply: [String: Value]
        /// What the device or the clock does before the request.
        var before: Action?
        /// The fields of the reply that later requests name.
        var keeps: [String: String] = [:]

        enum Key { case none, application, administrator, token }

        /// What happens before a request.
        enum Action {
            /// The app activates the device and registers its notification channel.
            case activate
            /// The app shows a code: `{code}`.
            case showCode
            /// The app shows two codes in succession: `{code}` and `{next}`.
            case showTwoCodes
            /// The app shows a code over `{challenge}`: `{code}`.
            case answerChallenge
            /// The app signs the fields of the local transaction: `{signature}`.
            case sign
            /// The app seals a text: `{seal}`.
            case seal
            /// The audit log names the latest decision: `{decisionID}`.
            case findDecision
        }
    }

    /// The data about the browser that an application server with risk management sends.
    private static let adaptive = #"""
        "clientIP":"192.0.2.7","relationshipRef":"rel-1","sessionID":"AE9F2C","applicationRef":"shop",
        "cddc":{"browserCDDC":{"fingerprintRaw":"{\"browser\":{\"name\":\"Firefox\"}}",
        "fingerprintHash":"f3b1c0de5d1f4a7f8f9a0b1c2d3e4f50"}}
        """#

    private static let id: Value = .form("[0-9a-f]{32}")

    static let examples: [Example] = [
        Example(
            route: "GET /openapi.json", path: "/openapi.json", key: .none,
            reply: ["openapi": .text("3.1.1"), "paths": .present]),
        Example(route: "GET /health", path: "/health", key: .none, reply: ["status": .text("ok")]),
        Example(route: "GET /health/live", path: "/health/live", key: .none, reply: ["status": .text("ok")]),
        Example(route: "GET /health/ready", path: "/health/ready", key: .none, reply: ["status": .text("ready")]),
        Example(
            route: "POST /v1/users/register", path: "/v1/users/register",
            body: #"""
                {"objectType":"AdaptiveRegisterUserInput","userID":"alice","staticPassword":"correct horse",
                "activationType":"onlineMDL",\#(adaptive)}
                """#,
            reply: [
                "activationPassword": .form("[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}"), "registrationID": id,
                "serialNumber": .form("TI[0-9]{10}"), "riskResponseCode": .number(0),
            ],
            keeps: ["activationPassword": "activationPassword"]),
        Example(
            route: "POST /v1/registrations/check-status", path: "/v1/registrations/check-status",
            body: #"{"login":"alice@master","timeoutSeconds":"0"}"#, reply: ["activationStatus": .text("pending")]),
        Example(
            route: "POST /v1/registrations/check-status", path: "/v1/registrations/check-status",
            body: #"{"login":"alice@master","timeoutSeconds":30}"#, reply: ["activationStatus": .text("activated")],
            before: .activate),
        // The command of the activation, again: a repeat gets the same answer.
        Example(
            route: "POST /v1/orchestration-commands", path: "/v1/orchestration-commands",
            body: #"{"command":"{command}","clientIP":"192.0.2.7"}"#, reply: ["command": .form("[A-Za-z0-9_-]{40,}")]),
        Example(
            route: "POST /v1/orchestration-commands-v2", path: "/v1/orchestration-commands-v2",
            body: #"{"command":"{command}"}"#, reply: ["command": .form("[A-Za-z0-9_-]{40,}")]),
        Example(
            route: "GET /v1/users/{user}", path: "/v1/users/alice%40master",
            reply: [
                "user": .text("alice@master"), "authenticators": .count(1), "devices": .count(1),
                "activationStatus": .text("activated"), "hasStaticPassword": .flag(true), "failures": .count(0),
                "registrationID": id, "createdAt": .form("20[0-9-]+T[0-9:.]+Z"), "staticPassword": .absent,
            ]),
        Example(
            route: "POST /v1/users/{user}/login", path: "/v1/users/alice%40master/login",
            body: #"{"objectType":"LoginInput","credentials":{"authenticator":{"OTP":"{code}"}}}"#,
            reply: [
                "sessionStatus": .text("accepted"), "riskResponseCode": .number(0), "requestID": id,
                "hostCode": .form("[0-9]{8}"), "declineReason": .absent, "requestMessage": .absent,
            ], before: .showCode),
        Example(
            route: "POST /v1/users/{user}/login", path: "/v1/users/alice%40master/login",
            body: #"""
                {"objectType":"AdaptiveLoginInput","credentials":{"passKey":"wrong horse"},"requestID":"l-2",\#(adaptive)}
                """#,
            reply: [
                "sessionStatus": .text("failed"), "riskResponseCode": .number(1), "requestID": .text("l-2"),
                "declineReason": .absent, "hostCode": .absent,
            ]),
        Example(
            route: "POST /v1/users/{user}/login", path: "/v1/users/alice%40master/login",
            body: #"{"objectType":"AdaptiveLoginInput","credentials":{"passKey":"correct horse"},\#(adaptive)}"#,
            reply: ["sessionStatus": .text("accepted"), "riskResponseCode": .number(0), "hostCode": .absent]),
        Example(
            route: "POST /v1/users/{user}/login", path: "/v1/users/alice%40master/login",
            body: #"""
                {"objectType":"AdaptiveLoginInput","orchestrationDelivery":["pushNotification","requestMessage"],
                "timeout":"0","dataToDisplay":"Log in to the shop",\#(adaptive)}
                """#,
            reply: [
                "sessionStatus": .text("pending"), "riskResponseCode": .number(22), "requestID": id,
                "requestMessage": .form("[A-Za-z0-9_-]{38}"), "numberToMatch": .absent, "receipt": .absent,
            ],
            keeps: ["requestID": "requestID"]),
        Example(
            route: "GET /v1/sessions/{requestID}", path: "/v1/sessions/{requestID}",
            reply: ["sessionStatus": .text("pending"), "riskResponseCode": .number(22), "requestID": id]),
        Example(
            route: "DELETE /v1/sessions/{requestID}", path: "/v1/sessions/{requestID}",
            reply: [
                "sessionStatus": .text("refused"), "riskResponseCode": .number(1), "requestMessage": .absent,
                "declineReason": .text("canceled"),
            ]),
        Example(
            route: "POST /v1/users/{user}/generate-challenge", path: "/v1/users/alice%40master/generate-challenge",
            body: #"{"length":"8","checkDigit":"true"}"#,
            reply: ["challenge": .form("[0-9]{8}"), "requestID": id],
            keeps: ["challenge": "challenge", "requestID": "requestID"]),
        Example(
            route: "POST /v1/users/{user}/login", path: "/v1/users/alice%40master/login",
            body: #"""
                {"objectType":"LoginInput","requestID":"{requestID}",
                "credentials":{"authenticator":{"OTP":"{code}","application":"3"}}}
                """#,
            reply: ["sessionStatus": .text("accepted"), "riskResponseCode": .number(0), "hostCode": .form("[0-9]{8}")],
            before: .answerChallenge),
        Example(
            route: "POST /v1/users/{user}/transactions/validate",
            path: "/v1/users/alice%40master/transactions/validate",
            body: #"""
                {"objectType":"TransactionValidationInput","requestID":"t-1",
                "data":{"standard":{"dataFields":["DE89370400440532","250"],"signature":"{signature}"}}}
                """#,
            reply: [
                "sessionStatus": .text("accepted"), "riskResponseCode": .number(0), "requestID": .text("t-1"),
                "hostCode": .form("[0-9]{8}"),
            ], before: .sign),
        Example(
            route: "POST /v1/users/{user}/transactions/validate",
            path: "/v1/users/alice%40master/transactions/validate",
            body: #"""
                {"objectType":"AdaptiveTransactionValidationInput","requestID":"t-2","timeout":0,
                "orchestrationDelivery":["pushNotification"],"accountRef":"DE12","amount":"250.00","currency":"EUR",
                "transactionType":"TransferToBankAccount","creditorIBAN":"DE89370400440532013000","creditorName":"ACME",
                "creditorBank":"COBADEFFXXX","debtorIBAN":"FR1420041010050500013M02606",\#(adaptive),
                "data":{"transactionMessage":{"dataFields":[{"key":{"text":"From"},"value":{"text":"Savings"}},
                {"key":{"text":"To"},"value":{"text":"ACME"}},{"key":{"text":"Amount"},"value":{"text":"250.00 EUR"}}]}}}
                """#,
            reply: [
                "sessionStatus": .text("pending"), "riskResponseCode": .number(22), "requestID": .text("t-2"),
                "requestMessage": .absent, "hostCode": .absent,
            ]),
        Example(
            route: "POST /v1/users/{user}/transactions/validate",
            path: "/v1/users/alice%40master/transactions/validate",
            body: #"{"objectType":"TransactionInput","data":{"fido":{"authenticationResponse":"{}"}}}"#, status: 400,
            reply: ["errorCode": .number(-1700), "errorCategory": .text("transaction"), "validationErrors": .count(1)]),
        Example(
            route: "POST /v1/users/{user}/seals/validate", path: "/v1/users/alice%40master/seals/validate",
            body: #"{"requestID":"s-1","seal":"{seal}","text":"I agree"}"#,
            reply: [
                "sessionStatus": .text("accepted"), "riskResponseCode": .number(0), "requestID": .text("s-1"),
                "hostCode": .form("[0-9]{8}"),
            ], before: .seal),
        Example(
            route: "POST /v1/users/{user}/events/validate", path: "/v1/users/alice%40master/events/validate",
            body: #"""
                {"objectType":"AdaptiveEventValidationInput","eventType":"ChangePhoneNumber","timeout":0,"requestID":"e-1",
                \#(adaptive)}
                """#,
            reply: [
                "sessionStatus": .text("pending"), "riskResponseCode": .number(22), "requestID": .text("e-1"),
                "requestMessage": .present,
            ]),
        Example(
            route: "POST /v1/users/{user}/events/validate", path: "/v1/users/alice%40master/events/validate",
            body: #"{"objectType":"EventValidationInput","eventType":"ChangeLimit","timeout":0}"#,
            reply: ["sessionStatus": .text("pending")]),
        Example(
            route: "GET /v1/decisions/{decisionID}", path: "/v1/decisions/{decisionID}", key: .administrator,
            reply: [
                "decisionID": id, "user": .text("alice@master"), "time": .form("20[0-9-]+T[0-9:.]+Z"),
                "situation": .present, "decision": .present,
            ], before: .findDecision),
        Example(
            route: "GET /v1/authenticators", path: "/v1/authenticators?domain=master&assigned=true&type=TYPMD",
            reply: [
                "total": .number(1), "offset": .number(0), "limit": .number(20), "authenticators": .count(1),
            ]),
        Example(
            route: "POST /v1/users/{user}/sync-authenticator", path: "/v1/users/alice%40master/sync-authenticator",
            body: #"{"firstOTP":"{code}","secondOTP":"{next}"}"#, reply: ["status": .text("synchronized")],
            before: .showTwoCodes),
        Example(
            route: "GET /v1/platform-keys", path: "/v1/platform-keys", key: .none, reply: ["statements": .count(1)]),
        Example(
            route: "GET /v1/visualcodes/render", path: "/v1/visualcodes/render?format=GIF&message=61", key: .none,
            status: 400, reply: ["errorCode": .number(-1001), "validationErrors": .count(1)]),
        Example(
            route: "GET /v1/notifications/{channel}", path: "/v1/notifications/pull%3A1", key: .token, status: 401,
            reply: ["errorCode": .number(-1404), "errorCategory": .text("session")]),
        Example(
            route: "POST /v1/users/{user}/lift-blocks", path: "/v1/users/alice%40master/lift-blocks", body: "{}",
            reply: ["status": .text("lifted")]),
        Example(
            route: "POST /v1/users/{user}/unlock", path: "/v1/users/alice%40master/unlock", body: "{}",
            reply: [
                "unlockCode": .form("[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}"), "deviceID": .form("[0-9a-f]{32}"),
                "expiresAt": .present,
            ]),
        Example(
            route: "POST /v1/users/{user}/devices/{device}/unlock",
            path: "/v1/users/alice%40master/devices/{device}/unlock", body: "{}",
            reply: [
                "unlockCode": .form("[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}"), "deviceID": .form("[0-9a-f]{32}"),
                "expiresAt": .present,
            ]),
        Example(
            route: "DELETE /v1/users/{user}/devices/{device}", path: "/v1/users/alice%40master/devices/{device}",
            reply: ["status": .text("revoked")]),
        Example(
            route: "POST /v1/users/{user}/unregister", path: "/v1/users/alice%40master/unregister", body: "{}",
            reply: ["status": .text("unregistered")]),
    ]

    @Test func `every route has an example`() throws {
        #expect(Set(Self.examples.map(\.route)) == Set(try RESTReference.load().routes.map(\.description)))
    }

    @Test func `each request gets the reply that an integration expects`() async throws {
        let time = ManualTimeSource(at: Timestamp(secondsSinceEpoch: 1_800_000_000))
        try await TestServer.run(time: time) { server in
            let app = ExampleApp(server: server, time: time)
            for example in Self.examples {
                try await app.perform(example.before)
                let answer = try await app.send(example)
                let shown = "\(example.route): \(String(decoding: answer.body, as: UTF8.self))"
                #expect(answer.status == example.status, "\(shown)")
                for (field, value) in example.reply {
                    #expect(Self.matches(answer.json[field], value), "\(field) of \(shown)")
                }
                for (field, name) in example.keeps { app.values[name] = answer.text(field) }
            }
        }
    }

    private static func matches(_ found: Any?, _ value: Value) -> Bool {
        switch value {
        case .text(let text): return found as? String == text
        case .number(let number): return found as? Int == number
        case .flag(let flag): return found as? Bool == flag
        case .form(let pattern):
            guard let text = found as? String, let form = try? Regex(pattern) else { return false }
            return text.wholeMatch(of: form) != nil
        case .count(let count): return (found as? [Any])?.count == count
        case .present: return found != nil
        case .absent: return found == nil
        }
    }
}

/// The app of the user, behind an application server that relays its commands over HTTP.
private final class ExampleApp {
    /// What later requests name.
    var values: [String: String] = [:]
    private let server: TestServer
    private let time: ManualTimeSource
    private var orchestrator: Orchestrator?

    init(server: TestServer, time: ManualTimeSource) {
        self.server = server
        self.time = time
    }

    func send(_ example: ServerExampleTests.Example) async throws -> TestServer.Answer {
        var headers: [String: String] = [:]
        switch example.key {
        case .none: break
        case .application: headers["Authorization"] = "Bearer \(server.applicationKey)"
        case .administrator: headers["Authorization"] = "Bearer \(server.administratorKey)"
        case .token: headers["Authorization"] = "Bearer AAAAAAAAAAAAAAAAAAAAAA"
        }
        let method = String(example.route.prefix { $0 != " " })
        return try await server.send(
            method, filled(example.path), body: example.body.map { Data(filled($0).utf8) }, headers: headers)
    }

    private func filled(_ text: String) -> String {
        values.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    func perform(_ action: ServerExampleTests.Example.Action?) async throws {
        switch action {
        case nil: break
        case .activate: try await activate()
        case .showCode: values["code"] = try await code()
        case .showTwoCodes:
            values["code"] = try await code()
            values["next"] = try await code()
        case .answerChallenge:
            values["code"] = try await app().user("alice").oneTimePassword(
                application: .app3, challenge: values["challenge"]
            ).oneTimePassword
        case .findDecision:
            let entries = try await server.platform.audit(limit: 1)
            values["decisionID"] = Hex.encode(try #require(entries.first?.decision))
        case .seal: values["seal"] = try await app().user("alice").seal(.text("I agree")).seal
        case .sign:
            let fields = ["DE89370400440532", "250"].map { DataField(value: $0) }
            values["signature"] = try await app().user("alice").sign(fields).signature
        }
    }

    private func app() throws -> Orchestrator { try #require(orchestrator) }

    private func activate() async throws {
        let server = server
        let relay = Relay { body in try await server.post("/v1/orchestration-commands", body) }
        let app = try await TestDevice(seed: 1, time: time).orchestrator(
            transport: relay, user: ScriptedUser(password: "482915"))
        orchestrator = app
        let password = try #require(values["activationPassword"])
        _ = try await app.user("alice").activate(with: password)
        try await app.user("alice").registerNotifications()
        values["command"] = relay.latest
        let report = try await server.send(
            "GET", "/v1/users/alice", headers: ["Authorization": "Bearer \(server.applicationKey)"])
        let devices = try #require(report.json["devices"] as? [[String: Any]])
        values["device"] = devices.first?["deviceID"] as? String
    }

    /// Returns the code of the next time step.
    private func code() async throws -> String {
        time.advance(seconds: 30)
        return try await app().user("alice").oneTimePassword().oneTimePassword
    }
}

/// A transport through an application server, which remembers the latest command.
private final class Relay: Transport {
    private let post: @Sendable (String) async throws -> TestServer.Answer
    private let sent = Mutex<String?>(nil)

    /// The text of the latest command.
    var latest: String? { sent.withLock(\.self) }

    init(post: @escaping @Sendable (String) async throws -> TestServer.Answer) { self.post = post }

    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        sent.withLock { $0 = command.text }
        let answer = try await post(#"{"command":"\#(command.text)","clientIP":"192.0.2.7"}"#)
        return try OrchestrationCommand(text: #require(answer.text("command")))
    }
}
