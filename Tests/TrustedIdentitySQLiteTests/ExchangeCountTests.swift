import GRDB
import TestSupport
import Testing
import TrustedIdentitySQLite

/// The statements of the session quota on a database.
@Suite struct ExchangeCountTests {
    static let network = "SELECT network FROM activation_session_count WHERE parent = '' "

    @Test(arguments: [
        (network + "ORDER BY count DESC, network LIMIT 1", false), (network + "ORDER BY count, network LIMIT 1", true),
        ("SELECT count FROM activation_session_count WHERE network = ''", false),
    ]) func `the busiest network and a count are read from an index, without sorting`(sql: String, sorts: Bool)
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.file("platform.sqlite")
        let store = try await SQLiteStore(path: path)
        try await store.close()
        let plan = try await DatabaseQueue(path: path).read { database in
            try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql).map { $0["detail"] as String? ?? "" }
        }
        #expect(!plan.isEmpty)
        #expect(plan.allSatisfy { !$0.hasPrefix("SCAN") }, "\(plan)")
        #expect(plan.contains { $0.contains("TEMP B-TREE") } == sorts, "\(plan)")
    }
}
