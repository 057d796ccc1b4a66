import GRDB
import OrchestrationTesting
import Primitives
import TestSupport
import Testing
import TrustedIdentitySQLite

@testable import TrustedIdentity

/// Changes of the audit log by SQL, beside a running platform.
@Suite struct AuditTamperingTests {
    typealias Finding = AuditVerification.Finding

    static let changes = 1_000
    static let size: Int64 = 40

    let folder: TemporaryFolder
    let store: SQLiteStore
    let harness: Harness
    let database: DatabaseQueue
    /// A checkpoint of ``size`` entries, which was kept elsewhere.
    let checkpoint: AuditCheckpoint

    init() async throws {
        folder = try TemporaryFolder()
        let path = folder.file("platform.sqlite")
        store = try await SQLiteStore(path: path)
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
        database = try DatabaseQueue(path: path)
        try await database.write { database in
            try database.execute(sql: "CREATE TABLE original AS SELECT * FROM audit")
            for trigger in ["audit_is_never_changed", "audit_is_never_shortened"] {
                try database.execute(sql: "DROP TRIGGER \(trigger)")
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
        try await database.write { database in
            try database.execute(sql: "DROP TABLE original; CREATE TABLE original AS SELECT * FROM audit")
        }
        return (size + 1...Self.size + 1, try await harness.platform.auditCheckpoint())
    }

    /// Returns the findings after a change, which is undone.
    private func findings(after statements: [String], checkpoints: [AuditCheckpoint] = []) async throws -> [Finding] {
        try await database.writeWithoutTransaction { database in
            // Another program may also leave the checks of the schema out.
            try database.execute(sql: "PRAGMA ignore_check_constraints = 1")
            try database.inTransaction {
                for statement in statements { try database.execute(sql: statement) }
                return .commit
            }
        }
        let result = try await harness.platform.verifyAudit(against: checkpoints)
        #expect(result.findingCount >= result.findings.count && result.findings.isEmpty == (result.findingCount == 0))
        try await database.write { database in
            try database.execute(sql: "DELETE FROM audit; INSERT INTO audit SELECT * FROM original")
        }
        return result.findings
    }

    /// A change, and the finding that must come first.
    private struct Change {
        var statements: [String]
        var finding: Finding
        var checkpoints: [AuditCheckpoint] = []
    }

    private static let contents = [
        "time", "event", "subject", "device", "reason", "actor", "correlation_id", "address", "decision",
    ]

    private func change(
        of rows: ClosedRange<Int64>, _ checkpoint: AuditCheckpoint, _ random: inout SeededGenerator
    ) -> (kind: String, Change) {
        let end = rows.upperBound
        let row = Int64.random(in: rows, using: &random)
        let other = Int64.random(in: rows.lowerBound..<end, using: &random)
        let second = other < row ? other : other + 1
        let lowest = min(row, second)
        func copy(_ columns: [String], from source: Int64, to target: Int64) -> String {
            let names = columns.joined(separator: ", ")
            return "UPDATE audit SET (\(names)) = (SELECT \(names) FROM original WHERE sequence = \(source))"
                + " WHERE sequence = \(target)"
        }
        let seal = ["subtree", "authentication_code"]
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
            let finding = row == end ? Finding.shorterThanCheckpoint(row) : .missingEntry(row)
            return (
                "delete",
                Change(
                    statements: ["DELETE FROM audit WHERE sequence = \(row)"], finding: finding,
                    checkpoints: [checkpoint])
            )
        case 1:
            return (
                "truncate",
                Change(
                    statements: ["DELETE FROM audit WHERE sequence >= \(row)"],
                    finding: .shorterThanCheckpoint(end), checkpoints: [checkpoint])
            )
        case 2, 3:
            let columns = Bool.random(using: &random) ? Self.contents : Self.contents + seal
            return (
                "swap",
                Change(
                    statements: [copy(columns, from: row, to: second), copy(columns, from: second, to: row)],
                    finding: .changedEntry(lowest))
            )
        case 4:
            let target = end + Int64.random(in: 1...9, using: &random)
            return (
                "insert after",
                Change(
                    statements: [
                        "INSERT INTO audit SELECT \(target), \((Self.contents + seal).joined(separator: ", "))"
                            + " FROM original WHERE sequence = \(row)"
                    ],
                    finding: target == end + 1 ? .changedEntry(target) : .missingEntry(end + 1))
            )
        case 5:
            // Before the first entry, or in the place of one that was pruned.
            let target = Int64.random(in: -9..<rows.lowerBound, using: &random)
            return (
                "insert before",
                Change(
                    statements: ["INSERT INTO audit (sequence, time, event, reason) VALUES (\(target), 1, 'x', '')"],
                    finding: .changedEntry(target))
            )
        case 6:
            let target = Bool.random(using: &random) ? Int64.max : end + 9
            return (
                "renumber",
                Change(
                    statements: ["UPDATE audit SET sequence = \(target) WHERE sequence = \(row)"],
                    finding: .missingEntry(row))
            )
        case 7:
            return (
                "unseal",
                Change(
                    statements: ["UPDATE audit SET authentication_code = NULL WHERE sequence = \(row)"],
                    finding: .changedEntry(row))
            )
        case 8:
            let statement = copy(seal, from: second, to: row)
            return ("copy seal", Change(statements: [statement], finding: .changedEntry(row)))
        default:
            let column = (Self.contents + seal).randomElement(using: &random) ?? "time"
            let value =
                switch column {
                case "time": "time + 1"
                case "subject", "device", "decision", "subtree", "authentication_code":
                    Bool.random(using: &random) ? "randomblob(\(column.count < 9 ? 16 : 32))" : "x'00'"
                default: Bool.random(using: &random) ? "coalesce(\(column), '') || ' '" : "CAST(x'ff' AS TEXT)"
                }
            return (
                column,
                Change(
                    statements: ["UPDATE audit SET \(column) = \(value) WHERE sequence = \(row)"],
                    finding: .changedEntry(row))
            )
        }
    }

    @Test(arguments: [0, 1, 13, 16, 31] as [Int64])
    func `each of 1,000 random changes by SQL is found, and the first wrong row is named`(
        pruned: Int64
    ) async throws {
        let (rows, checkpoint) = pruned == 0 ? (1...Self.size, checkpoint) : try await prune(pruned)
        #expect(try await findings(after: [], checkpoints: [checkpoint]).isEmpty)
        var random = SeededGenerator(seed: 0x7EE)
        var kinds: [String: Int] = [:]
        for _ in 0..<Self.changes {
            let (kind, change) = change(of: rows, checkpoint, &random)
            kinds[kind, default: 0] += 1
            let findings = try await findings(after: change.statements, checkpoints: change.checkpoints)
            #expect(findings.first == change.finding, "\(change.statements): \(findings)")
        }
        #expect(kinds.count == 19 && kinds.values.allSatisfy { $0 > 9 }, "\(kinds)")
        #expect(try await findings(after: [], checkpoints: [checkpoint]).isEmpty)
    }

    @Test func `only the rows that were changed are named`() async throws {
        let statements = [5, 8, 16, 23].map { "UPDATE audit SET reason = 'x' WHERE sequence = \($0)" }
        #expect(
            try await findings(after: statements) == [5, 8, 16, 23].map { .changedEntry($0) })
        let all = try await findings(after: ["UPDATE audit SET reason = 'x'"], checkpoints: [checkpoint])
        #expect(all == (1...Self.size).map { .changedEntry($0) } + [.otherThanCheckpoint(Self.size)])
    }

