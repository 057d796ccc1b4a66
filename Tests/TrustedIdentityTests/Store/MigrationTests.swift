import OrchestrationTesting
import Primitives
import Synchronization
import Testing

@testable import TrustedIdentity

/// The copy of a platform's rows into another database. The target is one of SQLite here, and of PostgreSQL in
/// PostgreSQLTests.
@Suite struct MigrationTests {
    private struct Kill: Error {}

    /// Small, so that most tables need several transactions, and the last statement of a batch is another one.
    private static let batch = 7

    /// Returns a platform with rows in many tables, and a device of it.
    private func populated() async throws -> (harness: Harness, phone: Authenticator) {
        var configuration = PlatformConfiguration(postQuantum: .off, requestsPerDevice: 6_000)
        configuration.recordsEvents = true
        // The source is one of SQLite, whatever TEST_DATABASE says.
        let harness = try await Harness(configuration, store: SQLiteDatabase.inMemory())
        let phone = try await harness.activate()
        let other = try await harness.activate("bob@master")
        _ = try await harness.register("carol@master", staticPassword: "a horse")
        _ = try await harness.platform.createAPIKey(scope: .applicationServer, name: "shop", domains: ["master"])
        #expect(try await harness.login(phone.code(at: harness.time.now())).status == .accepted)
        let report = try await harness.requestLogin()
        #expect(try await phone.decide(.approved, on: report, by: .password, with: harness).receipt != nil)
        _ = try await harness.requestLogin(source: "browser")
        #expect(try await harness.login("00000000", source: "browser").status == .refused)
        _ = try await harness.platform.generateChallenge(for: Harness.account(), principal: "site")
        try await other.lock(at: harness)
        _ = try await harness.unlockCode("bob@master")
        try await harness.platform.numberAudit()
        // More entries than one statement inserts.
        for _ in 0..<120 { try await harness.append() }
        return (harness, phone)
    }

    /// Returns the rows of each table, the latest number of an event, and whether a migration has not ended.
    private func content(
        of database: any SQLDatabase
    ) async throws -> (rows: [String: [[SQLValue]]], lastEvent: [SQLValue], isMarked: Bool) {
        try await database.read { (session: any SQLSession) in
            var (rows, lastEvent) = ([String: [[SQLValue]]](), [SQLValue]())
            for table in try MigratedTable.all(in: session) {
                rows[table.name] = try table.page(after: nil, limit: 100_000, in: session)
            }
            try session.run("SELECT seq FROM sqlite_sequence WHERE name = 'event'", []) { row in
                lastEvent.append(row.value(0))
            }
            let isMarked = rows.removeValue(forKey: "migration") != nil
            return (rows, lastEvent, isMarked)
        }
    }

    private func expectEqual(_ source: any SQLDatabase, _ target: any SQLDatabase, _ comment: Comment? = nil)
        async throws
    {
        let (original, copy) = (try await content(of: source), try await content(of: target))
        #expect(copy.rows == original.rows && copy.lastEvent == original.lastEvent, comment)
        #expect(!original.isMarked && !copy.isMarked, comment)
    }

