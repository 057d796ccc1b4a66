import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The audit log after a restore, and a log that ends before its last checkpoint.
@Suite struct ContinuedLogTests {
    /// A platform with four entries, a checkpoint of them, a backup, and a checkpoint of three more entries.
    private struct Scene {
        let harness: Harness
        let early: AuditCheckpoint
        let backup: SQLiteDatabase
        let lost: AuditCheckpoint

        init() async throws {
            harness = try await Harness()
            for _ in 0..<4 { try await harness.append() }
            early = try await harness.platform.auditCheckpoint()
            try await harness.append()
            backup = try harness.snapshot()
            for _ in 0..<2 { try await harness.append() }
            lost = try await harness.platform.auditCheckpoint()
        }

        /// Restores the backup one second later, and appends entries.
        func restored() async throws -> Harness {
            let after = try await harness.restarted(on: backup.snapshot())
            after.time.advance(seconds: 1)
            try await after.platform.markRestored(revocations: .nothingRevoked)
            for _ in 0..<9 { try await after.append() }
            return after
        }
    }

    @Test func `each restore of one backup begins a log of another name, under the same key`() async throws {
        let scene = try await Scene()
        let (first, second) = (try await scene.restored(), try await scene.restored())
        var origins = [scene.early.origin]
        for after in [first, second] {
            let checkpoint = try await after.platform.auditCheckpoint()
            let time = try #require(try await after.platform.read { try $0.currentState().restoredAt })
            #expect(checkpoint.origin == "\(scene.early.origin)/\(time.millisecondsSinceEpoch)")
            #expect(checkpoint.note.contains("\n\u{2014} \(scene.early.origin) "))
            #expect(after.platform.auditVerifierKey == scene.harness.platform.auditVerifierKey)
            let key = after.platform.auditVerifierKey
            #expect(try AuditCheckpoint(note: checkpoint.note, verifierKeys: [key]) == checkpoint)
            #expect(try AuditCheckpoint(note: scene.early.note, verifierKeys: [key]).size == 4)
            origins.append(checkpoint.origin)
        }
        #expect(Set(origins).count == 3)
        // A start keeps the name, and so does a later application of an export.
        let again = try await first.restarted()
        try await again.append()
        #expect(try await again.platform.auditCheckpoint().origin == origins[1])
    }

