import Foundation
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// Transactions that a device approves: the message that the user sees, and what the application server says of the
/// payment.
@Suite struct ServerPaymentTests {
    static let path = "/v1/users/alice/transactions/validate"
    static let message = #"{"transactionMessage":{"dataFields":[{"key":{"text":"Invoice"},"value":{"text":"4711"}}]}}"#
    static let account = "DE89370400440532013000"

    /// Sends a transaction.
    ///
    /// - Parameters:
    ///   - members: Members of the body beside the data.
    ///   - data: The member of the data.
    private static func send(
        _ members: String = "", data: String = message, on server: TestServer, key: String? = nil
    ) async throws -> TestServer.Answer {
        // Of two members with one name, the first one counts.
        let members = (members.isEmpty ? "" : "\(members),") + #""timeout":0"#
        return try await server.post(
            path, #"{"objectType":"TransactionValidationInput","data":\#(data),\#(members)}"#, key: key)
    }

    /// Returns a message with fields of a label and a value.
    private static func data(_ fields: [(String, String)]) throws -> String {
        let fields = fields.map { ["key": ["text": $0.0], "value": ["text": $0.1]] }
        let data = ["transactionMessage": ["dataFields": fields]]
        return String(decoding: try JSONSerialization.data(withJSONObject: data), as: UTF8.self)
    }

    /// Returns what the user of a request sees.
    private static func shown(_ answer: TestServer.Answer, on server: TestServer) async throws -> [DisplayField] {
        let pending = try await server.platform.store.read { try $0.pendingApprovals(of: "alice@master") }
        let record = try #require(pending.first { $0.requestID == answer.text("requestID") })
        return try ApprovalRequestContent(decoding: Sign1(decoding: record.request).payload).display.fields
    }

    @Test func `a request has the name of the API key, which no member of a body changes`() async throws {
        try await TestServer.run { server in
            for name in ["Bank", "Shop"] {
                let key = try await server.platform.createAPIKey(scope: .applicationServer, name: name)
                let answer = try await server.post(
                    "/v1/users/alice/login",
                    #"{"objectType":"LoginInput","timeout":0,"requestID":"\#(name)","principal":{"name":"Other"}}"#,
                    key: key.secret)
                #expect(answer.status == 200)
                let pending = try await server.platform.store.read { try $0.pendingApprovals(of: "alice@master") }
                let record = try #require(pending.first { $0.requestID == name })
                let content = try ApprovalRequestContent(decoding: Sign1(decoding: record.request).payload)
                #expect(try content.principal == ApprovalPrincipal(id: key.id, name: name))
            }
        }
    }

    @Test func `a transaction without a wait is pending, with what the user sees`() async throws {
        try await TestServer.run { server in
            let answer = try await Self.send(on: server)
            #expect(answer.status == 200 && answer.text("sessionStatus") == "pending")
            #expect(answer.json["riskResponseCode"] as? Int == 22)
            #expect(answer.text("requestID")?.count == 32 && answer.text("requestMessage") != nil)
            #expect(try await Self.shown(answer, on: server) == [.field(label: "Invoice", value: "4711")])
        }
    }

    @Test func `what the caller says of the payment is shown, typed and first, and decides`() async throws {
        try await TestServer.run { server in
            let members = #"""
                "amount":"25.00","currency":"EUR","creditorName":"ACME","creditorIBAN":"\#(Self.account)",
                "dataToDisplay":[{"type":"remittance","value":"Thank you"}],"transactionType":"sepa","accountRef":"a1",
                "creditorBank":"COBADEFF","debtorIBAN":"FR1420041010050500013M02606"
                """#
            let answer = try await Self.send(members, on: server)
            let expected: [DisplayField] = [
                .amount(try Amount("25.00")), .currency(try Currency("EUR")), .creditor("ACME"),
                .creditorAccount(try IBAN(Self.account)), .remittance("Thank you"),
                .field(label: "Invoice", value: "4711"),
            ]
            #expect(try await Self.shown(answer, on: server) == expected)
            // The creditor is new: the password, although the amount is small.
            #expect(answer.json["riskResponseCode"] as? Int == 22)
            // So it is where none is named, and where there is text that the policy does not read.
            let small = try await Self.send(#""amount":25,"currency":"EUR""#, on: server)
            #expect(small.json["riskResponseCode"] as? Int == 22)
            let decisions = try await server.platform.store.read {
                try $0.policyDecisions(of: "alice@master", limit: 2).map { try DecisionRecord(decoding: $0.record) }
            }
            #expect(Set(decisions.map(\.decision.rule)) == ["new creditor", "unnamed creditor"])
            #expect(decisions.contains { $0.summary.type == "sepa" })
            #expect(decisions.allSatisfy { $0.summary.amount?.description == "25.00 EUR" })
        }
    }

    @Test func `what the user sees anyway is not shown twice`() async throws {
        try await TestServer.run { server in
            let display = #"""
                "dataToDisplay":[{"type":"amount","value":"10"},{"type":"currency","value":"EUR"},
                {"type":"creditor","value":"ACME"},{"type":"creditorAccount","value":"\#(Self.account)"}]
                """#
            let same = #""amount":10.00,"currency":"EUR","creditorName":"ACME","creditorIBAN":"\#(Self.account)""#
            let answer = try await Self.send("\(display),\(same)", on: server)
            #expect(try await Self.shown(answer, on: server).count == 5)
            for (field, other) in [
                ("amount", #""amount":"11","currency":"EUR""#), ("amount", #""amount":"10","currency":"USD""#),
                ("creditorName", #""creditorName":"Acme""#),
                ("creditorIBAN", #""creditorIBAN":"FR1420041010050500013M02606""#),
            ] {
                let refused = try await Self.send("\(display),\(other)", on: server)
                #expect(refused.status == 400 && refused.fields == [field], "\(other)")
            }
        }
    }

    @Test func `a number is shown in its decimal form, and empty texts count as absent`() async throws {
        try await TestServer.run { server in
            for (number, text) in [("10.50", "10.5"), ("1e5", "100000"), ("100", "100"), ("0.07", "0.07")] {
                let answer = try await Self.send(#""amount":\#(number),"currency":"EUR""#, on: server)
                #expect(try await Self.shown(answer, on: server).first == .amount(try Amount(text)))
            }
            let empty = #""amount":"","currency":"","creditorName":"","creditorIBAN":"","debtorIBAN":"""#
            #expect(try await Self.shown(try await Self.send(empty, on: server), on: server).count == 1)
        }
    }

    static let fieldRows: [(fields: [(String, String)], path: String)] = [
        (Array(repeating: ("a", "b"), count: 17), "data.transactionMessage.dataFields"),
        ([("a", "b"), (String(repeating: "k", count: 65), "b")], "data.transactionMessage.dataFields[1].key.text"),
        ([("a", String(repeating: "v", count: 257))], "data.transactionMessage.dataFields[0].value.text"),
        ([("", "b")], "data.transactionMessage.dataFields[0].key.text"),
        ([(" ", "b")], "data.transactionMessage.dataFields[0].key.text"),
        ([("a", "b\u{7}")], "data.transactionMessage.dataFields[0].value.text"),
        ([("a", "b\u{E0061}c")], "data.transactionMessage.dataFields[0].value.text"),
        ([("a", "b\u{202E}c")], "data.transactionMessage.dataFields[0].value.text"),
        ([("a\u{2066}", "b")], "data.transactionMessage.dataFields[0].key.text"),
        ([("a", "b"), ("a", "line\nline")], "data.transactionMessage.dataFields[1].value.text"),
        ([("a", "e\u{301}")], "data.transactionMessage.dataFields[0].value.text"),
        // 16 fields of the maximum length have more than 4,096 bytes.
        (
            Array(repeating: (String(repeating: "k", count: 64), String(repeating: "v", count: 256)), count: 16),
            "data.transactionMessage.dataFields"
        ),
        ([], "data.transactionMessage.dataFields"),
    ]

    @Test func `fields outside their limits are a 400 that names them`() async throws {
        try await TestServer.run { server in
            for (fields, path) in Self.fieldRows {
                let answer = try await Self.send(data: try Self.data(fields), on: server)
                #expect(answer.status == 400 && answer.errorCode == -1001 && answer.fields == [path], "\(path)")
                #expect(!String(decoding: answer.body, as: UTF8.self).contains("kkkk"))
            }
            let longest = try Self.data([(String(repeating: "é", count: 64), String(repeating: "é", count: 256))])
            #expect(try await Self.send(data: longest, on: server).text("sessionStatus") == "pending")
            let most = try Self.data(Array(repeating: ("a", ""), count: 16))
            #expect(try await Self.send(data: most, on: server).text("sessionStatus") == "pending")
            // The typed fields count, too.
            let more = try await Self.send(#""amount":"1","currency":"EUR""#, data: most, on: server)
            #expect(more.status == 400 && more.fields == ["data.transactionMessage.dataFields"])
        }
    }

    @Test(arguments: [
        (#""amount":"1e5","currency":"EUR""#, "amount"), (#""amount":"-1","currency":"EUR""#, "amount"),
        (#""amount":-1,"currency":"EUR""#, "amount"), (#""amount":"1.234","currency":"EUR""#, "amount"),
        (#""amount":1.234,"currency":"EUR""#, "amount"), (#""amount":"1.5","currency":"JPY""#, "amount"),
        (#""amount":"007","currency":"EUR""#, "amount"), (#""amount":".5","currency":"EUR""#, "amount"),
        (#""amount":"10 EUR""#, "amount"), (#""amount":"1","currency":"ZZZ""#, "currency"),
        (#""amount":"1","currency":"eur""#, "currency"), (#""currency":"XAU""#, "currency"),
        (#""amount":"1""#, "currency"), (#""creditorIBAN":"DE89370400440532013001""#, "creditorIBAN"),
        (#""creditorIBAN":"DE89-3704-0044-0532-0130-00""#, "creditorIBAN"), (#""creditorIBAN":"DE89""#, "creditorIBAN"),
        (#""debtorIBAN":"DE89370400440532013001""#, "debtorIBAN"), (#""creditorName":"a\u202Eb""#, "creditorName"),
        (#""creditorName":"a\u0000b""#, "creditorName"), (#""creditorName":"\#(long)""#, "creditorName"),
        (#""creditorName":" ""#, "creditorName"),
        (#""orchestrationDelivery":["email"]"#, "orchestrationDelivery"),
        (#""credentials":{"passKey":"x"}"#, "credentials"),
        (#""requestID":"\#(longID)""#, "requestID"), (#""sessionID":"\#(longID)""#, "sessionID"),
    ])
    func `a payment that is not one is a 400 that names the field`(members: String, field: String) async throws {
        try await TestServer.run { server in
            let answer = try await Self.send(members, on: server)
            #expect(answer.status == 400 && answer.errorCode == -1001 && answer.fields == [field])
        }
    }

    private static let long = String(repeating: "x", count: 141)
    private static let longID = String(repeating: "x", count: 257)

    @Test(arguments: [
        (#"{"transactionMessage":{"dataFields":[]},"standard":{"dataFields":["1"],"signature":"1"}}"#, "data.standard"),
        (#"{"transactionMessage":{}}"#, "data.transactionMessage.dataFields"),
        (#"{"transactionMessage":{"dataFields":["1"]}}"#, "data.transactionMessage.dataFields[0]"),
        (
            #"{"transactionMessage":{"dataFields":[{"key":{"text":"a"}}]}}"#,
            "data.transactionMessage.dataFields[0].value"
        ),
        (
            #"{"transactionMessage":{"dataFields":[{"value":{"text":"a"}}]}}"#,
            "data.transactionMessage.dataFields[0].key"
        ),
        (
            #"{"transactionMessage":{"dataFields":[{"key":{"text":7},"value":{"text":"a"}}]}}"#,
            "data.transactionMessage.dataFields[0].key.text"
        ),
        (#"{"transactionMessage":"x"}"#, "data.transactionMessage"),
    ])
    func `data of another form is a 400 that names it`(data: String, field: String) async throws {
        try await TestServer.run { server in
            let answer = try await Self.send(data: data, on: server)
            #expect(answer.status == 400 && answer.fields == [field])
        }
    }

    @Test func `a transaction that waits ends with the cancellation, and its number is for the site`() async throws {
        try await TestServer.run { server in
            let key = try await server.platform.createAPIKey(
                scope: .applicationServer, name: "site", showsNumbers: true
            ).secret
            async let waiting = server.post(
                Self.path,
                #"""
                {"objectType":"AdaptiveTransactionInput","timeout":"300","requestID":"t-1","data":\#(Self.message),
                "amount":"1000","currency":"EUR","orchestrationDelivery":["pushNotification"]}
                """#, key: key)
            let headers = ["Authorization": "Bearer \(key)"]
            var asked = try await server.send("GET", "/v1/sessions/t-1", headers: headers)
            while asked.status == 404 {
                try await Task.sleep(for: .milliseconds(1))
                asked = try await server.send("GET", "/v1/sessions/t-1", headers: headers)
            }
            #expect(asked.text("sessionStatus") == "pending" && asked.text("numberToMatch")?.count == 6)
            _ = try await server.send("DELETE", "/v1/sessions/t-1", headers: headers)
            let ended = try await waiting
            #expect(ended.text("requestID") == "t-1" && ended.text("sessionStatus") == "refused")
            #expect(ended.text("declineReason") == "canceled" && ended.text("requestMessage") == nil)
            #expect(ended.text("numberToMatch") == nil && ended.json["riskResponseCode"] as? Int == 1)
        }
    }
}
