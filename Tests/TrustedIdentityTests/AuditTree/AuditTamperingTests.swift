import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// Changes of the audit log by SQL, beside a running platform.
@Suite struct AuditTamperingTests {
    typealias Finding = AuditVerification.Finding

    static let changes = 400
    static let size: Int64 = 40

    let folder: TemporaryFolder
    let store: SQLiteDatabase
    let harness: Harness
    let database: SQLiteConnection
    /// A checkpoint of ``size`` entries, which was kept elsewhere.
    let checkpoint: AuditCheckpoint

    init() async throws {
        folder = try TemporaryFolder()
        let path = folder.file("platform.sqlite")
        store = try await SQLiteDatabase(path: path)
        harness = try await Harness(on: store)
        try await harness.platform.store.write { [now = harness.time.now()] store in
            for number in 1...Self.size {
                let (id, isFull) = ([UInt8](repeating: UInt8(number), count: 16), number.isMultiple(of: 2))
                try store.append(
                    AuditEntry(
                        time: now.advanced(milliseconds: number), event: .loginAccepted, subject: isFull ? id : nil,
                        device: isFull ? id : nil, reason: "entry \(number)", actor: .apiKey("k\(number)"),
                        correlationID: isFull ? "c\(number)" : nil, address: isFull ? "192.0.2.1" : nil,
                        decision: isFull ? id : nil))
            }
        }
        checkpoint = try await harness.platform.auditCheckpoint()
        database = try SQLiteConnection(path)
        try database.transaction {
            try database.execute("CREATE TABLE original AS SELECT * FROM audit")
            try database.execute("CREATE TABLE original_tree AS SELECT * FROM audit_tree")
            for trigger in ["audit_is_never_changed", "audit_is_never_shortened"] {
                try database.execute("DROP TRIGGER \(trigger)")
            }
        }
    }

    /// Prunes the first entries.
    ///
    /// - Returns: The numbers of the entries that remain, and a checkpoint of all.
    private func prune(_ size: Int64) async throws -> (ClosedRange<Int64>, AuditCheckpoint) {
        let date = harness.time.now().advanced(milliseconds: size + 1)
        harness.time.advance(seconds: 1)
        try await harness.pruneAudit(before: date)
        try database.transaction {
            try database.execute("DROP TABLE original; CREATE TABLE original AS SELECT * FROM audit")
        }
        let checkpoint = try await harness.platform.auditCheckpoint()
        try database.transaction {
            try database.execute(
                "DROP TABLE original_tree; CREATE TABLE original_tree AS SELECT * FROM audit_tree")
        }
        return (size + 1...Self.size + 1, checkpoint)
    }

    /// Returns the findings after a change, which is undone.
    private func findings(after statements: [String], checkpoints: [AuditCheckpoint] = []) async throws -> [Finding] {
        // Another program may also leave the checks of the schema out.
        try database.execute("PRAGMA ignore_check_constraints = 1")
        try database.transaction {
            for statement in statements { try database.execute(statement) }
        }
        let result = try await harness.platform.verifyAudit(against: checkpoints)
        #expect(result.findingCount >= result.findings.count && result.findings.isEmpty == (result.findingCount == 0))
        try database.transaction {
            try database.execute("DELETE FROM audit; INSERT INTO audit SELECT * FROM original")
            try database.execute("DELETE FROM audit_tree; INSERT INTO audit_tree SELECT * FROM original_tree")
        }
        return result.findings
    }

    /// A change, and the finding that must come first.
    private struct Change {
        var statements: [String]
        var finding: Finding
    }

    private static let contents = [
        "id", "time", "event", "subject", "device", "reason", "actor", "correlation_id", "address", "decision",
    ]

