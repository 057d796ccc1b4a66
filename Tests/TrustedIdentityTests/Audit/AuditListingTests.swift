import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The bound on entries that strangers can cause.
@Suite struct AuditListingTests {
    static let tries = 10_000

    /// Settles wrong static passwords, without the work of hashing them.
    ///
    /// - Returns: The numbers of listed refusals by their account, and the count of all.
    private func refuse(
        _ names: [String], on harness: Harness
    ) async throws -> (listed: [String?: Int], counted: Int) {
        let accounts = try names.map { try Harness.account($0) }
        let now = harness.time.now()
        for batch in stride(from: 0, to: accounts.count, by: 500) {
            try await harness.platform.store.write {
                [hashes = harness.platform.hashes] store in
                for account in accounts[batch..<min(batch + 500, accounts.count)] {
                    let read = try LoginAccount(
                        account, kind: .staticPassword, source: nil, hashes: hashes, now: now, in: store)
                    let decision = try LoginSettlement(read, now: now).settle(
                        isPasswordRight: false, isAllowed: true, in: store)
                    #expect(decision.status == .refused)
                }
            }
        }
        var listed: [String?: Int] = [:]
        var last: Int64?
        while true {
            let page = try await harness.platform.audit(before: last, limit: 1_000)
            for entry in page where entry.event == .loginRefused { listed[entry.account, default: 0] += 1 }
            guard let sequence = page.last?.sequence, sequence > 1 else { break }
            last = sequence
        }
        let tallies = try await harness.platform.auditTallies(limit: 1_000)
        #expect(tallies.count <= 3, "by hour, event and reason")
        return (listed, tallies.filter { $0.event == .loginRefused }.reduce(0) { $0 + $1.count })
    }

    /// Runs a test on a store in memory, or on SQLite.
    private func run(onSQLite: Bool, _ body: (Harness) async throws -> Void) async throws {
        guard onSQLite else { return try await body(Harness()) }
        let folder = try TemporaryFolder()
        let store = try await SQLiteDatabase(path: folder.file("platform.sqlite"))
        try await body(Harness(on: store))
        try await store.close()
    }

    @Test(arguments: [false, true])
    func `10,000 refused logins of an account are five entries and a count`(onSQLite: Bool)
        async throws
    {
        try await run(onSQLite: onSQLite) { harness in
            _ = try await harness.register()
            let names = [String](repeating: Harness.alice, count: Self.tries)
            let (listed, counted) = try await refuse(names, on: harness)
            #expect(listed == [Harness.alice: AuditListing.limit])
            #expect(counted == Self.tries)
            harness.time.advance(seconds: 3_600)
            let (later, _) = try await refuse([Harness.alice], on: harness)
            #expect(later == [Harness.alice: AuditListing.limit + 1], "another hour lists again")
        }
    }

    @Test(arguments: [false, true])
    func `10,000 refused logins of unknown names are 100 entries and a count`(onSQLite: Bool) async throws {
        try await run(onSQLite: onSQLite) { harness in
            _ = try await harness.register()
            let (listed, counted) = try await refuse((0..<Self.tries).map { "user\($0)@master" }, on: harness)
            #expect(listed == [nil: AuditListing.unknownLimit] && counted == Self.tries)
            // A user is listed whatever was typed in other names.
            let (after, _) = try await refuse([Harness.alice], on: harness)
            #expect(after[Harness.alice] == 1)
            harness.time.advance(seconds: 3_600)
            let (later, total) = try await refuse(["nobody@master"], on: harness)
            #expect(later[nil] == AuditListing.unknownLimit + 1, "another hour lists again")
            #expect(total == Self.tries + 2, "with the one of alice")
        }
    }

    @Test func `approval requests are listed alike for users and for names that no account has`() async throws {
        let harness = try await Harness()
        _ = try await harness.register()
        for user in [Harness.alice, "nobody@master"] {
            for _ in 0..<20 {
                let report = try await harness.requestLogin(user)
                guard report.status == .pending else { continue }
                _ = try await harness.platform.cancelApproval(requestID: report.requestID)
            }
        }
        let entries = try await harness.events(.approvalRequested) + harness.events(.approvalEnded)
        let (unknown, known) = (entries.count { $0.account == nil }, entries.count { $0.account == Harness.alice })
        #expect(unknown == known && known >= 20, "\(unknown) \(known)")
        #expect(try await harness.platform.auditTallies().isEmpty)
    }
}
