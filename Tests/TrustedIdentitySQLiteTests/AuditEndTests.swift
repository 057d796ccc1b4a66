import Dispatch
import GRDB
import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport
import Testing
import TrustedIdentity

@testable import TrustedIdentitySQLite

/// The end of the audit log that the writes of one transaction share.
@Suite(.timeLimit(.minutes(20))) struct AuditEndTests {
    private struct Undone: Error {}
    private final class Count: Sendable { let value = Mutex(0) }

    private let folder: TemporaryFolder
    private let log = StatementLog()

    init() throws { folder = try TemporaryFolder() }

    private func store(batchLimit: Int? = nil) async throws -> SQLiteStore {
        try await SQLiteStore(
            path: folder.file("a.sqlite"), tracing: { [log] sql in log.statements.withLock { $0.append(sql) } },
            batchLimit: batchLimit)
    }

    /// Appends an entry with a seal of its own after the last one, and compares the end with that in the database.
    private static func append(_ store: any StoreTransaction) throws {
        let transaction = try #require(store as? SQLiteTransaction)
        let sequence = (try transaction.auditEdge().first?.sequence ?? 0) + 1
        var entry = AuditEntry(time: Timestamp(millisecondsSinceEpoch: sequence), event: "test")
        entry.sequence = sequence
        try transaction.append(entry, seal: seal(of: sequence))
        try compare(transaction)
    }

    private static func seal(of sequence: Int64) -> AuditSeal {
        let bytes = (0..<32).map { UInt8(truncatingIfNeeded: sequence &* 31 &+ $0) }
        return AuditSeal(subtree: bytes, code: bytes.reversed())
    }

    private static func compare(_ transaction: SQLiteTransaction) throws {
        let stored = try SQLiteTransaction(database: transaction.database).auditEdge()
        #expect(try transaction.auditEdge() == stored)
    }

    private func reads(of statement: String) -> Int {
        log.statements.withLock { $0.count { $0.contains(statement) } }
    }

    @Test func `the entries of one transaction read each row once`() async throws {
        let store = try await store()
        let before = reads(of: "RECURSIVE edge")
        try await store.write { store in
            for _ in 1...200 { try Self.append(store) }
        }
        // Beside the comparison of each append: the end of the empty log, and that after its first entry.
        #expect(reads(of: "RECURSIVE edge") - before == 202)
        #expect(reads(of: "FROM audit WHERE sequence = :sequence") == 0)
        try await store.write { store in
            for _ in 1...200 { try Self.append(store) }
        }
        // 192 and 128 are the older entries whose subtrees entry 256 completes.
        #expect(reads(of: "FROM audit WHERE sequence = :sequence") == 2)
        try await store.close()
    }

    @Test func `a change by another program between two writes is read`() async throws {
        let store = try await store()
        try await store.write { store in
            for _ in 1...7 { try Self.append(store) }
        }
        let other = try DatabaseQueue(path: folder.file("a.sqlite"))
        try await other.write {
            try $0.execute(sql: "DROP TRIGGER audit_is_never_changed")
            try $0.execute(sql: "UPDATE audit SET subtree = zeroblob(32) WHERE sequence = 7")
        }
        try await store.write { store in
            let transaction = try #require(store as? SQLiteTransaction)
            #expect(try transaction.auditEdge().first?.seal?.subtree == [UInt8](repeating: 0, count: 32))
            try Self.append(store)
        }
        try await store.close()
    }

    @Test func `a write that is undone leaves nothing behind for those that share its transaction`() async throws {
        let store = try await store()
        try await store.write { try Self.append($0) }
        let before = reads(of: "BEGIN")
        let (begun, goOn) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        async let first: Void = store.write { _ in
            begun.continuation.finish()
            goOn.wait()
        }
        for await _ in begun.stream {}
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    do {
                        try await store.write {
                            try Self.append($0)
                            if number % 3 == 0 { throw Undone() }
                        }
                    } catch is Undone {}
                }
            }
            while try await store.health().waitingWrites < 40 { await Task.yield() }
            goOn.signal()
            try await group.waitForAll()
        }
        try await first
        #expect(reads(of: "BEGIN") - before == 2)
        let rows = try await store.read { try $0.auditRows(from: 1, limit: 100) }
        #expect(rows.map(\.entry.sequence) == Array(1...27))
        try await store.close()
    }

    enum Rollback: CaseIterable {
        case fullDisk, conflict
    }

    @Test(arguments: Rollback.allCases)
    func `a write that goes on after SQLite has rolled its transaction back stores nothing`(
        cause: Rollback
    ) async throws {
        let store = try await store()
        try await store.write { store in
            for _ in 1...3 { try Self.append(store) }
            let transaction = try #require(store as? SQLiteTransaction)
            try transaction.run("CREATE TABLE filler (bytes BLOB)")
            try transaction.run("CREATE TABLE refused (number INTEGER)")
            try transaction.run(
                """
                CREATE TRIGGER refusal BEFORE INSERT ON refused BEGIN SELECT RAISE(ROLLBACK, 'rolled back'); END
                """)
        }
        let before = reads(of: "BEGIN")
        let (begun, goOn) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        // A failure below must not leave the writer waiting.
        defer { goOn.signal() }
        // The writes wait for this one, and share the next transaction.
        async let first: Void = store.write { _ in
            begun.continuation.finish()
            goOn.wait()
        }
        for await _ in begun.stream {}
        let wentOn = Count()
        var writes: [Task<Void, any Error>] = []
        for number in 1...3 {
            writes.append(
                Task {
                    try await store.write { store in
                        try Self.append(store)
                        guard number == 2 else { return }
                        let transaction = try #require(store as? SQLiteTransaction)
                        #expect(throws: DatabaseError.self) { try Self.rollBack(cause, transaction) }
                        #expect(!transaction.database.isInsideTransaction)
                        // Entries 4 and 5 are in the memory of the transaction and no longer in the database.
                        for _ in 1...2 {
                            #expect { try Self.append(store) } throws: {
                                ($0 as? DatabaseError)?.resultCode == .SQLITE_ABORT
                            }
                            #expect { try transaction.auditRows(from: 1, limit: 9) } throws: {
                                ($0 as? DatabaseError)?.resultCode == .SQLITE_ABORT
                            }
                            wentOn.value.withLock { $0 += 1 }
                        }
                    }
                })
            while try await store.health().waitingWrites < number {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
        goOn.signal()
        try await first
        for write in writes { await #expect(throws: PlatformStoreError.self) { try await write.value } }
        #expect(wentOn.value.withLock { $0 } == 2)
        #expect(reads(of: "BEGIN") - before == 2)
        #expect(try await store.read { try $0.auditRows(from: 1, limit: 9).map(\.entry.sequence) } == [1, 2, 3])
        _ = try await store.pragma("max_page_count = 1000000")
        // The next transaction reads the end of the log again.
        try await store.write { store in
            for _ in 1...2 { try Self.append(store) }
        }
        let rows = try await store.read { try $0.auditRows(from: 1, limit: 9) }
        #expect(rows.map(\.entry.sequence) == Array(1...5))
        #expect(rows.map(\.seal) == (1...5).map(Self.seal))
        try await store.close()
    }

    /// Runs a statement after which SQLite rolls the whole transaction back.
    private static func rollBack(_ cause: Rollback, _ transaction: SQLiteTransaction) throws {
        switch cause {
        case .fullDisk:
            // The limit is never less than the present number of pages.
            _ = try Int.fetchOne(transaction.database, sql: "PRAGMA max_page_count = 1")
            try transaction.run("INSERT INTO filler VALUES (zeroblob(1000000))")
        case .conflict:
            try transaction.run("INSERT INTO refused VALUES (1)")
        }
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `the end is that of the database after any statement`(seed: UInt64) async throws {
        let store = try await store()
        let bytes = SeededRandomSource(seed: seed).bytes(120)
        try await store.write { store in
            let transaction = try #require(store as? SQLiteTransaction)
            // It allows the deletion of what the platform has decided to prune.
            try transaction.run("DROP TRIGGER audit_is_never_shortened")
            for byte in bytes {
                let last = try transaction.auditEdge().first?.sequence ?? 0
                switch byte % 8 {
                case 0 where last > 3:
                    try transaction.keepAuditPeaks(of: last - 2)
                    #expect(try transaction.removePrunedAudit(through: last - 2, limit: 100) >= 0)
                case 1:
                    let entry = AuditEntry(time: Timestamp(millisecondsSinceEpoch: 0), event: "without a seal")
                    try transaction.append(entry, seal: nil)
                default: try Self.append(transaction)
                }
                try Self.compare(transaction)
            }
        }
        try await store.close()
    }
}
