import Synchronization
import TestSupport
import Testing

@testable import TrustedIdentity

/// The work of a list of authenticators.
@Suite final class AuthenticatorQueryTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("platform.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    /// Returns how SQLite runs the statements of a count and of a page.
    private func plans(_ filter: DeviceFilter) async throws -> (count: [String], page: [String]) {
        let log = StatementLog()
        let store = try await SQLiteDatabase(path: path) { sql in log.statements.withLock { $0.append(sql) } }
        try await store.read { store in
            _ = try store.activatedDeviceCount(matching: filter)
            _ = try store.activatedDevices(matching: filter, offset: 5, limit: 5)
        }
        try await store.close()
        let statements = log.statements.withLock { $0 }.filter { $0.contains("FROM device WHERE") }
        try #require(statements.count == 2, "\(statements)")
        let database = try SQLiteConnection(path)
        defer { try? database.close() }
        func plan(_ sql: String) throws -> [String] {
            // The last column of a row of the plan is its text.
            let count = Set(sql.matches(of: /\?(\d+)/).map { String($0.1) }).count
            let values = Array(repeating: SQLValue.integer(1), count: count)
            return try database.rows("EXPLAIN QUERY PLAN " + sql, values).compactMap { row in
                if case .text(let detail) = row.last { detail } else { nil }
            }
        }
        return (try plan(statements[0]), try plan(statements[1]))
    }

    @Test(arguments: [
        DeviceFilter(), DeviceFilter(serialNumber: "TI0000000001"), DeviceFilter(isAssigned: true),
        DeviceFilter(domains: ["master", "branch"]),
    ])
    func `devices are counted in the index alone, and a page is in its order`(filter: DeviceFilter) async throws {
        let plans = try await plans(filter)
        #expect(plans.count.allSatisfy { $0.contains("COVERING INDEX device_by_serial_number") }, "\(plans.count)")
        #expect(plans.page.allSatisfy { $0.contains("INDEX device_by_serial_number") }, "\(plans.page)")
        #expect(!plans.page.contains { $0.contains("TEMP B-TREE") }, "\(plans.page)")
    }
}