    @Test func `a log that ends in a changed row is not signed, and no proof is made of changed rows`() async throws {
        try await database.write { try $0.execute(sql: "UPDATE audit SET subtree = zeroblob(32) WHERE sequence = 40") }
        await #expect(throws: PlatformError(.alteredRow)) { try await harness.platform.auditCheckpoint() }
        await #expect(throws: PlatformError(.alteredRow)) { try await harness.platform.proveAudit(entry: 1) }
        try await database.write { database in
            try database.execute(sql: "DELETE FROM audit; INSERT INTO audit SELECT * FROM original")
            try database.execute(sql: "UPDATE audit SET reason = 'x' WHERE sequence = 3")
        }
        #expect(try await harness.platform.auditCheckpoint().root == checkpoint.root)
        for entry in [1, 3, 40] as [Int64] {
            await #expect(throws: PlatformError(.alteredRow)) { try await harness.platform.proveAudit(entry: entry) }
        }
        await #expect(throws: PlatformError(.alteredRow)) { try await harness.platform.proveAudit(since: 20) }
    }

    @Test(arguments: [
        ("UPDATE audit SET subtree = zeroblob(32) WHERE sequence = 40", [Finding.changedEntry(40)]),
        // The subtree that ends with entry 40 contains the leaf of entry 39.
        ("DELETE FROM audit WHERE sequence = 39", [.missingEntry(39), .changedEntry(40)]),
        ("INSERT INTO audit (sequence, time, event, reason) VALUES (41, 1, 'x', '')", [.changedEntry(41)]),
        ("DELETE FROM audit WHERE sequence = 32", [.missingEntry(32)]),
    ])
    func `the platform goes on with a changed log, and the change stays found`(
        statement: String, expected: [Finding]
    ) async throws {
        try await database.write { try $0.execute(sql: statement) }
        let before = try await harness.platform.verifyAudit().findings
        #expect(before == expected)
        for _ in 0..<40 { try await harness.append() }
        #expect(try await harness.platform.verifyAudit().findings.first == before.first)
        let size = try await harness.platform.auditCheckpoint().size
        #expect(size >= 80)
    }

