import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// Which approval requests a newer one replaces.
@Suite struct ApprovalPendingTests {
    let harness: Harness
    let phone: Authenticator

    init() async throws {
        harness = try await Harness()
        phone = try await harness.activate()
    }

    /// Makes logins of sources, a millisecond apart.
    private func logins(_ sources: [String?], address: String? = nil) async throws -> [ApprovalReport] {
        var reports: [ApprovalReport] = []
        for source in sources {
            harness.time.advance(milliseconds: 1)
            reports.append(try await harness.requestLogin(source: source, address: address))
        }
        return reports
    }

    private func statuses(_ reports: [ApprovalReport]) async throws -> [ApprovalReport.Status] {
        var statuses: [ApprovalReport.Status] = []
        for report in reports { statuses.append(try await harness.status(of: report).status) }
        return statuses
    }

    private func pay(_ requestID: String, address: String?, source: String? = nil) async throws -> ApprovalReport {
        let display = try DisplayData([.amount(Amount("50")), .currency(Currency("EUR")), .creditor("ACME")])
        return try await harness.platform.requestApproval(
            ApprovalParameters(
                .transaction, of: Harness.account(), display: display, requestID: requestID,
                risk: RiskInput(source: source, address: address.flatMap { NetworkAddress($0) })))
    }

    @Test func `three browsers do not lock out the fourth, which replaces the oldest login`() async throws {
        let three = try await logins(["a", "b", "c"])
        let fourth = try await harness.requestLogin(source: "d")
        #expect(fourth.status == .pending)
        #expect(try await statuses(three) == [.refused, .pending, .pending])
        #expect(try await harness.status(of: three[0]).declineReason == .replaced)
        #expect(try await phone.decide(.approved, on: fourth, with: harness).receipt != nil)
    }

    @Test func `a login that a device has opened is replaced after those that none has, and after a minute`()
        async throws
    {
        let three = try await logins(["a", "b", "c"])
        _ = try await phone.fetch(three[0], from: harness)
        #expect(try await harness.requestLogin(source: "d").status == .pending)
        #expect(try await statuses(three) == [.pending, .refused, .pending])
        harness.time.advance(seconds: 1)
        let pending = try await harness.pending()
        for record in pending where record.openedAt == nil {
            _ = try await phone.send(.approvalFetch(id: record.id), to: harness)
        }
        harness.time.advance(milliseconds: 58_999)
        let early = try await harness.requestLogin(source: "e")
        #expect(early.status == .refused && early.declineReason == .tooManyPending && early.id == nil)
        harness.time.advance(milliseconds: 1)
        #expect(try await harness.requestLogin(source: "e").status == .pending)
        #expect(try await statuses(three) == [.refused, .refused, .pending])
        // The other two were opened a second later.
        let last = try #require(try await harness.pending().last)
        _ = try await phone.send(.approvalFetch(id: last.id), to: harness)
        let next = try await harness.requestLogin(source: "f")
        #expect(next.declineReason == .tooManyPending)
    }

    @Test func `a known source replaces a stranger's login, and none of a known source`() async throws {
        try await phone.decide(.approved, on: harness.requestLogin(source: "home"), with: harness)
        let strangers = try await logins(["a", "b", "c"])
        for report in strangers { _ = try await phone.fetch(report, from: harness) }
        let known = try await harness.requestLogin(source: "home")
        #expect(known.status == .pending)
        #expect(try await statuses(strangers) == [.refused, .pending, .pending])
        _ = try await logins(["d", "e", "f", "g"])
        #expect(try await harness.status(of: known).status == .pending)
    }

    @Test(arguments: [true, false])
    func `a flood does not replace the login that the user has opened within a minute`(isOneAddress: Bool) async throws
    {
        let own = try await harness.requestLogin(address: "198.51.100.7")
        let approval = try await phone.fetch(own, from: harness)
        for number in 0..<59 {
            harness.time.advance(seconds: 1)
            let address = isOneAddress ? "192.0.2.1" : "192.0.2.\(number)"
            _ = try await harness.requestLogin(source: number % 2 == 0 ? nil : "\(number)", address: address)
            _ = try await harness.requestLogin("unknown\(number)", address: address)
        }
        #expect(try await harness.status(of: own).status == .pending)
        let answer = try await phone.answer(approval, .approved, with: harness)
        #expect(try await phone.send(answer, to: harness).receipt != nil)
    }