    @Test func `the first entry after a restore names the size and the root of the entries of the backup`() async throws
    {
        let scene = try await Scene()
        let after = try await scene.restored()
        var tree = MerkleForest()
        for row in try await after.platform.read({ try $0.auditRows(from: 1, limit: 5) }) {
            tree.append(AuditLeaf(tenant: "default").hash(of: row))
        }
        let entries = try await after.platform.read { try $0.auditEntries(from: 6, limit: 2) }
        #expect(entries.map(\.event) == [.auditContinued, .platformRestored])
        #expect(entries.first?.reason == "5 \(Hex.encode(tree.root ?? []))")
        // An empty log, too.
        let empty = try await Harness()
        try await empty.platform.markRestored(revocations: .nothingRevoked)
        #expect(
            try await empty.events(.auditContinued).map(\.reason) == ["0 \(Hex.encode(MerkleTree.emptyRoot))"])
    }

    @Test func `checkpoints of the backup agree with the new log, and those of the lost part are named`() async throws {
        let scene = try await Scene()
        let after = try await scene.restored()
        #expect(try await after.platform.verifyAudit().findings.isEmpty)
        let result = try await after.platform.verifyAudit(against: [scene.early])
        #expect(result.findings.isEmpty && result.checkpointCount == 2)
        #expect(try await after.platform.verifyAudit(against: [scene.lost]).findings == [.otherLog(scene.lost.size)])
        // The new log has more entries than the lost checkpoint, and the earlier platform does not have the new one.
        let checkpoint = try await after.platform.auditCheckpoint()
        #expect(checkpoint.size > scene.lost.size && result.origin == checkpoint.origin)
        #expect(
            try await scene.harness.platform.verifyAudit(against: [checkpoint]).findings == [.otherLog(checkpoint.size)]
        )
        #expect(try await after.platform.proveAudit(since: scene.early.size)?.checkpoint.origin == checkpoint.origin)
    }

    @Test func `only a checkpoint that was kept elsewhere can be that of another log`() async throws {
        let scene = try await Scene()
        let rows = try await scene.harness.platform.read { try $0.auditRows(from: 1, limit: 4) }
        for isForeign in [false, true] {
            var check = AuditCheck(leaf: AuditLeaf(tenant: "other"), checkpoints: [scene.early])
            for row in rows { check.check(row) }
            check.finish(foreign: isForeign ? [scene.early] : [])
            #expect(check.result.findings == [isForeign ? .otherLog(4) : .otherThanCheckpoint(4)])
        }
    }

    @Test func `a restore that applies an export begins a new log once`() async throws {
        let scene = try await Scene()
        let export = try await scene.harness.exportAudit()
        let after = try await scene.harness.restarted(on: scene.backup)
        after.time.advance(seconds: 1)
        for _ in 0..<2 { _ = try await after.restore(applying: export) }
        #expect(try await after.events(.auditContinued).count == 1)
        #expect(try await after.platform.auditCheckpoint().origin != scene.early.origin)
        #expect(try await after.platform.verifyAudit(against: [scene.early]).findings.isEmpty)
    }

    @Test func `an extract and a file of pruned entries are verified after a restore`() async throws {
        let harness = try await Harness()
        _ = try await harness.activate()
        harness.time.advance(seconds: 10)
        try await harness.append()
        let before = try await harness.exportAudit(before: harness.time.now())
        try await harness.platform.markRestored(revocations: .nothingRevoked)
        #expect(try await harness.prunedFile(before).checkpoint.origin.split(separator: "/").count == 4)
        harness.time.advance(seconds: 10)
        try await harness.append()
        let after = try await harness.exportAudit(before: harness.time.now())
        #expect(try await harness.prunedFile(after).checkpoint.origin.split(separator: "/").count == 5)
        let extract = try await AuditLines.extract(of: harness)
        #expect(
            try await AuditLines.readExtract(extract, of: harness).checkpoint.origin.split(separator: "/").count == 5)
    }

    @Test(arguments: [
        "DELETE FROM audit WHERE sequence > 2",
        "DELETE FROM audit; DELETE FROM audit_tree; DELETE FROM audit_checkpoint",
        "DELETE FROM audit WHERE sequence > 3; DELETE FROM audit_tree; INSERT INTO audit_tree SELECT * FROM early;"
            + "DELETE FROM audit_checkpoint",
        "DELETE FROM audit_tree; INSERT INTO audit_tree SELECT * FROM early",
    ])
    func `a log that is put back without the row about the platform is reported, and is not restored`(
        change: String
    ) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("platform.sqlite")
        let store = try await SQLiteDatabase(path: path)
        let harness = try await Harness(on: store)
        let database = try SQLiteConnection(path)
        for _ in 0..<3 { try await harness.append() }
        #expect(try await Maintenance(harness.platform).runOnce())
        try database.execute("CREATE TABLE early AS SELECT * FROM audit_tree")
        for _ in 0..<3 { try await harness.append() }
        #expect(try await Maintenance(harness.platform).runOnce())
        #expect(try await harness.platform.readiness().isReady)
        let log = LogLines()
        _ = try await harness.platform(on: store, logger: log.logger)
        #expect(log.all.filter { $0.hasPrefix("error") }.isEmpty)
        try database.transaction {
            try database.execute("DROP TRIGGER audit_is_never_shortened")
            try database.execute(change)
        }
        let problems = try await harness.platform.readiness().problems
        #expect(problems.map(\.part) == [.audit])
        #expect(problems.first?.message.contains("before its last checkpoint, of 6 entries") == true)
        _ = try await harness.platform(on: store, logger: log.logger)
        #expect(
            log.all.filter { $0.hasPrefix("error") } == [
                "error the audit log ends before its last checkpoint audit.size=6"
            ])
        #expect(try await !harness.platform.verifyAudit().findings.isEmpty)
        await #expect(throws: PlatformError(.alteredRow)) { _ = try await harness.platform.auditCheckpoint() }
        await #expect(throws: AuditError(.changedLog)) {
            _ = try await harness.exportAudit(before: harness.time.now())
        }
        #expect(try await !Maintenance(harness.platform).runOnce())
        await #expect(throws: PlatformError(.alteredRow)) {
            try await harness.platform.markRestored(revocations: .nothingRevoked)
        }
        #expect(try await harness.platform.read { try $0.currentState().epoch } == 0)
    }

    @Test func `a name that continues otherwise than with a time is that of another log`() {
        for origin in ["a/b/c/d", "a/b/c/d/0", "a/b/c/d/1795319460000", "a/b/c/d/-1"] {
            #expect(CheckpointText(origin: origin, size: 0, root: []).isLog(of: "a/b/c/d"), "\(origin)")
        }
        for origin in [
            "a/b/c/e", "a/b/c/d/", "a/b/c/d/x", "a/b/c/d/01", "a/b/c/d/+1", "a/b/c/d/1/1", "a/b/c/d/ 1", "a/b/c/d1",
            "a/b/c/d/9223372036854775808", "",
        ] {
            #expect(!CheckpointText(origin: origin, size: 0, root: []).isLog(of: "a/b/c/d"), "\(origin)")
        }
    }
}