    @Test func `a change that is undone later does not fit what the platform has sealed meanwhile`() async throws {
        try await database.write { try $0.execute(sql: "DELETE FROM audit WHERE sequence = 32") }
        for _ in 0..<40 { try await harness.append() }
        try await database.write { database in
            try database.execute(sql: "INSERT INTO audit SELECT * FROM original WHERE sequence = 32")
        }
        #expect(try await harness.platform.verifyAudit(against: [checkpoint]).findings == [.changedEntry(64)])
    }

    @Test func `an entry is refused after the highest number that there is`() async throws {
        try await database.write { database in
            try database.execute(
                sql: "INSERT INTO audit (sequence, time, event, reason) VALUES (?, 1, 'x', '')", arguments: [Int64.max])
        }
        await #expect(throws: PlatformError(.alteredRow)) { try await harness.append() }
        #expect(
            try await harness.platform.verifyAudit().findings == [.missingEntry(Self.size + 1), .changedEntry(.max)])
    }

    @Test func `a change of what is kept of pruned entries is found, and nothing is signed or pruned`() async throws {
        let (rows, checkpoint) = try await prune(13)
        try await database.write { try $0.execute(sql: "CREATE TABLE kept AS SELECT * FROM audit_peak") }
        #expect(try await database.read { try Int64.fetchAll($0, sql: "SELECT sequence FROM kept") } == [8, 12, 13])
        let changes = [
            "DELETE FROM audit_peak", "DELETE FROM audit_peak WHERE sequence = 8",
            "UPDATE audit_peak SET subtree = zeroblob(32) WHERE sequence = 12",
            "UPDATE audit_peak SET authentication_code = randomblob(32) WHERE sequence = 13",
            "UPDATE audit_peak SET sequence = 4 WHERE sequence = 8",
        ]
        for change in changes {
            try await database.write { try $0.execute(sql: change) }
            let findings = try await harness.platform.verifyAudit(against: [checkpoint]).findings
            #expect(findings.first == .changedPrunedPart(13) && findings.last == .otherThanCheckpoint(41), "\(change)")
            await #expect(throws: PlatformError(.alteredRow)) { try await harness.platform.auditCheckpoint() }
            await #expect(throws: PlatformError(.alteredRow)) { try await harness.platform.proveAudit(entry: 20) }
            let now = harness.time.now()
            await #expect(throws: AuditPruningError(.changedLog)) { try await harness.exportAudit(before: now) }
            try await database.write { database in
                try database.execute(sql: "DELETE FROM audit_peak; INSERT INTO audit_peak SELECT * FROM kept")
            }
            #expect(try await self.findings(against: checkpoint).isEmpty)
        }
        #expect(rows == 14...41)
    }

    private func findings(against checkpoint: AuditCheckpoint) async throws -> [Finding] {
        try await harness.platform.verifyAudit(against: [checkpoint]).findings
    }

    @Test func `a log that was changed is not pruned`() async throws {
        let date = harness.time.now().advanced(milliseconds: 14)
        harness.time.advance(seconds: 1)
        let part = try await harness.prunedFile(harness.exportAudit(before: date)).part
        for row in [3, 39] {
            try await database.write { try $0.execute(sql: "UPDATE audit SET reason = 'x' WHERE sequence = \(row)") }
            await #expect(throws: AuditPruningError(.changedLog)) { try await harness.exportAudit(before: date) }
            await #expect(throws: AuditPruningError(.changedLog)) {
                try await harness.platform.pruneAudit(part, before: date)
            }
            try await database.write { database in
                try database.execute(sql: "DELETE FROM audit; INSERT INTO audit SELECT * FROM original")
            }
        }
        #expect(try await harness.platform.pruneAudit(part, before: date))
    }

    @Test func `only the platform prunes: a deletion, a forged size and an earlier row are found`() async throws {
        // A database with its triggers.
        let path = folder.file("other.sqlite")
        let store = try await SQLiteStore(path: path)
        let harness = try await Harness(on: store)
        for _ in 0..<20 {
            try await harness.append()
            harness.time.advance(seconds: 1)
        }
        let database = try DatabaseQueue(path: path)
        func refuses(_ statement: String) async {
            await #expect(throws: DatabaseError.self) { try await database.write { try $0.execute(sql: statement) } }
        }
        await refuses("DELETE FROM audit WHERE sequence = 1")
        try await database.write { database in
            try database.execute(sql: "CREATE TABLE before AS SELECT * FROM platform_state")
        }
        try await harness.pruneAudit(before: harness.time.now().advanced(milliseconds: -10_500))
        #expect(try await harness.auditNumbers().first == 11)
        await refuses("DELETE FROM audit WHERE sequence = 11")
        try await database.write { database in
            // Another program inserts a row of the pruned part, and one before all.
            for number in [0, 5] {
                try database.execute(
                    sql: "INSERT INTO audit (sequence, time, event, reason) VALUES (\(number), 1, 'x', '')")
            }
        }
        #expect(try await harness.platform.verifyAudit().findings == [.changedEntry(0), .changedEntry(5)])
        await refuses("DELETE FROM audit WHERE sequence = 0")
        try await database.write { try $0.execute(sql: "DELETE FROM audit WHERE sequence = 5") }
        // The earlier row about the platform does not know of the pruning.
        try await database.write { database in
            try database.execute(sql: "CREATE TABLE after AS SELECT * FROM platform_state")
            try database.execute(
                sql: "DELETE FROM platform_state; INSERT INTO platform_state SELECT * FROM before")
        }
        #expect(
            try await harness.platform.verifyAudit().findings == [
                .changedEntry(0), .missingEntry(1), .changedEntry(12), .changedEntry(16),
            ])
        for change in ["audit_pruned_size = 15", "audit_pruned_size = NULL", "audit_pruned_root = zeroblob(32)"] {
            try await database.write { database in
                try database.execute(
                    sql: """
                        DELETE FROM platform_state; INSERT INTO platform_state SELECT * FROM after;
                        UPDATE platform_state SET \(change)
                        """)
            }
            await #expect(throws: PlatformError(.alteredRow)) { try await harness.platform.verifyAudit() }
        }
    }
}