    @Test func `a flood from one address replaces itself, also before the user has opened the login`() async throws {
        let flood = try await logins(["a", "b"], address: "2001:db8::1")
        let own = try await harness.requestLogin(address: "198.51.100.7")
        for number in 0..<20 {
            harness.time.advance(seconds: 1)
            let report = try await harness.requestLogin(source: "\(number)", address: "2001:db8::\(number)")
            #expect(report.status == .pending)
        }
        #expect(try await statuses(flood) == [.refused, .refused])
        #expect(try await harness.status(of: own).status == .pending)
        #expect(try await harness.pending().count == 3)
    }

    @Test func `three requests of one address wait, and no more, unless the source is known`() async throws {
        try await phone.decide(.approved, on: harness.requestLogin(source: "home"), with: harness)
        for number in 1...3 { #expect(try await pay("\(number)", address: "192.0.2.1").status == .pending) }
        #expect(try await pay("4", address: "192.0.2.1").declineReason == .tooManyPending)
        #expect(try await harness.requestLogin(address: "192.0.2.1").declineReason == .tooManyPending)
        #expect(try await pay("5", address: "192.0.2.1", source: "home").status == .pending)
        #expect(try await harness.requestLogin(source: "home", address: "192.0.2.1").status == .pending)
        #expect(try await pay("6", address: "192.0.2.2").status == .pending)
        #expect(try await pay("7", address: nil).status == .pending)
        #expect(try await harness.requestLogin("bob", address: "192.0.2.1").status == .pending)
        harness.time.advance(seconds: 121)
        #expect(try await pay("8", address: "192.0.2.1").status == .pending)
    }

    @Test func `requests without source and session do not share one`() async throws {
        let reports = try await logins([nil, nil, nil])
        #expect(try await statuses(reports) == [.pending, .pending, .pending])
        // A session stands for a source that is unknown, and so does each of two sessions.
        let first = try await harness.requestLogin("bob", session: "s")
        let other = try await harness.requestLogin("bob", session: "t")
        #expect(try await harness.requestLogin("bob", session: "s").status == .pending)
        #expect(try await statuses([first, other]) == [.refused, .pending])
    }

    @Test func `the store has no address, and the source is known without it`() async throws {
        let report = try await harness.requestLogin(source: "home", address: "198.51.100.7")
        let record = try await harness.record(of: report)
        #expect(record.source.count == 64 && record.address.count == 16)
        let unnamed = try await harness.record(of: harness.requestLogin("bob"))
        #expect(unnamed.source.isEmpty && unnamed.address.isEmpty)
        let hashes = harness.platform.hashes
        let address = try #require(NetworkAddress("198.51.100.7"))
        #expect(hashes.stored(address: address, of: Harness.alice) == record.address)
        #expect(hashes.stored(address: address, of: "bob@master") != record.address)
        try await phone.decide(.approved, on: report, with: harness)
        let known = try await harness.store.read { try $0.throttles(of: Harness.alice).map(\.key.source) }
        #expect(known.contains(record.source))
    }

    @Test func `an IPv6 network has one hash, and an IPv4 address has its own`() throws {
        let hashes = harness.platform.hashes
        func hash(_ text: String) throws -> String {
            hashes.stored(address: try #require(NetworkAddress(text)), of: Harness.alice)
        }
        #expect(try hash("2001:db8::1") == hash("2001:db8::ffff:1"))
        #expect(try hash("2001:db8::1") != hash("2001:db8:0:1::1"))
        #expect(try hash("192.0.2.1") != hash("192.0.2.2"))
        #expect(try hash("192.0.2.1") == hash("::ffff:192.0.2.1"))
    }
}
