import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The pruning of the audit log around a restore.
@Suite struct PruningAroundTests {
    private func append(_ count: Int, to harness: Harness) async throws {
        for _ in 0..<count {
            try await harness.append()
            harness.time.advance(seconds: 10)
        }
    }

    /// Prunes the entries up to a number.
    private func prune(through last: Int64, _ harness: Harness) async throws -> [UInt8] {
        let next = try await harness.platform.read { try $0.auditEntries(from: last + 1, limit: 1).first }
        return try await harness.pruneAudit(before: try #require(next).time)
    }

    @Test func `a backup from before a pruning, and one from after it, are verified and pruned after a restore`()
        async throws
    {
        let harness = try await Harness()
        try await append(20, to: harness)
        let early = try harness.snapshot()
        let file = try await prune(through: 12, harness)
        let checkpoint = try await harness.platform.auditCheckpoint()
        let late = try harness.snapshot()
        for (backup, pruned) in [(early, nil), (late, 12)] as [(SQLiteDatabase, Int64?)] {
            let after = try await harness.restarted(on: backup)
            _ = try await after.platform.markRestored(revocations: .unknown)
            var result = try await after.platform.verifyAudit()
            #expect(result.findings.isEmpty && result.pruned?.size == pruned)
            // The entry of the pruning is lost with the earlier backup: its place has the one of the restore.
            result = try await after.platform.verifyAudit(against: [checkpoint])
            #expect(result.findings.isEmpty == (pruned != nil))
            try await append(5, to: after)
            let next = try await prune(through: 16, after)
            result = try await after.platform.verifyAudit()
            #expect(result.findings.isEmpty && result.pruned?.size == 16)
            let first = try await after.prunedFile(next).part.first
            #expect(first == (pruned ?? 0) + 1)
        }
        // The file of the earlier pruning is still one of this log.
        #expect(try await harness.prunedFile(file).part.last == 12)
    }
}
