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
@Suite struct AuditEndTests {
    private struct Undone: Error {}

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
                    try Self.compare(transaction)
                    let seal = Self.seal(of: last + 1)
                    #expect(try transaction.seal(auditEntry: last + 1, with: seal))
                case 2:
                    let entry = AuditEntry(time: Timestamp(millisecondsSinceEpoch: 0), event: "unlisted")
                    try transaction.appendUnlisted(entry)
                default: try Self.append(transaction)
                }
                try Self.compare(transaction)
            }
        }
        try await store.close()
    }
}