    private func change(
        of rows: ClosedRange<Int64>, _ random: inout SeededGenerator
    ) -> (kind: String, Change) {
        let end = rows.upperBound
        let row = Int64.random(in: rows, using: &random)
        let other = Int64.random(in: rows.lowerBound..<end, using: &random)
        let second = other < row ? other : other + 1
        func copy(_ columns: [String], from source: Int64, to target: Int64) -> String {
            let names = columns.joined(separator: ", ")
            return "UPDATE audit SET (\(names)) = (SELECT \(names) FROM original WHERE sequence = \(source))"
                + " WHERE sequence = \(target)"
        }
        switch Int.random(in: 0..<14, using: &random) {
        case 0:
            let finding = row == end ? Finding.shorterThanCheckpoint(row) : .missingEntry(row)
            return ("delete", Change(statements: ["DELETE FROM audit WHERE sequence = \(row)"], finding: finding))
        case 1:
            return (
                "truncate",
                Change(
                    statements: ["DELETE FROM audit WHERE sequence >= \(row)"], finding: .shorterThanCheckpoint(end))
            )
        case 2, 3:
            return (
                "swap",
                Change(
                    statements: [
                        copy(Self.contents, from: row, to: second), copy(Self.contents, from: second, to: row),
                    ],
                    finding: .otherThanCheckpoint(end))
            )
        case 4:
            // Before the first entry, or where one was pruned.
            let target = Int64.random(in: -9..<rows.lowerBound, using: &random)
            return (
                "insert before",
                Change(
                    statements: [
                        "INSERT INTO audit (sequence, id, time, event, reason) VALUES (\(target), x'', 1, 'x', '')"
                    ], finding: .foreignEntry(target))
            )
        case 5:
            let target = Bool.random(using: &random) ? Int64.max : end + 9
            return (
                "renumber",
                Change(
                    statements: ["UPDATE audit SET sequence = \(target) WHERE sequence = \(row)"],
                    finding: .missingEntry(row))
            )
        default:
            let column = Self.contents.randomElement(using: &random) ?? "time"
            let value =
                switch column {
                case "time": "time + 1"
                case "id", "subject", "device", "decision": Bool.random(using: &random) ? "randomblob(16)" : "x'00'"
                default: Bool.random(using: &random) ? "coalesce(\(column), '') || ' '" : "CAST(x'ff' AS TEXT)"
                }
            return (
                column,
                Change(
                    statements: ["UPDATE audit SET \(column) = \(value) WHERE sequence = \(row)"],
                    finding: .otherThanCheckpoint(end))
            )
        }
    }

    @Test(arguments: [0, 1, 13, 16, 31] as [Int64])
    func `each of 400 random changes by SQL is found`(pruned: Int64) async throws {
        let (rows, checkpoint) = pruned == 0 ? (1...Self.size, checkpoint) : try await prune(pruned)
        #expect(try await findings(after: [], checkpoints: [checkpoint]).isEmpty)
        var random = SeededGenerator(seed: 0x7EE)
        var kinds: [String: Int] = [:]
        for _ in 0..<Self.changes {
            let (kind, change) = change(of: rows, &random)
            kinds[kind, default: 0] += 1
            let findings = try await findings(after: change.statements)
            #expect(findings.first == change.finding, "\(change.statements): \(findings)")
        }
        #expect(kinds.count == 15 && kinds.values.allSatisfy { $0 > 4 }, "\(kinds)")
        #expect(try await findings(after: [], checkpoints: [checkpoint]).isEmpty)
    }

