import Foundation
import Primitives
import Testing

@testable import TrustedIdentity

/// The records of decisions, as administrators see them.
@Suite struct ServerDecisionTests {
    private static func show(
        _ id: String, on server: TestServer, key: String? = nil
    ) async throws -> TestServer.Answer {
        try await server.send(
            "GET", "/v1/decisions/\(id)",
            headers: ["Authorization": "Bearer \(key ?? server.administratorKey)"])
    }

    /// Asks for the approval of a payment, and returns the id of its decision.
    private static func pay(_ members: String, on server: TestServer) async throws -> String {
        let body = #""objectType":"TransactionInput","timeout":0,"requestID":"p","data":\#(ServerPaymentTests.message)"#
        let answer = try await server.post(ServerPaymentTests.path, "{\(body),\(members)}")
        #expect(answer.text("sessionStatus") != nil)
        let newest = try await server.platform.store.read { try $0.policyDecisions(of: "alice@master", limit: 1) }
        return Hex.encode(try #require(newest.first).id)
    }

    @Test func `an administrator sees the rule, and what the platform knew`() async throws {
        try await TestServer.run { server in
            let id = try await Self.pay(
                #""amount":"1500","currency":"EUR","transactionType":"sepa","creditorName":"ACME""#, on: server)
            let answer = try await Self.show(id, on: server)
            #expect(answer.status == 200 && answer.text("decisionID") == id && answer.text("user") == "alice@master")
            let situation = try #require(answer.json["situation"] as? [String: Any])
            #expect(situation["request"] as? String == "transaction" && situation["type"] as? String == "sepa")
            #expect(situation["amount"] as? String == "1500.00" && situation["currency"] as? String == "EUR")
            #expect(situation["creditor"] as? String == "new" && situation["browser"] as? String == "unnamed")
            #expect(situation["isSourceKnown"] as? Bool == false && situation["isStrict"] as? Bool == false)
            let decision = try #require(answer.json["decision"] as? [String: Any])
            #expect(decision["rule"] as? String == "large amount" && decision["outcome"] as? String == "challenge")
            #expect(decision["method"] as? String == "password" && decision["number"] as? String == "notShown")
            #expect(decision["riskResponseCode"] as? Int == 22 && decision["pushes"] as? String == "allowed")
        }
    }

    @Test func `the record says which method no device has`() async throws {
        let requirement = try #require(PolicyRequirement(.face, fallbacks: [.biometric, .password]))
        let rule = try #require(PolicyRule("by face", then: .challenge(requirement)))
        let rules = try #require(PolicyRules([rule]))
        let policy = try #require(Policy(name: "faces", transactions: rules))
        try await TestServer.run(PlatformConfiguration(policy: policy)) { server in
            _ = try await server.post("/v1/users/register", ServerEndpointTests.registration)
            try await server.platform.store.write { store in
                var device = DeviceRecord(
                    id: [UInt8](repeating: 1, count: 16), account: "alice@master", registrationID: "r",
                    serialNumber: "TI0000000001", createdAt: Timestamp(secondsSinceEpoch: 1),
                    pendingUntil: Timestamp(secondsSinceEpoch: 2), name: "phone", sdkVersion: "1", methods: [0, 1],
                    deviceKey: [UInt8](repeating: 2, count: 33), suite: 1,
                    promotedAt: Timestamp(secondsSinceEpoch: 1))
                (device.state, device.activatedAt) = (.active, device.createdAt)
                try requireWritten(store.insert(device))
            }
            let id = try await Self.pay(#""accountRef":"x""#, on: server)
            let decision = try #require(try await Self.show(id, on: server).json["decision"] as? [String: Any])
            #expect(decision["policy"] as? String == "faces" && decision["rule"] as? String == "by face")
            #expect(decision["unavailableMethod"] as? String == "face" && decision["method"] as? String == "password")
            #expect(decision["fallbacks"] as? [String] == ["biometric"] && decision["digits"] as? Int == 0)
        }
    }

    @Test func `the audit log names the record`() async throws {
        try await TestServer.run { server in
            let id = try await Self.pay(#""amount":"5","currency":"EUR""#, on: server)
            let entries = try await server.platform.audit(limit: 1)
            #expect(entries.first?.decision.map(Hex.encode) == id)
        }
    }

    @Test func `a key of an application server opens no record, and an unknown id is an error`() async throws {
        try await TestServer.run { server in
            let id = try await Self.pay(#""amount":"5","currency":"EUR""#, on: server)
            let refused = try await Self.show(id, on: server, key: server.applicationKey)
            #expect(refused.status == 403 && refused.errorCode == -1052)
            for other in ["none", String(repeating: "0", count: 32), id + "00", String(id.dropLast(2))] {
                let answer = try await Self.show(other, on: server)
                #expect(answer.status == 404 && answer.errorCode == -1500 && answer.text("errorCategory") == "risk")
            }
        }
    }

    @Test func `a record instead of another one is an error`() async throws {
        try await TestServer.run { server in
            let id = try await Self.pay(#""amount":"5","currency":"EUR""#, on: server)
            try await server.platform.store.write { store in
                var row = try #require(try store.policyDecisions(of: "alice@master", limit: 1).first)
                row.id = [UInt8](repeating: 5, count: 16)
                try requireWritten(store.insert(row))
                (row.id, row.account) = ([UInt8](repeating: 6, count: 16), "bob@master")
                try requireWritten(store.insert(row))
            }
            #expect(try await Self.show(id, on: server).status == 200)
            for other in ["05", "06"] {
                let answer = try await Self.show(String(repeating: other, count: 16), on: server)
                #expect(answer.status == 500 && answer.errorCode == -1008)
            }
        }
    }
}