    /// Requires that a migration is refused, and that both databases stay as they are.
    ///
    /// - Parameter table: The table that the error names; `nil` for any.
    private func refuses(
        _ source: any SQLDatabase, _ target: any SQLDatabase, as code: MigrationError.Code, table: String? = nil
    ) async throws {
        let before = (try await content(of: source), try await content(of: target))
        let error = await #expect(throws: MigrationError.self) {
            _ = try await Migration.run(from: source, to: target, batch: Self.batch)
        }
        #expect(error?.code == code && (table == nil || error?.table == table), "\(error as Any)")
        let after = (try await content(of: source), try await content(of: target))
        #expect(after.0.rows == before.0.rows && after.1.rows == before.1.rows)
        #expect(after.0.isMarked == before.0.isMarked && after.1.isMarked == before.1.isMarked)
    }

    /// Starts a migration, and kills it before one of its transactions.
    ///
    /// - Parameter number: The number of the transaction, from 1.
    /// - Returns: Whether it was killed: false for a migration with fewer transactions.
    private func wasKilled(
        _ source: any SQLDatabase, _ target: any SQLDatabase, before number: Int
    ) async throws -> Bool {
        let database = FaultInjectingDatabase(target)
        for _ in 1..<number { database.beforeNextWrite {} }
        database.beforeNextWrite { throw Kill() }
        do {
            _ = try await Migration.run(from: source, to: database, batch: Self.batch)
            return false
        } catch is Kill {
            return true
        }
    }

    /// The number of transactions of a migration: its begin, the batches of each table, and its end.
    private func transactionCount(_ source: any SQLDatabase) async throws -> Int {
        let tables = try await content(of: source).rows.values
        return tables.reduce(2) { $0 + ($1.count + Self.batch - 1) / Self.batch }
    }

    @Test func `all rows of all tables are copied, and the platform continues on the copy`() async throws {
        let (harness, phone) = try await populated()
        let target = SQLiteDatabase.inMemory()
        let counts = try await Migration.run(from: harness.store, to: target)
        try await expectEqual(harness.store, target)
        let content = try await content(of: target)
        #expect(counts == content.rows.mapValues(\.count))
        let tables = Schema.revisions(.sqlite).joined().count { $0.hasPrefix("CREATE TABLE") }
        #expect(counts.count == tables)
        let filled = [
            "account", "api_key", "approval", "audit", "audit_tree", "code_counter", "device", "event", "throttle",
        ]
        #expect(filled.allSatisfy { counts[$0] ?? 0 > 0 }, "\(counts)")

        let moved = try await harness.restarted(on: target)
        harness.time.advance(seconds: 60)
        #expect(try await moved.login(phone.code(at: harness.time.now())).status == .accepted)
        try await moved.platform.numberAudit()
        #expect(try await moved.platform.verifyAudit().findings.isEmpty)
    }

    @Test func `no number of an event is given twice, after all events were delivered`() async throws {
        let (harness, _) = try await populated()
        let last = try await content(of: harness.store).lastEvent
        _ = try await harness.store.write { try $0.removeEvents(of: nil, limit: 1_000) }
        let target = SQLiteDatabase.inMemory()
        _ = try await Migration.run(from: harness.store, to: target)
        try await expectEqual(harness.store, target)
        #expect(try await content(of: target).lastEvent == last)
    }

    @Test func `a migration that is killed before any of its transactions continues`() async throws {
        let (harness, _) = try await populated()
        let source = harness.store
        let count = try await transactionCount(source)
        for number in 1...count {
            let target = SQLiteDatabase.inMemory()
            #expect(try await wasKilled(source, target, before: number), "\(number)")
            #expect(try await content(of: target).isMarked == (number > 1), "\(number)")
            _ = try await Migration.run(from: source, to: target, batch: Self.batch)
            try await expectEqual(source, target, "\(number)")
        }
        #expect(try await !wasKilled(source, SQLiteDatabase.inMemory(), before: count + 1))
    }

    @Test func `a migration that is killed again and again comes to its end`() async throws {
        let (harness, _) = try await populated()
        let source = harness.store
        let target = SQLiteDatabase.inMemory()
        // The first transaction finds the mark of the first run, and the second one copies a batch.
        var runs = 1
        while try await wasKilled(source, target, before: 3) { runs += 1 }
        #expect(runs == (try await transactionCount(source)) - 2 + 1)
        try await expectEqual(source, target)
    }

    @Test func `a run after the end compares the rows, and writes nothing`() async throws {
        let (harness, _) = try await populated()
        let source = harness.store
        let target = SQLiteDatabase.inMemory()
        let counts = try await Migration.run(from: source, to: target)
        #expect(try await Migration.run(from: source, to: target, batch: Self.batch) == counts)
        try await expectEqual(source, target)
    }

    @Test func `a row that was changed in the target is found by its table, before the end and after it`() async throws
    {
        let (harness, _) = try await populated()
        let source = harness.store
        let target = SQLiteDatabase.inMemory()
        #expect(try await wasKilled(source, target, before: transactionCount(source)))
        let copy = target.snapshot()
        for (sql, table) in [
            ("UPDATE device SET name = 'other' WHERE account = 'alice@master'", "device"),
            ("DELETE FROM code_counter", "code_counter"),
            ("UPDATE throttle SET version = version + 1", "throttle"),
        ] {
            let changed = copy.snapshot()
            let count = try await changed.write { (session: any SQLSession) in try session.run(sql, []) { _ in } }
            #expect(count > 0, "\(sql)")
            // Rows that are missing at the end of a table are copied.
            if table == "code_counter" {
                _ = try await Migration.run(from: source, to: changed, batch: Self.batch)
                try await expectEqual(source, changed)
            } else {
                try await refuses(source, changed, as: .different, table: table)
                #expect(try await content(of: changed).isMarked)
            }
        }
        _ = try await Migration.run(from: source, to: target, batch: Self.batch)
        try await target.write { (session: any SQLSession) in
            _ = try session.run("UPDATE account SET version = version + 1", []) { _ in }
        }
        try await refuses(source, target, as: .different, table: "account")
    }

    @Test func `a target in the middle of the migration of another source is refused`() async throws {
        let (harness, _) = try await populated()
        let target = SQLiteDatabase.inMemory()
        #expect(try await wasKilled(harness.store, target, before: 5))
        let other = try await Harness(store: SQLiteDatabase.inMemory())
        try await refuses(other.store, target, as: .otherSource)
        // The source itself, after a server has changed it: the rows that were copied are of an earlier time.
        _ = try await harness.platform.replaceMasterKey(with: MasterKey.make(id: "next"))
        try await refuses(harness.store, target, as: .otherSource)
    }

    @Test func `a target with rows and without a migration is refused`() async throws {
        let (harness, _) = try await populated()
        let source = harness.store
        let other = try await Harness(store: SQLiteDatabase.inMemory())
        try await refuses(source, other.store, as: .notEmpty)
        let tallied = SQLiteDatabase.inMemory()
        try await tallied.write { store in
            try store.tally(.loginRefused, reason: "", hour: Timestamp(millisecondsSinceEpoch: 0))
        }
        try await refuses(source, tallied, as: .notEmpty, table: "audit_tally")
    }

    @Test func `a source without a platform is refused`() async throws {
        try await refuses(SQLiteDatabase.inMemory(), SQLiteDatabase.inMemory(), as: .failed, table: "platform_state")
    }

    @Test func `a failure of a database names the table`() async throws {
        let (harness, _) = try await populated()
        let source = harness.store
        let target = FaultInjectingDatabase(SQLiteDatabase.inMemory())
        target.beforeNextWrite {}
        target.beforeNextWrite { throw StoreError(.full) }
        let error = await #expect(throws: MigrationError.self) { _ = try await Migration.run(from: source, to: target) }
        #expect(error?.code == .failed && error?.table == "account")
        #expect((error?.underlying as? StoreError)?.code == .full)
        _ = try await Migration.run(from: source, to: target)
        try await expectEqual(source, target)
    }

    @Test func `the progress names each table with rows, and ends with all of them`() async throws {
        let (harness, _) = try await populated()
        let source = harness.store
        let steps = Mutex<[Migration.Progress]>([])
        let counts = try await Migration.run(from: source, to: SQLiteDatabase.inMemory(), batch: Self.batch) { step in
            steps.withLock { $0.append(step) }
        }
        for (step, tables) in [(Migration.Progress.Step.copy, counts.filter { $0.value > 0 }), (.comparison, counts)] {
            let found = steps.withLock { steps in steps.filter { $0.step == step } }
            #expect(Set(found.map(\.table)) == Set(tables.keys))
            #expect(found.allSatisfy { $0.rows <= $0.total && $0.total == counts[$0.table] })
            #expect(tables.allSatisfy { table, count in found.last { $0.table == table }?.rows == count })
        }
    }

    @Test func `the master key and the tenant are checked before a copy`() async throws {
        let (harness, _) = try await populated()
        let other = try MasterKey.make(id: "other")
        try await Migration.checkKeys(of: harness.store, masterKeys: [other, harness.masterKey], tenant: "default")
        await #expect(throws: PlatformError(.wrongMasterKey)) {
            try await Migration.checkKeys(of: harness.store, masterKeys: [other], tenant: "default")
        }
        await #expect(throws: PlatformError(.wrongTenant)) {
            try await Migration.checkKeys(of: harness.store, masterKeys: [harness.masterKey], tenant: "other")
        }
        try await harness.store.write { (session: any SQLSession) in
            _ = try session.run("UPDATE platform_state SET epoch = epoch + 1", []) { _ in }
        }
        await #expect(throws: PlatformError(.alteredRow)) {
            try await Migration.checkKeys(of: harness.store, masterKeys: [harness.masterKey], tenant: "default")
        }
    }
}
