import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The checkpoints that the platform signs at intervals.
@Suite struct KeptCheckpointTests {
    @Test func `the maintenance keeps a checkpoint when the interval is over and the log has grown`() async throws {
        let harness = try await Harness()
        func sizes() async throws -> [Int64] {
            try await Maintenance(harness.platform).runOnce()
            return try await harness.platform.auditCheckpoints().map(\.checkpoint.size)
        }
        #expect(try await sizes() == [], "an empty log has none")
        try await harness.append()
        #expect(try await sizes() == [1])
        try await harness.append()
        harness.time.advance(seconds: 3_599)
        #expect(try await sizes() == [1])
        harness.time.advance(seconds: 1)
        #expect(try await sizes() == [2, 1])
        harness.time.advance(seconds: 10_000)
        #expect(try await sizes() == [2, 1], "the log has not grown")
        for _ in 0..<3 { try await harness.append() }
        #expect(try await sizes() == [5, 2, 1])
        let kept = try await harness.platform.auditCheckpoints(before: 5, limit: 1)
        #expect(kept.map(\.checkpoint.size) == [2])
        #expect(try harness.platform.checkpoint(of: try #require(kept.first).checkpoint.note).size == 2)
        for limit in [0, -1, 1_001] {
            await #expect(throws: PlatformError(.malformedRequest)) {
                try await harness.platform.auditCheckpoints(limit: limit)
            }
        }
        #expect(try await harness.platform.verifyAudit().findings.isEmpty)
        // A clock that goes back does not end the checkpoints.
        try await harness.append()
        let back = try await Harness(
            harness.configuration, store: harness.store, time: ManualTimeSource(), random: harness.random)
        #expect(try await Maintenance(back.platform).runOnce())
        #expect(try await back.platform.auditCheckpoints().first?.checkpoint.size == 6)
    }

    @Test func `the interval is that of the configuration`() async throws {
        var configuration = PlatformConfiguration(postQuantum: .off)
        configuration.auditCheckpointInterval = .seconds(600)
        let harness = try await Harness(configuration)
        for _ in 0..<4 {
            try await harness.append()
            #expect(try await Maintenance(harness.platform).runOnce())
            harness.time.advance(seconds: 300)
        }
        #expect(try await harness.platform.auditCheckpoints().map(\.checkpoint.size) == [3, 1])
    }

    @Test func `a log that was put back and has grown again is found by the checkpoints that an auditor keeps`()
        async throws
    {
        let harness = try await Harness()
        try await harness.append()
        let early = try harness.snapshot()
        for _ in 0..<9 { try await harness.append() }
        #expect(try await Maintenance(harness.platform).runOnce())
        let kept = try #require(try await harness.platform.auditCheckpoints().first).checkpoint
        let back = try await harness.restarted(on: early)
        back.time.advance(seconds: 1)
        for _ in 0..<20 { try await back.append() }
        #expect(try await Maintenance(back.platform).runOnce())
        // The database alone is consistent: its checkpoints went back with it.
        #expect(try await back.platform.verifyAudit().findings.isEmpty)
        #expect(try await back.platform.verifyAudit(against: [kept]).findings == [.otherThanCheckpoint(10)])
        // When the rows alone were put back, the checkpoints in the database are enough.
        let record = AuditCheckpointRecord(size: 10, createdAt: back.time.now(), note: kept.note)
        #expect(try await early.write { try $0.insert(record) })
        #expect(try await back.platform.verifyAudit().findings == [.otherThanCheckpoint(10)])
        // Nothing that shows the change is pruned.
        await #expect(throws: AuditError(.changedLog)) {
            try await back.exportAudit(before: back.time.now())
        }
    }

    @Test func `a row of a checkpoint that another program has changed is named`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("platform.sqlite")
        let harness = try await Harness(on: try await SQLiteDatabase(path: path))
        for _ in 0..<3 {
            try await harness.append()
            #expect(try await Maintenance(harness.platform).runOnce())
            harness.time.advance(seconds: 3_600)
        }
        let database = try SQLiteConnection(path)
        try database.execute("CREATE TABLE original AS SELECT * FROM audit_checkpoint")
        let changes: [(String, AuditVerification.Finding)] = [
            ("UPDATE audit_checkpoint SET note = note || 'x' WHERE size = 2", .changedCheckpoint(2)),
            ("UPDATE audit_checkpoint SET note = '' WHERE size = 3", .changedCheckpoint(3)),
            ("UPDATE audit_checkpoint SET size = 9 WHERE size = 3", .changedCheckpoint(9)),
            (
                "UPDATE audit_checkpoint SET note = (SELECT note FROM original WHERE size = 1) WHERE size = 2",
                .changedCheckpoint(2)
            ),
            ("INSERT INTO audit_checkpoint VALUES (7, 1, 'x')", .changedCheckpoint(7)),
        ]
        for (change, finding) in changes {
            try database.execute(change)
            #expect(try await harness.platform.verifyAudit().findings == [finding], "\(change)")
            #expect(try await harness.platform.auditCheckpoints().count == 3 - (change.hasPrefix("INS") ? 0 : 1))
            try database.transaction {
                try database.execute(
                    "DELETE FROM audit_checkpoint; INSERT INTO audit_checkpoint SELECT * FROM original")
            }
        }
        #expect(try await harness.platform.verifyAudit().findings.isEmpty)
    }

    @Test func `rows of checkpoints that another program has made do not end the checkpoints`() async throws {
        let harness = try await Harness()
        func sizes() async throws -> [Int64] {
            try await harness.append()
            harness.time.advance(seconds: 3_600)
            #expect(try await Maintenance(harness.platform).runOnce())
            return try await harness.platform.auditCheckpoints().map(\.checkpoint.size)
        }
        #expect(try await sizes() == [1])
        for size in [.max, 2, 3] as [Int64] {
            let record = AuditCheckpointRecord(
                size: size, createdAt: harness.time.now().advanced(milliseconds: 3_600_000), note: "x")
            #expect(try await harness.store.write { try $0.insert(record) })
        }
        #expect(try await sizes() == [1], "the row of this size is taken")
        #expect(try await sizes() == [1])
        #expect(try await sizes() == [4, 1])
        await #expect(throws: AuditError(.changedLog)) {
            try await harness.exportAudit(before: harness.time.now())
        }
    }

    @Test func `no entry gets a place in a tree that was changed, and the platform is not ready after five minutes`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.file("platform.sqlite")
        let harness = try await Harness(on: try await SQLiteDatabase(path: path))
        for _ in 0..<3 { try await harness.append() }
        #expect(try await Maintenance(harness.platform).runOnce())
        let database = try SQLiteConnection(path)
        try database.execute("CREATE TABLE original AS SELECT * FROM audit_tree")
        try await harness.append()
        for change in [
            "UPDATE audit_tree SET peaks = zeroblob(64)", "UPDATE audit_tree SET size = 2, peaks = zeroblob(32)",
            "UPDATE audit_tree SET note = note || 'x'", "DELETE FROM audit_tree",
        ] {
            try database.execute(change)
            #expect(try await !Maintenance(harness.platform).runOnce())
            #expect(try await harness.platform.verifyAudit().findings.contains(.changedTree), "\(change)")
            await #expect(throws: PlatformError(.alteredRow)) { try await harness.platform.auditCheckpoint() }
            await #expect(throws: AuditError(.changedLog)) {
                try await harness.exportAudit(before: harness.time.now())
            }
            try database.transaction {
                try database.execute("DELETE FROM audit_tree; INSERT INTO audit_tree SELECT * FROM original")
            }
        }
        #expect(try await harness.platform.auditCheckpoints().map(\.checkpoint.size) == [3])
        harness.time.advance(seconds: 300)
        #expect(try await harness.platform.readiness().problems.isEmpty)
        harness.time.advance(seconds: 1)
        let late = try await harness.platform.readiness()
        #expect(late.problems.map(\.part) == [.audit] && late.waitingAuditEntries == 1)
        #expect(late.waitingAuditAge == .seconds(301))
        #expect(try await Maintenance(harness.platform).runOnce())
        #expect(try await harness.platform.readiness().isReady)
        #expect(try await harness.platform.verifyAudit().findings.isEmpty)
    }

    @Test func `checkpoints of the pruned part are compared with its file`() async throws {
        let harness = try await Harness()
        for _ in 0..<6 {
            try await harness.append()
            #expect(try await Maintenance(harness.platform).runOnce())
            harness.time.advance(seconds: 3_600)
        }
        let bytes = try await harness.pruneAudit(before: harness.time.now().advanced(milliseconds: -3_600_000))
        let result = try await harness.platform.verifyAudit()
        #expect(result.findings.isEmpty && result.uncompared.map(\.size) == [1, 2, 3, 4])
        let file = try await harness.prunedFile(bytes, sizes: Set(result.uncompared.map(\.size)))
        for root in result.uncompared { #expect(file.compare(root) == true) }
    }
}
