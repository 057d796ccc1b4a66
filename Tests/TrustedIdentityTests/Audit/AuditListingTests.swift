import OrchestrationTesting
import Primitives
import TestSupport
import Testing
import TrustedIdentitySQLite

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
                [hashes = harness.platform.hashes, random = harness.platform.random] store in
                for account in accounts[batch..<min(batch + 500, accounts.count)] {
                    let read = try LoginAccount(
                        account, kind: .staticPassword, source: nil, hashes: hashes, now: now, in: store)
                    let decision = try LoginSettlement(read, now: now, random: random).settle(
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
        let store = try await SQLiteStore(path: folder.file("platform.sqlite"))
        try await body(Harness(on: store))
        try await store.close()
    }

    @Test(arguments: [false, true])
    func `10,000 refused logins of an account are five entries, a count and the latest ones`(onSQLite: Bool)
        async throws
    {
        try await run(onSQLite: onSQLite) { harness in
            _ = try await harness.register()
            let names = [String](repeating: Harness.alice, count: Self.tries)
            let (listed, counted) = try await refuse(names, on: harness)
            #expect(listed == [Harness.alice: AuditListing.limit])
            #expect(counted == Self.tries)
            let unlisted = try await harness.platform.unlistedAudit(limit: AuditListing.unlistedLimit)
            #expect(unlisted.count == AuditListing.unlistedLimit && Set(unlisted.map(\.account)) == [Harness.alice])
            harness.time.advance(seconds: 3_600)
            let (later, _) = try await refuse([Harness.alice], on: harness)
            #expect(later == [Harness.alice: AuditListing.limit + 1], "another hour lists again")
        }
    }

    @Test(arguments: [false, true])
    func `10,000 refused logins of unknown names have bounded entries, and nothing is lost`(onSQLite: Bool) async throws
    {
        try await run(onSQLite: onSQLite) { harness in
            _ = try await harness.register()
            let (listed, counted) = try await refuse((0..<Self.tries).map { "user\($0)@master" }, on: harness)
            #expect(listed.keys.allSatisfy { $0 == nil })
            let subjects = try await harness.events(.loginRefused).map(\.subject)
            #expect(!subjects.contains(nil) && Set(subjects).count == subjects.count, "a subject for each entry")
            #expect((listed[nil] ?? 0) <= AuditListing.limit * Decoys.listedAccounts && counted == Self.tries)
            // A user is listed whatever was typed in other names.
            let (after, _) = try await refuse([Harness.alice], on: harness)
            #expect(after[Harness.alice] == 1)
            // One unknown name has no more entries than a known one.
            let (again, total) = try await refuse([String](repeating: "nobody@master", count: 100), on: harness)
            #expect((again[nil] ?? 0) - (listed[nil] ?? 0) <= AuditListing.limit)
            #expect(total == Self.tries + 101, "with the one of alice")
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
        #expect(try await harness.platform.unlistedAudit().isEmpty)
        for limit in [0, AuditListing.unlistedLimit + 1] {
            await #expect(throws: PlatformError(.malformedRequest)) {
                try await harness.platform.unlistedAudit(limit: limit)
            }
        }
    }
}