    @Test func `a change is between the last checkpoint that agrees and the first one that does not`() async throws {
        var kept = [checkpoint]
        for _ in 0..<3 {
            for _ in 0..<10 { try await harness.append() }
            kept.append(try await harness.platform.auditCheckpoint())
        }
        try database.execute("UPDATE audit SET reason = 'x' WHERE sequence = 55")
        #expect(
            try await harness.platform.verifyAudit(against: kept).findings == [60, 70].map { .otherThanCheckpoint($0) })
    }

    @Test func `no proof is made of a changed log, and the platform goes on with it`() async throws {
        try database.execute("UPDATE audit SET reason = 'x' WHERE sequence = 3")
        #expect(try await harness.platform.auditCheckpoint().root == checkpoint.root)
        for entry in [1, 3, 40] as [Int64] {
            await #expect(throws: PlatformError(.alteredRow)) { try await harness.platform.proveAudit(entry: entry) }
        }
        await #expect(throws: PlatformError(.alteredRow)) { try await harness.platform.proveAudit(since: 20) }
        for _ in 0..<40 { try await harness.append() }
        #expect(
            try await harness.platform.verifyAudit(against: [checkpoint]).findings
                == [40, 80].map {
                    .otherThanCheckpoint($0)
                })
    }

    @Test func `an entry that has no place in the tree yet can be changed unseen, and a gap is found`() async throws {
        try await harness.append()
        try database.execute("UPDATE audit SET reason = 'x' WHERE sequence = 41")
        #expect(try await harness.platform.verifyAudit(against: [checkpoint]).findings.isEmpty)
        for _ in 0..<2 { try await harness.append() }
        try database.execute("DELETE FROM audit WHERE sequence = 42")
        #expect(try await harness.platform.verifyAudit().findings == [.missingEntry(42), .changedTree])
        await #expect(throws: PlatformError(.alteredRow)) { try await harness.platform.auditCheckpoint() }
    }

    @Test func `a log that was changed is not pruned`() async throws {
        let date = harness.time.now().advanced(milliseconds: 14)
        harness.time.advance(seconds: 1)
        let part = try await harness.prunedFile(harness.exportAudit(before: date)).part
        for row in [3, 39] {
            try database.execute("UPDATE audit SET reason = 'x' WHERE sequence = \(row)")
            await #expect(throws: AuditError(.changedLog)) { try await harness.exportAudit(before: date) }
            await #expect(throws: AuditError(.changedLog)) {
                try await harness.platform.pruneAudit(part, before: date)
            }
            try database.transaction {
                try database.execute("DELETE FROM audit; INSERT INTO audit SELECT * FROM original")
            }
        }
        #expect(try await harness.platform.pruneAudit(part, before: date))
    }

    @Test func `only the platform prunes: a deletion, a forged size and an earlier row are found`() async throws {
        // A database with its triggers.
        let path = folder.file("other.sqlite")
        let store = try await SQLiteDatabase(path: path)
        let harness = try await Harness(on: store)
        for _ in 0..<20 {
            try await harness.append()
            harness.time.advance(seconds: 1)
        }
        let database = try SQLiteConnection(path)
        func refuses(_ statement: String) {
            #expect(throws: SQLiteFailure.self) { try database.execute(statement) }
        }
        refuses("DELETE FROM audit WHERE sequence = 1")
        try database.transaction {
            try database.execute("CREATE TABLE before AS SELECT * FROM platform_state")
        }
        try await harness.pruneAudit(before: harness.time.now().advanced(milliseconds: -10_500))
        #expect(try await harness.auditNumbers().first == 11)
        refuses("DELETE FROM audit WHERE sequence = 11")
        try database.transaction {
            // Another program inserts a row of the pruned part, and one before all.
            for number in [0, 5] {
                try database.execute(
                    "INSERT INTO audit (sequence, id, time, event, reason) VALUES (\(number), x'', 1, 'x', '')")
            }
        }
        #expect(try await harness.platform.verifyAudit().findings == [.foreignEntry(0), .foreignEntry(5)])
        refuses("DELETE FROM audit WHERE sequence = 0")
        try database.execute("DELETE FROM audit WHERE sequence = 5")
        // The earlier row about the platform does not know of the pruning.
        try database.transaction {
            try database.execute("CREATE TABLE after AS SELECT * FROM platform_state")
            try database.execute(
                "DELETE FROM platform_state; INSERT INTO platform_state SELECT * FROM before")
        }
        #expect(try await harness.platform.verifyAudit().findings.prefix(2) == [.foreignEntry(0), .missingEntry(1)])
        for change in ["audit_pruned_size = 15", "audit_pruned_size = NULL", "audit_pruned_peaks = zeroblob(64)"] {
            try database.transaction {
                try database.execute(
                    """
                    DELETE FROM platform_state; INSERT INTO platform_state SELECT * FROM after;
                    UPDATE platform_state SET \(change)
                    """)
            }
            await #expect(throws: PlatformError(.alteredRow)) { try await harness.platform.verifyAudit() }
        }
    }
}
