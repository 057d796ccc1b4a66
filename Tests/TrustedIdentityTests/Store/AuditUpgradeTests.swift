import GRDB
import OrchestrationTesting
import Primitives
import TestSupport
import Testing
import TrustedIdentitySQLite

@testable import TrustedIdentity

/// The first start on a database whose audit log has no tree yet.
@Suite struct AuditUpgradeTests {
    let folder: TemporaryFolder
    let store: SQLiteStore
    let harness: Harness

    /// Makes a platform with a log, and removes the tree of the log.
    init() async throws {
        folder = try TemporaryFolder()
        store = try await SQLiteStore(path: folder.file("platform.sqlite"))
        harness = try await Harness(on: store)
        _ = try await harness.activate()
        for _ in 0..<1_100 { try await harness.append() }
        try await removeTree()
    }

    private func removeTree() async throws {
        try change(
            """
            DROP TRIGGER audit_is_never_changed;
            UPDATE audit SET subtree = NULL, authentication_code = NULL;
            DELETE FROM platform_key WHERE purpose = 'audit'
            """)
        try await store.write { [platform = harness.platform] store in
            for var key in try store.platformKeys() {
                guard let sealed = key.privateKey else { continue }
                let secret = try platform.sealer.open(
                    sealed, .platformKey, row: key.id, revision: PlatformKeys.revision)
                key.privateKey = try platform.sealer.seal(secret, .platformKey, row: key.id, revision: 4)
                try requireWritten(store.update(platform.store.authenticator.authenticatedForUpdate(key)))
            }
        }
    }

    private func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: folder.file("platform.sqlite"))
        defer { try? queue.close() }
        try queue.write { try $0.execute(sql: sql) }
    }

    @Test func `the first start makes the tree over the entries that are there, once`() async throws {
        let entries = try await store.read { try $0.auditEntries(from: 1, limit: 2_000) }
        #expect(try await harness.platform.verifyAudit().findingCount == entries.count)
        let lines = LogLines()
        for _ in 0..<2 {
            let platform = try await harness.platform(on: store, logger: lines.logger)
            let result = try await platform.verifyAudit(against: [platform.auditCheckpoint()])
            #expect(result.findingCount == 0 && result.size == Int64(entries.count))
            #expect(platform.keys.latest.keys.filter { $0.use == .audit }.count == 1)
        }
        let notice = "notice the audit log of an earlier version has a tree from now on rows.audit=\(entries.count)"
        #expect(lines.all.filter { $0 == notice }.count == 1, "\(lines.all)")
        #expect(try await store.read { try $0.auditEntries(from: 1, limit: 2_000) } == entries)
    }

    @Test func `a later start makes no tree over changed entries`() async throws {
        _ = try await harness.platform(on: store)
        try change("UPDATE audit SET subtree = NULL, authentication_code = NULL, reason = 'x' WHERE sequence >= 7")
        let platform = try await harness.platform(on: store)
        #expect(try await platform.verifyAudit().findings.first == .changedEntry(7))
    }
}
