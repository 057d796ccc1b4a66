import Foundation
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Logins and events that a device approves, as an application server sees them. The walks and the end-to-end tests
/// have the devices.
@Suite struct ServerApprovalTests {
    static let login = "/v1/users/alice/login"

    /// Sends a login without a credential.
    private static func login(
        _ fields: String = #""timeout":0"#, on server: TestServer, key: String? = nil
    ) async throws -> TestServer.Answer {
        try await server.post(login, #"{"objectType":"LoginInput",\#(fields)}"#, key: key)
    }

    private static func session(
        _ id: String, _ method: String = "GET", on server: TestServer, key: String? = nil
    ) async throws -> TestServer.Answer {
        try await server.send(
            method, "/v1/sessions/\(id)", headers: ["Authorization": "Bearer \(key ?? server.applicationKey)"])
    }

    @Test func `a login without a wait is pending, with a pointer, and can be asked for`() async throws {
        try await TestServer.run { server in
            let answer = try await Self.login(on: server)
            #expect(answer.status == 200 && answer.text("sessionStatus") == "pending")
            #expect(answer.json["riskResponseCode"] as? Int == 22)
            let id = try #require(answer.text("requestID"))
            #expect(id.utf8.count == 32)
            let pointer = try #require(answer.text("requestMessage"))
            #expect(pointer.utf8.count == 38)
            #expect(answer.text("numberToMatch") == nil && answer.text("receipt") == nil)
            let again = try await Self.session(id, on: server)
            #expect(again.text("sessionStatus") == "pending" && again.text("requestMessage") == pointer)
        }
    }

    @Test func `the number is for the key of a site that shows it, while the request is pending`() async throws {
        try await TestServer.run { server in
            let key = try await server.platform.createAPIKey(
                scope: .applicationServer, name: "site", showsNumbers: true
            ).secret
            let answer = try await Self.login(#""timeout":0,"requestID":"r1""#, on: server, key: key)
            let number = try #require(answer.text("numberToMatch"))
            #expect(number.wholeMatch(of: /[0-9]{6}/) != nil)
            #expect(try await Self.session("r1", on: server, key: key).text("numberToMatch") == number)
            let other = try await Self.session("r1", on: server)
            #expect(other.status == 404 && other.errorCode == -1401)
            let canceled = try await Self.session("r1", "DELETE", on: server, key: key)
            #expect(canceled.text("sessionStatus") == "refused" && canceled.text("declineReason") == "canceled")
            #expect(canceled.text("numberToMatch") == nil && canceled.json["riskResponseCode"] as? Int == 1)
        }
    }

    @Test func `a blocking login ends with timeout when no device answers`() async throws {
        let time = ManualTimeSource()
        try await TestServer.run(time: time) { server in
            async let answer = Self.login(#""timeout":"5""#, on: server)
            await time.sleepers(1)
            time.advance(seconds: 5)
            let ended = try await answer
            #expect(ended.text("sessionStatus") == "timeout" && ended.json["riskResponseCode"] as? Int == 1)
        }
    }

    @Test func `a blocking login ends when the application server cancels it from elsewhere`() async throws {
        try await TestServer.run { server in
            async let answer = Self.login(#""timeout":300,"requestID":"r""#, on: server)
            try await Patience.wait(for: "session") { try await Self.session("r", on: server).status != 404 }
            #expect(try await Self.session("r", "DELETE", on: server).status == 200)
            #expect(try await answer.text("declineReason") == "canceled")
            let ended = try await Self.session("r", "DELETE", on: server)
            #expect(ended.status == 200, "to cancel twice is no error")
        }
    }

    @Test func `a request id is refused while its request is pending, and names a later one after its end`()
        async throws
    {
        try await TestServer.run { server in
            #expect(try await Self.login(#""timeout":0,"requestID":"r""#, on: server).status == 200)
            let second = try await Self.login(#""timeout":0,"requestID":"r""#, on: server)
            #expect(second.status == 409 && second.errorCode == -1402)
            _ = try await Self.session("r", "DELETE", on: server)
            #expect(try await Self.session("r", on: server).text("sessionStatus") == "refused")
            let third = try await Self.login(#""timeout":0,"requestID":"r""#, on: server)
            #expect(third.status == 200 && third.text("sessionStatus") == "pending")
            #expect(try await Self.session("r", on: server).text("sessionStatus") == "pending")
        }
    }

    @Test(arguments: [
        // The hexadecimal form of a UUID's text, which has 72 digits.
        #""sessionID":"65343937613630382d633563332d346436652d613662382d663232613161653163393932""#,
        #""requestID":"65343937613630382d633563332d346436652d613662382d663232613161653163393932""#,
        #""sessionID":"\#(String(repeating: "s", count: 256))","requestID":"\#(String(repeating: "r", count: 256))""#,
    ])
    func `an id may have 256 bytes`(members: String) async throws {
        try await TestServer.run { server in
            let answer = try await Self.login(#""timeout":0,"# + members, on: server)
            #expect(answer.status == 200 && answer.text("sessionStatus") == "pending")
            let session = try await Self.session(#require(answer.text("requestID")), on: server)
            #expect(session.text("sessionStatus") == "pending")
        }
    }

    @Test func `a login that has ended can no longer be canceled`() async throws {
        let time = ManualTimeSource()
        try await TestServer.run(time: time) { server in
            #expect(try await Self.login(#""timeout":0,"requestID":"r""#, on: server).status == 200)
            time.advance(seconds: 120)
            let answer = try await Self.session("r", "DELETE", on: server)
            #expect(answer.status == 409 && answer.errorCode == -1403)
            #expect(try await Self.session("r", on: server).text("sessionStatus") == "timeout")
        }
    }

    @Test(arguments: [
        (#""timeout":301"#, "timeout"), (#""timeout":-1"#, "timeout"),
        (#""orchestrationDelivery":["email"]"#, "orchestrationDelivery"),
        (#""dataToDisplay":7"#, "dataToDisplay"),
        (#""dataToDisplay":[{"type":"amount","value":"1e5"}]"#, "dataToDisplay[0].value"),
        (#""dataToDisplay":[{"type":"text","value":"a"},{"type":"amount","value":"-1"}]"#, "dataToDisplay[1].value"),
        (#""dataToDisplay":[{"type":"amount","value":"1.234"},{"type":"currency","value":"EUR"}]"#, "dataToDisplay[0]"),
        (
            #""dataToDisplay":[{"type":"amount","value":"1"},{"type":"currency","value":"ZZZ"}]"#,
            "dataToDisplay[1].value"
        ),
        (#""dataToDisplay":[{"type":"amount","value":"1"}]"#, "dataToDisplay[0]"),
        (#""dataToDisplay":[{"type":"creditorAccount","value":"DE89370400440532013001"}]"#, "dataToDisplay[0].value"),
        (#""dataToDisplay":[{"type":"unknown","value":"x"}]"#, "dataToDisplay[0].type"),
        (#""dataToDisplay":[{"type":"field","value":"x"}]"#, "dataToDisplay[0].label"),
        (#""dataToDisplay":[{"type":"text","label":"x","value":"x"}]"#, "dataToDisplay[0].label"),
        (#""dataToDisplay":[{"type":"time","value":"yesterday"}]"#, "dataToDisplay[0].value"),
        (#""dataToDisplay":"AC\u200BME""#, "dataToDisplay[0]"), (#""dataToDisplay":"\u3164""#, "dataToDisplay[0]"),
        (#""dataToDisplay":"a\u202Eb""#, "dataToDisplay[0]"), (#""dataToDisplay":"a\u0007b""#, "dataToDisplay[0]"),
        (#""sessionID":"\#(String(repeating: "s", count: 257))""#, "sessionID"),
        (#""requestID":"\#(String(repeating: "r", count: 257))""#, "requestID"),
        (#""requestID":"a\u0000b""#, "requestID"), (#""sessionID":"a\u202Eb""#, "sessionID"),
    ])
    func `bad input is a 400 that names the field`(fields: String, name: String) async throws {
        try await TestServer.run { server in
            let answer = try await Self.login(fields, on: server)
            #expect(answer.status == 400 && answer.fields == [name])
        }
    }

    @Test func `sixteen fields are shown, and no more`() async throws {
        try await TestServer.run { server in
            func login(_ count: Int) async throws -> TestServer.Answer {
                let fields = Array(repeating: #"{"type":"text","value":"x"}"#, count: count).joined(separator: ",")
                return try await Self.login(#""timeout":0,"dataToDisplay":[\#(fields)]"#, on: server)
            }
            #expect(try await login(16).text("sessionStatus") == "pending")
            let more = try await login(17)
            #expect(more.status == 400 && more.fields == ["dataToDisplay"])
        }
    }

    @Test func `a cancellation may have a message and a payload within their limits`() async throws {
        try await TestServer.run { server in
            let payload = Base64URL.encode([UInt8](repeating: 7, count: 1_024))
            let bodies = [
                ("", nil), ("{}", nil), (#"{"message":null,"payload":null}"#, nil),
                (#"{"message":"\#(String(repeating: "é", count: 128))","payload":"\#(payload)"}"#, nil),
                (#"{"message":"\#(String(repeating: "é", count: 128))x"}"#, "message"), (#"{"message":""}"#, "message"),
                (#"{"message":" "}"#, "message"), (#"{"message":"a\nb"}"#, "message"),
                (#"{"message":"a\u202Eb"}"#, "message"), (#"{"message":"\u200B"}"#, "message"),
                (#"{"payload":""}"#, "payload"),
                (#"{"payload":"\#(payload)AAAA"}"#, "payload"), (#"{"payload":"?"}"#, "payload"),
                (#"{"message":7}"#, "message"),
            ]
            for (body, field) in bodies {
                let id = try #require(try await Self.login(on: server).text("requestID"))
                let answer = try await server.send(
                    "DELETE", "/v1/sessions/\(id)", body: Data(body.utf8),
                    headers: ["Authorization": "Bearer \(server.applicationKey)"])
                #expect(answer.status == (field == nil ? 200 : 400), "\(body.prefix(40))")
                #expect(answer.fields == (field.map { [$0] } ?? []), "\(body.prefix(40))")
                // A body that is refused cancels nothing.
                let state = try await Self.session(id, on: server).text("sessionStatus")
                #expect(state == (field == nil ? "refused" : "pending"), "\(body.prefix(40))")
            }
        }
    }

    @Test func `a notice for a refused answer is within its limits, for each kind of request`() async throws {
        let payload = Base64URL.encode([UInt8](repeating: 7, count: 1_024))
        let notices = [
            ("null", nil), ("{}", nil), (#"{"message":null,"payload":null}"#, nil),
            (#"{"message":"\#(String(repeating: "é", count: 128))","payload":"\#(payload)"}"#, nil),
            (#"{"message":"\#(String(repeating: "é", count: 128))x"}"#, "refusal.message"),
            (#"{"message":""}"#, "refusal.message"), (#"{"message":"a\u202Eb"}"#, "refusal.message"),
            (#"{"payload":"\#(payload)AA"}"#, "refusal.payload"), (#"{"payload":"?"}"#, "refusal.payload"),
            (#"{"payload":""}"#, "refusal.payload"), (#""text""#, "refusal"),
        ]
        let requests = [
            ("login", #""objectType":"LoginInput""#), ("events/validate", #""eventType":"x""#),
            (
                "transactions/validate",
                #""objectType":"TransactionInput","data":{"transactionMessage":{"dataFields":[{"key":{"text":"a"},"value":{"text":"b"}}]}}"#
            ),
        ]
        try await TestServer.run { server in
            for (path, fields) in requests {
                for (number, (notice, field)) in notices.enumerated() {
                    let body = #"{\#(fields),"timeout":0,"sourceID":"s","refusal":\#(notice)}"#
                    let answer = try await server.post("/v1/users/alice/\(path)", body)
                    #expect(answer.status == (field == nil ? 200 : 400), "\(path), \(number)")
                    #expect(answer.fields == (field.map { [$0] } ?? []), "\(path), \(number)")
                }
            }
        }
    }

    @Test func `an event is approved like a login`() async throws {
        try await TestServer.run { server in
            let body = #"{"eventType":"NewAddress","timeout":0,"dataToDisplay":"New address"}"#
            let answer = try await server.post("/v1/users/alice/events/validate", body)
            #expect(answer.text("sessionStatus") == "pending" && answer.json["riskResponseCode"] as? Int == 22)
            let without = try await server.post("/v1/users/alice/events/validate", #"{"timeout":0}"#)
            #expect(without.status == 400 && without.fields == ["eventType"])
            let secured = #"{"eventType":"x","timeout":0,"credentials":{"authenticator":{"OTP":"123456"}}}"#
            let refused = try await server.post("/v1/users/alice/events/validate", secured)
            #expect(refused.status == 400 && refused.fields == ["credentials"])
        }
    }

    @Test func `the pointer comes only where the caller wants it`() async throws {
        try await TestServer.run { server in
            for (deliveries, expected) in [
                (#"["pushNotification"]"#, false), (#"["requestMessage"]"#, true), ("[]", false),
                (#"["pushNotification","requestMessage"]"#, true),
            ] {
                let answer = try await Self.login(#""timeout":0,"orchestrationDelivery":\#(deliveries)"#, on: server)
                #expect((answer.text("requestMessage") != nil) == expected, "\(deliveries)")
            }
        }
    }

    @Test func `a stream does not open without its token`() async throws {
        try await TestServer.run { server in
            for headers in [
                [:], ["Authorization": "Bearer AAAAAAAAAAAAAAAAAAAAAA"], ["Authorization": "Bearer !"],
                ["Authorization": "Bearer \(server.applicationKey)"],
            ] {
                let answer = try await server.send("GET", "/v1/notifications/pull%3A00", headers: headers)
                #expect(answer.status == 401 && answer.errorCode == -1404)
            }
        }
    }
}
