import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

@Suite struct DecisionRecordTests {
    private static let id = [UInt8](repeating: 7, count: 16)

    private func record(_ situation: Situation, policy: Policy = .default) throws -> DecisionRecord {
        DecisionRecord(
            id: Self.id, account: try AccountName(userID: "alice", domain: "master"), situation: situation,
            decision: policy.decide(situation))
    }

    @Test(arguments: PolicyTableTests.rows)
    func `a record is read as it was written`(row: PolicyTableTests.Row) throws {
        let record = try record(row.situation)
        let bytes = record.encoded
        #expect(try DecisionRecord(decoding: bytes) == record)
        #expect(try DecisionRecord(decoding: bytes).encoded == bytes)
        #expect(bytes.count <= DecisionRecord.maximumBytes)
        #expect(record.decision.rule == row.rule)
    }

    @Test func `a login without a number says so`() throws {
        let record = try record(Situation(.login, at: PolicyTableTests.start))
        #expect(try DecisionRecord(decoding: record.encoded).decision.number == .notShown)
        let shown = try self.record(Situation(.login, at: PolicyTableTests.start, showsNumbers: true))
        #expect(try DecisionRecord(decoding: shown.encoded).decision.number == .required)
    }

    @Test func `a method that no device has is named`() throws {
        let situation = Situation(
            .transaction, at: PolicyTableTests.start, amount: PolicyTableTests.amount("1 EUR"),
            creditor: .known, availableMethods: [.password])
        #expect(try record(situation).decision.unavailableMethod == .possession)
    }

    @Test func `the longest record is within the bound`() throws {
        let longest = try required(
            PolicyRule(
                String(repeating: "r", count: 64),
                then: .challenge(
                    try required(
                        PolicyRequirement(
                            .face, digits: 8, rejectsWithPossession: true, fallbacks: [.biometric, .password])))))
        let policy = try required(
            Policy(name: String(repeating: "p", count: 64), transactions: try required(PolicyRules([longest]))))
        var risk = RiskState()
        for _ in 0..<16 { risk.record(.rejected(.canceled), at: PolicyTableTests.start, policy: policy) }
        let situation = Situation(
            .transaction, at: Timestamp(millisecondsSinceEpoch: .max),
            type: String(repeating: "\u{1F469}\u{200D}\u{1F680}", count: 100),
            amount: MonetaryAmount(minorUnits: .max, currency: .eur), showsNumbers: true,
            availableMethods: [.biometric],
            risk: risk)
        let account = try AccountName(
            userID: String(repeating: "\u{10348}", count: 32), domain: String(repeating: "d", count: 64))
        let record = DecisionRecord(
            id: Self.id, account: account, situation: situation, decision: policy.decide(situation))
        #expect(record.encoded.count <= DecisionRecord.maximumBytes)
        #expect(record.encoded.count > 450)
        #expect(try DecisionRecord(decoding: record.encoded) == record)
        #expect((1...64).contains(record.summary.type?.utf8.count ?? 0))
    }

    @Test func `a record has no address, no fingerprint and no device data`() throws {
        let situation = Situation(
            .login, at: PolicyTableTests.start, address: NetworkAddress("203.0.113.77"), browser: .new,
            deviceData: ["serial": "4711-0815"])
        let text = String(decoding: try record(situation).encoded, as: UTF8.self)
        #expect(!text.contains("4711") && !text.contains("serial"))
        var dumped = ""
        dump(try record(situation), to: &dumped)
        #expect(!dumped.contains("4711") && !dumped.contains("\(NetworkAddress("203.0.113.77")?.bits ?? 0)"))
    }

    @Test func `bytes of another form are refused`() throws {
        let situation = Situation(
            .typedCode(application: .app3, method: .password), at: PolicyTableTests.start, type: "x",
            amount: PolicyTableTests.amount("5 EUR"))
        let bytes = try record(situation).encoded
        for cut in bytes.truncations { #expect(throws: WireError.self) { try DecisionRecord(decoding: cut) } }
        #expect(throws: WireError(.trailingBytes)) { try DecisionRecord(decoding: bytes + [0]) }
        for flipped in bytes.bitFlips {
            guard let other = try? DecisionRecord(decoding: flipped) else { continue }
            #expect(other.encoded == flipped)
        }
        let long = [UInt8](repeating: 0, count: DecisionRecord.maximumBytes + 1)
        #expect(throws: WireError(.tooLarge)) { try DecisionRecord(decoding: long) }
    }
}
