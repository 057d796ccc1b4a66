import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The origin of entries of the audit log, and the subject that stands for an account.
@Suite struct AuditOriginTests {
    @Test func `an entry has the actor, the correlation id and the address of its caller`() async throws {
        let harness = try await Harness()
        let origin = AuditOrigin(actor: .apiKey("k1"), correlationID: "row-1", address: "2001:DB8:0:0::1%eth0")
        let caller = harness.platform.acting(for: origin)
        _ = try await caller.register(.init(account: Harness.account()))
        let entry = try #require(try await harness.events(.registered).first)
        #expect(entry.actor == .apiKey("k1") && entry.actor?.rawValue == "api-key:k1")
        #expect(entry.correlationID == "row-1" && entry.address == "2001:db8::1")
        #expect(entry.account == Harness.alice && entry.subject?.count == 16)
        // The platform from which the caller's was made acts for itself.
        try await harness.platform.liftBlocks(of: Harness.account())
        let lifted = try #require(try await harness.events(.throttleLifted).first)
        #expect(lifted.actor == .platform && lifted.correlationID == nil && lifted.address == nil)
    }

    @Test func `a device is the actor of what it has proven, and a stranger of what it has not`() async throws {
        let harness = try await Harness()
        let phone = try await harness.activate()
        let device = AuditActor.device(phone.id)
        #expect(device.rawValue == "device:" + Hex.encode(phone.id))
        for event in [AuditEvent.activationKeyed, .activationProven, .activationCompleted] {
            #expect(try await harness.events(event).map(\.actor) == [device], "\(event)")
        }
        let caller = harness.platform.acting(for: AuditOrigin(actor: .stranger, address: "192.0.2.1"))
        _ = try await caller.login(.init(account: Harness.account(), credential: .oneTimePassword("00000000")))
        let refused = try #require(try await harness.events(.loginRefused).first)
        #expect(refused.actor == .stranger && refused.address == "192.0.2.1")
    }

    @Test func `a sweep is the act of the platform`() async throws {
        let harness = try await Harness()
        _ = try await harness.activate()
        _ = try await harness.requestLogin()
        harness.time.advance(seconds: 121)
        let caller = harness.platform.acting(for: AuditOrigin(actor: .apiKey("k1"), correlationID: "row-1"))
        try await caller.sweep(now: harness.time.now())
        let ended = try #require(try await harness.events(.approvalEnded).first)
        #expect(ended.reason == "expired" && ended.actor == .platform && ended.correlationID == nil)
    }

    @Test func `the entries about an approval name the record of its decision`() async throws {
        let harness = try await Harness()
        let phone = try await harness.activate()
        let report = try await harness.requestLogin()
        try await phone.decide(.approved, on: report, with: harness)
        let canceled = try await harness.requestLogin()
        _ = try await harness.platform.cancelApproval(requestID: canceled.requestID)
        let decision = try #require(report.decision)
        #expect(decision.count == 16)
        #expect(try await harness.events(.approvalAnswered).map(\.decision) == [decision])
        #expect(try await harness.events(.approvalRequested).map(\.decision) == [canceled.decision, decision])
        #expect(try await harness.events(.approvalEnded).map(\.decision) == [canceled.decision])
        #expect(try await harness.platform.decision(decision)?.account == Harness.alice)
    }

    @Test(arguments: [
        "", "a b", "a\n", "caf\u{E9}", "\u{0}", "a/b", "{}", String(repeating: "a", count: 65), "\u{202E}x",
    ])
    func `a correlation id that is not safe in a log is left out`(id: String) {
        #expect(!AuditOrigin.isSafe(correlationID: id))
        #expect(AuditOrigin(actor: .stranger, correlationID: id).correlationID == nil)
    }

    @Test func `a correlation id of letters, digits, hyphens, underscores and dots is kept`() {
        for id in ["a", "A-z_0.9", String(repeating: "a", count: 64)] {
            #expect(AuditOrigin(actor: .stranger, correlationID: id).correlationID == id)
        }
    }

    @Test(
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:0DB8:0000::0001", "2001:db8::1"),
            ("fe80::1%eth0", "fe80::1"), ("::", "::"), ("local", nil), ("", nil), ("192.0.2.1:80", nil),
            ("192.0.2.1\u{0}x", nil), ("<script>", nil),
        ] as [(String, String?)])
    func `an address has one text, and a text that is no address is left out`(text: String, address: String?) {
        #expect(AuditOrigin(actor: .stranger, address: text).address == address)
        // The limits count one network for both texts.
        if let address { #expect(AddressNetwork(text) == AddressNetwork(address)) }
    }

    @Test func `the entries of a removed account have its subject and no name, and a new account has another one`()
        async throws
    {
        let harness = try await Harness()
        _ = try await harness.register()
        _ = try await harness.register()
        let before = try await harness.platform.audit(of: Harness.account(), limit: 100)
        #expect(before.count == 2 && Set(before.map(\.subject)).count == 1)
        try await harness.platform.unregister(Harness.account())
        let entries = try await harness.platform.audit(limit: 100)
        #expect(entries.count == 3 && entries.allSatisfy { $0.account == nil && $0.subject == before[0].subject })
        #expect(try await harness.platform.audit(of: Harness.account(), limit: 100).isEmpty)
        #expect(!String(decoding: try await harness.exportAudit(), as: UTF8.self).contains("alice"))
        _ = try await harness.register()
        let after = try await harness.platform.audit(of: Harness.account(), limit: 100)
        #expect(after.count == 1 && after[0].subject != before[0].subject && after[0].account == Harness.alice)
    }
}
