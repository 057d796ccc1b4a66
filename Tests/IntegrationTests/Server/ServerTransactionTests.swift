import Foundation
import Orchestration
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

/// Challenges and local transactions over HTTP.
@Suite struct ServerTransactionTests {
    private static let validate = "/v1/users/alice%40master/transactions/validate"
    private let time = ManualTimeSource(at: Timestamp(secondsSinceEpoch: 1_800_000_000))
    private static let challenge = "/v1/users/alice%40master/generate-challenge"

    /// Registers alice, activates a device, and returns the app on it.
    private func activate(_ server: TestServer) async throws -> Orchestrator {
        let registration = try await server.post("/v1/users/register", ServerEndpointTests.registration)
        let password = try #require(registration.text("activationPassword"))
        let platform = server.platform
        let app = try await TestDevice(seed: 1, time: time).orchestrator(
            transport: InProcessTransport { platform }, user: ScriptedUser(password: "482915"))
        _ = try await app.user("alice").activate(with: password)
        return app
    }

    private func body(
        _ fields: String, _ signature: String, type: String = "TransactionValidationInput", more: String = ""
    ) -> String {
        #"{"objectType":"\#(type)","data":{"standard":{"dataFields":\#(fields),"signature":"\#(signature)"}}\#(more)}"#
    }

