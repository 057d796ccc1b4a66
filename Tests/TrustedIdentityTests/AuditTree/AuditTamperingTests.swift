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

    private func change(_ random: inout SeededGenerator) -> (kind: String, Change) {
        let row = Int64.random(in: 1...Self.size, using: &random)
        let other = Int64.random(in: 1..<Self.size, using: &random)
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
            let finding = row == Self.size ? Finding.shorterThanCheckpoint(row) : .missingEntry(row)
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
                    finding: .shorterThanCheckpoint(Self.size), checkpoints: [checkpoint])
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
            let target = Self.size + Int64.random(in: 1...9, using: &random)
            return (
                "insert after",
                Change(
                    statements: [
                        "INSERT INTO audit SELECT \(target), \((Self.contents + seal).joined(separator: ", "))"
                            + " FROM original WHERE sequence = \(row)"
                    ],
                    finding: target == Self.size + 1 ? .changedEntry(target) : .missingEntry(Self.size + 1))
            )
        case 5:
            let target = -Int64.random(in: 0...9, using: &random)
            return (
                "insert before",
                Change(
                    statements: ["INSERT INTO audit (sequence, time, event, reason) VALUES (\(target), 1, 'x', '')"],
                    finding: .changedEntry(target))
            )
        case 6:
            let target = Bool.random(using: &random) ? Int64.max : Self.size + 9
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

    @Test func `each of 1,000 random changes by SQL is found, and the first wrong row is named`() async throws {
        #expect(try await findings(after: [], checkpoints: [checkpoint]).isEmpty)
        var random = SeededGenerator(seed: 0x7EE)
        var kinds: [String: Int] = [:]
        for _ in 0..<Self.changes {
            let (kind, change) = change(&random)
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
}
