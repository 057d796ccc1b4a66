import GRDB
import Synchronization
import TestSupport
import Testing
import TrustedIdentity

@testable import TrustedIdentitySQLite

/// The statements of the session quota on a database.
@Suite struct ExchangeCountTests {
    let folder: TemporaryFolder
    var path: String { folder.file("platform.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    @Test func `the busiest network and a count are read from an index, without sorting`() async throws {
        let log = StatementLog()
        let store = try await SQLiteStore(path: path) { sql in log.statements.withLock { $0.append(sql) } }
        try await store.write { store in
            _ = try store.busiestActivationNetwork(in: "")
            _ = try store.activationSessionCount(of: "")
        }
        try await store.close()
        let statements = log.statements.withLock { $0 }.filter {
            $0.hasPrefix("SELECT") && $0.contains("activation_session_count") && $0.contains(":network")
        }
        #expect(statements.count == 2, "\(statements)")
        for sql in statements {
            let plan = try await plan(sql)
            #expect(
                !plan.isEmpty && plan.allSatisfy { !$0.hasPrefix("SCAN") && !$0.contains("TEMP B-TREE") }, "\(plan)")
        }
        // A statement that has to sort shows that the check can fail.
        let sorting = "SELECT network FROM activation_session_count WHERE parent = :network ORDER BY count, network"
        let plan = try await plan(sorting)
        #expect(plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }

    @Test func `the oldest exchanges of the narrowest network are read from the index of these networks`()
        async throws
    {
        let log = StatementLog()
        let store = try await SQLiteStore(path: path) { sql in log.statements.withLock { $0.append(sql) } }
        let name = String(repeating: "a", count: ActivationSessionRecord.networkNameLength)
        try await store.write { store in
            for count in 1...3 {
                try store.removeOldestActivationSessions(of: String(repeating: name, count: count), limit: 1)
            }
        }
        try await store.close()
        let statements = log.statements.withLock { $0 }.filter {
            $0.hasPrefix("DELETE FROM activation_session WHERE rowid")
        }
        #expect(
            statements.map { $0.contains("activation_session_by_source") } == [false, false, true], "\(statements)")
    }

    private func plan(_ sql: String) async throws -> [String] {
        try await DatabaseQueue(path: path).read { database in
            try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: ["network": ""])
                .map { $0["detail"] as String? ?? "" }
        }
    }
}