    @Test(arguments: [
        "TransactionValidationInput", "AdaptiveTransactionValidationInput", "TransactionInput",
        "AdaptiveTransactionInput",
    ])
    func `a signature over texts approves a transaction once, with a host code`(type: String) async throws {
        try await TestServer.run(time: time) { server in
            let app = try await activate(server)
            let made = try await app.user("alice").sign([DataField(value: "10 EUR"), DataField(value: "Zoë")])
            let body = body(#"["10 EUR","Zoe\u0308"]"#, made.signature, type: type, more: #","requestID":"t-1""#)
            let accepted = try await server.post(Self.validate, body)
            #expect(accepted.status == 200 && accepted.text("sessionStatus") == "accepted")
            #expect(accepted.json["riskResponseCode"] as? Int == 0)
            #expect(accepted.text("requestID") == "t-1")
            #expect(accepted.text("hostCode") != nil && accepted.text("hostCode") == made.hostCode)
            let again = try await server.post(Self.validate, body)
            #expect(again.status == 200 && again.text("sessionStatus") == "failed")
            #expect(again.json["riskResponseCode"] as? Int == 1 && again.text("hostCode") == nil)
            #expect(again.text("declineReason") == nil)
            let administrator = try await server.post(Self.validate, body, key: server.administratorKey)
            #expect(administrator.text("declineReason") == "usedCode")
        }
    }

    @Test func `labels are signed, and what is said of the payment is not`() async throws {
        try await TestServer.run(time: time) { server in
            let app = try await activate(server)
            let made = try await app.user("alice").sign([
                DataField(label: "Amount", value: "10 EUR"), DataField(value: "Zoë"),
            ])
            let details = #"""
                ,"accountRef":"a","amount":10.50,"currency":"EUR","transactionType":"sepa","creditorIBAN":"DE02120300000000202051",
                "creditorName":"Zoë","creditorBank":"b","debtorIBAN":"DE02","clientIP":"192.0.2.1","sessionID":"s"
                """#
            func status(_ fields: String) async throws -> String? {
                try await server.post(Self.validate, body(fields, made.signature, more: details)).text("sessionStatus")
            }
            #expect(try await status(#"["10 EUR","Zoë"]"#) == "failed")
            #expect(try await status(#"[{"key":{"text":"amount"},"value":{"text":"10 EUR"}},"Zoë"]"#) == "failed")
            #expect(
                try await status(
                    #"[{"key":{"text":"Amount"},"value":{"text":"10 EUR"}},{"key":null,"value":{"text":"Zoë"}}]"#)
                    == "accepted")
        }
    }

    @Test func `the policy decides on a signature by the payment that is named beside it`() async throws {
        let euro = try Currency("EUR")
        let limit = try #require(AmountRange(atLeast: MonetaryAmount(minorUnits: 100_000, currency: euro)))
        let large = PolicyRule("large", when: [.amount(limit)], then: .refuse)
        let limits = PolicyRule("limits", when: [.type(["limit"])], then: .refuse)
        let creditor = PolicyRule("new creditor", when: [.creditor(.new)], then: .refuse)
        let others = PolicyRule("others", then: .accept)
        let rules = try #require(PolicyRules([large, limits, creditor, others].compactMap(\.self)))
        #expect(rules.rules.count == 4)
        let policy = try #require(Policy(name: "test", transactions: rules))
        try await TestServer.run(PlatformConfiguration(policy: policy), time: time) { server in
            let app = try await activate(server)
            for (named, expected) in [
                (#","amount":"1000","currency":"EUR""#, "refused"), (#","transactionType":"limit""#, "refused"),
                (#","creditorIBAN":"DE02120300000000202051""#, "refused"), (#","creditorName":"Zoë""#, "refused"),
                (#","amount":999.99,"currency":"EUR","transactionType":"sepa""#, "accepted"), ("", "accepted"),
            ] {
                let made = try await app.user("alice").sign([DataField(value: "1")])
                let answer = try await server.post(Self.validate, body(#"["1"]"#, made.signature, more: named))
                #expect(answer.text("sessionStatus") == expected, "\(named)")
            }
            for (named, field) in [
                (#","amount":"1e5","currency":"EUR""#, "amount"), (#","amount":"1""#, "currency"),
                (#","amount":"1","currency":"XXX""#, "currency"), (#","creditorIBAN":"DE02""#, "creditorIBAN"),
                (#","creditorName":"a\u202Eb""#, "creditorName"),
            ] {
                let answer = try await server.post(Self.validate, body(#"["1"]"#, "12345678", more: named))
                #expect(answer.status == 400 && answer.fields == [field], "\(named)")
            }
        }
    }

    @Test func `unknown users, blocked users and wrong signatures have one answer`() async throws {
        try await TestServer.run(time: time) { server in
            _ = try await activate(server)
            let wrong = body(#"["1"]"#, "00000000", more: #","requestID":"r""#)
            var answers = [try await server.post(Self.validate, wrong)]
            answers.append(try await server.post("/v1/users/bob%40master/transactions/validate", wrong))
            for _ in 0..<5 { _ = try await server.post(Self.validate, wrong) }
            answers.append(try await server.post(Self.validate, wrong))
            for answer in answers {
                #expect(answer.status == 200 && answer.body == answers[0].body)
                #expect(answer.text("sessionStatus") == "failed" && answer.json.count == 3)
            }
        }
    }

    static let fieldRows: [(String, String)] = [
        ("[]", "data.standard.dataFields"), (#"["1","2","3","4","5","6","7","8","9"]"#, "data.standard.dataFields"),
        (#"["1","12345678901234567"]"#, "data.standard.dataFields[1]"), (#"[""]"#, "data.standard.dataFields[0]"),
        (#"["1","2","a\u0007"]"#, "data.standard.dataFields[2]"), (#"["a\nb"]"#, "data.standard.dataFields[0]"),
        (#"["AC\u200DME"]"#, "data.standard.dataFields[0]"), (#"[" "]"#, "data.standard.dataFields[0]"),
        (#"["a\u202Eb"]"#, "data.standard.dataFields[0]"), (#"["a\u2066b"]"#, "data.standard.dataFields[0]"),
        (
            #"["1",{"key":{"text":"12345678901234567"},"value":{"text":"1"}}]"#,
            "data.standard.dataFields[1].key.text"
        ),
        (#"[{"key":{"text":"a"},"value":{"text":"\u202E"}}]"#, "data.standard.dataFields[0].value.text"),
        (#"[{"key":{"text":""},"value":{"text":"1"}}]"#, "data.standard.dataFields[0].key.text"),
        (#"[{"key":{"text":"a"}}]"#, "data.standard.dataFields[0].value"),
        (#"[{"key":"a","value":{"text":"1"}}]"#, "data.standard.dataFields[0].key"),
        ("[7]", "data.standard.dataFields[0]"), (#""1""#, "data.standard.dataFields"),
        ("null", "data.standard.dataFields"),
    ]

    @Test func `data fields outside their limits are a 400 that names them`() async throws {
        try await TestServer.run(time: time) { server in
            for (fields, name) in Self.fieldRows {
                let answer = try await server.post(Self.validate, body(fields, "12345678"))
                #expect(answer.status == 400 && answer.errorCode == -1001, "\(fields)")
                #expect(answer.fields == [name], "\(fields)")
                #expect(!String(decoding: answer.body, as: UTF8.self).contains("12345678901234567"))
            }
        }
    }

    @Test(arguments: ["secureChannel", "fido"])
    func `data of another kind is refused by name`(kind: String) async throws {
        try await TestServer.run(time: time) { server in
            let standard = #""standard":{"dataFields":["1"],"signature":"12345678"}"#
            let message = #""transactionMessage":{"dataFields":[]}"#
            for data in [#"{"\#(kind)":{}}"#, #"{"\#(kind)":"x",\#(standard)}"#, #"{"\#(kind)":1,\#(message)}"#] {
                let answer = try await server.post(
                    Self.validate, #"{"objectType":"TransactionInput","data":\#(data)}"#)
                #expect(answer.status == 400 && answer.errorCode == -1700)
                #expect(answer.text("errorCategory") == "transaction")
                #expect(answer.fields == ["data.\(kind)"])
            }
        }
    }

    static let bodyRows: [(String, String)] = [
        (#"{"data":{"standard":{"dataFields":["1"],"signature":"1"}}}"#, "objectType"),
        (#"{"objectType":"LoginInput"}"#, "objectType"), (#"{"objectType":"TransactionInput"}"#, "data"),
        (#"{"objectType":"TransactionInput","data":null}"#, "data"),
        (#"{"objectType":"TransactionInput","data":{}}"#, "data.standard"),
        (#"{"objectType":"TransactionInput","data":{"standard":{"dataFields":["1"]}}}"#, "data.standard.signature"),
        (
            #"{"objectType":"TransactionInput","credentials":{"passKey":"x"},"data":{"standard":{"dataFields":["1"],"signature":"1"}}}"#,
            "credentials"
        ),
    ]

    @Test func `a body without its parts, and one with credentials, are a 400 that names them`() async throws {
        try await TestServer.run(time: time) { server in
            for (body, name) in Self.bodyRows {
                let answer = try await server.post(Self.validate, body)
                #expect(answer.status == 400 && answer.fields == [name], "\(body)")
            }
            for (key, value) in [("amount", "[1]"), ("amount", "true"), ("currency", "7"), ("creditorIBAN", "{}")] {
                let answer = try await server.post(Self.validate, body(#"["1"]"#, "1", more: #","\#(key)":\#(value)"#))
                #expect(answer.status == 400 && answer.fields == [key], "\(key)")
            }
        }
    }

    @Test func `a code over a challenge logs in once, for the key that asked for it`() async throws {
        try await TestServer.run(time: time) { server in
            let app = try await activate(server)
            let made = try await server.post(Self.challenge, #"{"length":"10","checkDigit":"true"}"#)
            let (digits, id) = (try #require(made.text("challenge")), try #require(made.text("requestID")))
            #expect(digits.count == 10 && id.count == 32 && made.json.count == 2)
            let code = try await app.user("alice").oneTimePassword(application: .app3, challenge: digits)
            func login(_ id: String, key: String? = nil) async throws -> TestServer.Answer {
                try await server.post(
                    "/v1/users/alice%40master/login",
                    #"""
                    {"objectType":"LoginInput","requestID":"\#(id)",
                    "credentials":{"authenticator":{"OTP":"\#(code.oneTimePassword)","application":3}}}
                    """#, key: key)
            }
            let foreign = try await login(id, key: server.administratorKey)
            #expect(foreign.text("sessionStatus") == "failed" && foreign.text("declineReason") == "unknownChallenge")
            #expect(try await login("other").text("sessionStatus") == "failed")
            let accepted = try await login(id)
            #expect(accepted.text("sessionStatus") == "accepted" && accepted.text("requestID") == id)
            #expect(accepted.text("hostCode") != nil && accepted.text("hostCode") == code.hostCode)
            #expect(try await login(id).text("sessionStatus") == "failed")
            // Nothing of it was counted.
            let user = try await server.send(
                "GET", "/v1/users/alice", headers: ["Authorization": "Bearer \(server.applicationKey)"])
            #expect((user.json["failures"] as? [Any])?.isEmpty == true)
        }
    }

    @Test func `a code is over the challenge that the request id names, without an application`() async throws {
        try await TestServer.run(time: time) { server in
            let app = try await activate(server)
            func login(_ id: String, _ code: String) async throws -> String? {
                let answer = try await server.post(
                    "/v1/users/alice%40master/login",
                    #"{"objectType":"AdaptiveLoginInput","requestID":"\#(id)","credentials":{"authenticator":{"OTP":"\#(code)"}}}"#
                )
                return answer.text("sessionStatus")
            }
            let made = try await server.post(Self.challenge, #"{"length":"6","checkDigit":"false"}"#)
            let (digits, id) = (try #require(made.text("challenge")), try #require(made.text("requestID")))
            let response = try await app.user("alice").oneTimePassword(application: .app3, challenge: digits)
            let code = try await app.user("alice").oneTimePassword(application: .app1)
            #expect(try await login("other", response.oneTimePassword) == "failed")
            #expect(try await login(id, code.oneTimePassword) == "failed")
            #expect(try await login(id, response.oneTimePassword) == "accepted")
            #expect(try await login(id, response.oneTimePassword) == "failed", "the challenge was used")
            #expect(try await login("other", code.oneTimePassword) == "accepted")
        }
    }

    @Test func `a challenge of an unknown user looks the same`() async throws {
        try await TestServer.run(time: time) { server in
            let made = try await server.post("/v1/users/bob%40master/generate-challenge", "{}")
            #expect(made.status == 200 && made.text("challenge")?.count == 8 && made.text("requestID")?.count == 32)
        }
    }

    @Test(arguments: [
        (#"{"length":3}"#, "length"), (#"{"length":17}"#, "length"), (#"{"length":"4.5"}"#, "length"),
        (#"{"length":true}"#, "length"), (#"{"checkDigit":1}"#, "checkDigit"), (#"{"checkDigit":"yes"}"#, "checkDigit"),
    ])
    func `a challenge outside its limits is a 400 that names the field`(body: String, field: String) async throws {
        try await TestServer.run(time: time) { server in
            let answer = try await server.post(Self.challenge, body)
            #expect(answer.status == 400 && answer.errorCode == -1001 && answer.fields == [field])
        }
    }

    @Test(arguments: [#""requestID":null,"#, ""])
    func `a login with application 3 needs the request id of the challenge`(member: String) async throws {
        try await TestServer.run(time: time) { server in
            let answer = try await server.post(
                "/v1/users/alice%40master/login",
                #"{"objectType":"LoginInput",\#(member)"credentials":{"authenticator":{"OTP":"1","application":3}}}"#)
            #expect(answer.status == 400 && answer.fields == ["requestID"])
        }
    }
}
