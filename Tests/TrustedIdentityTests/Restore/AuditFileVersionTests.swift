import Crypto
import Foundation
import GRDB
import OrchestrationTesting
import Primitives
import TestSupport
import Testing
import TrustedIdentitySQLite

@testable import TrustedIdentity

/// Exported audit logs and databases from before accounts had subjects, and files of later versions.
@Suite struct AuditFileVersionTests {
    let folder: TemporaryFolder
    var live: String { folder.file("platform.sqlite") }
    var backup: String { folder.file("backup.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func run(_ path: String, _ body: (Harness) async throws -> Void) async throws {
        let store = try await SQLiteStore(path: path)
        do {
            // What is drawn on the backup is not what was drawn on the database before.
            try await body(Harness(on: store, random: SeededRandomSource(seed: path == backup ? 2 : 1)))
        } catch {
            try await store.close()
            throw error
        }
        try await store.close()
    }

    private func change(_ path: String, _ statements: String...) throws {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        try queue.writeWithoutTransaction { database in
            for statement in statements { try database.execute(sql: statement) }
        }
    }

    /// Makes the entries those of a version that did not keep their origin.
    private func makeEarlier(_ path: String) throws {
        try change(
            path, "DROP TRIGGER audit_is_never_changed",
            "UPDATE audit SET actor = NULL, correlation_id = NULL, address = NULL, decision = NULL",
            """
            CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
            BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END
            """)
    }

    /// Returns a file with other lines and another last line, and the HMAC that belongs to them.
    private func rewritten(
        _ file: [UInt8], line: ([String: Any]) -> [String: Any] = { $0 }, last: ([String: Any]) -> [String: Any]
    ) throws -> [UInt8] {
        func encoded(_ object: [String: Any]) throws -> [UInt8] {
            Array(try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes]))
        }
        func object(_ line: [UInt8]) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        }
        let lines = file.split(separator: 10).map { Array($0) }
        var result: [UInt8] = []
        for entry in lines.dropLast() { result += try encoded(line(object(entry))) + [10] }
        var summary = last(try object(try #require(lines.last)))
        summary["hmac"] = nil
        result += try encoded(summary).dropLast() + AuditFile.hmacField
        let master = try MasterKey(id: "test", bytes: SecretBytes(copying: [UInt8](repeating: 9, count: 32)))
        let code = HMAC<SHA256>.authenticationCode(for: result, using: AuditFile.key(of: master))
        return result + Hex.encode(Array(code)).utf8 + AuditFile.end
    }

    /// Makes a backup, removes alice and bob's static password, and returns the export and the names by subject.
    private func lose(isEarlier: Bool) async throws -> (file: [UInt8], names: [String: String]) {
        var names: [String: String] = [:]
        try await run(live) { harness in
            for user in [Harness.alice, "bob@master"] {
                _ = try await harness.register(user, staticPassword: "a horse")
                let account = try await harness.platform.store.read { try $0.account(user) }
                names[Hex.encode(try #require(account?.subject))] = user
            }
        }
        if isEarlier { try makeEarlier(live) }
        try FileManager.default.copyItem(atPath: live, toPath: backup)
        try await run(live) { harness in
            try await harness.platform.unregister(Harness.account())
            _ = try await harness.register("bob@master", staticPassword: "another horse")
        }
        if isEarlier { try makeEarlier(live) }
        var file: [UInt8] = []
        try await run(live) { file = try await $0.exportAudit() }
        return (file, names)
    }

    @Test func `a restore finds accounts by their subjects, although the file does not name them`() async throws {
        let (file, _) = try await lose(isEarlier: false)
        #expect(!String(decoding: file, as: UTF8.self).contains(Harness.alice))
        try await run(backup) { harness in
            let report = try await harness.restore(applying: file)
            #expect(report.accounts == 1 && report.staticPasswords == 2 && report.unknown.isEmpty, "\(report)")
            #expect(try await harness.platform.account(Harness.account()) == nil)
        }
    }

    @Test func `an account that was registered after the restore with a name of before is another one`() async throws {
        var file: [UInt8] = []
        try await run(live) { _ in }
        try FileManager.default.copyItem(atPath: live, toPath: backup)
        try await run(live) { harness in
            _ = try await harness.register()
            try await harness.platform.unregister(Harness.account())
            file = try await harness.exportAudit()
        }
        try await run(backup) { harness in
            try await harness.platform.markRestored(revocations: .unknown)
            _ = try await harness.register()
            let report = try await harness.restore(applying: file)
            #expect(report.isLater && report.accounts == 0 && report.unknown.map(\.event) == [.unregistered])
            #expect(try await harness.platform.account(Harness.account()) != nil)
        }
    }

    @Test func `a file of version 1 names accounts, and is applied to a backup of its time`() async throws {
        let (file, names) = try await lose(isEarlier: true)
        let earlier = try rewritten(
            file,
            line: { line in
                var line = line
                line["account"] = (line["subject"] as? String).flatMap { names[$0] }
                for field in ["subject", "actor"] { line[field] = nil }
                return line
            }, last: { $0.filter { $0.key != "version" } })
        let text = String(decoding: earlier, as: UTF8.self)
        #expect(text.contains(Harness.alice) && !text.contains("subject") && !text.contains("version"))
        // The upgrade of the backup draws other subjects.
        try drawSubjects(backup)
        try await run(backup) { harness in
            let report = try await harness.restore(applying: earlier)
            #expect(report.accounts == 1 && report.staticPasswords == 2 && report.unknown.isEmpty, "\(report)")
        }
    }

    @Test func `a file from after the upgrade is refused for a backup from before it`() async throws {
        let (file, _) = try await lose(isEarlier: true)
        try drawSubjects(backup)
        try await run(backup) { harness in
            await #expect(throws: AuditFileError(.otherSubjects)) { _ = try await harness.restore(applying: file) }
        }
        // Nothing shows that the subjects of both are the same where no common entry has one.
        var part: [UInt8] = []
        try await run(live) { harness in part = try await harness.exportAudit(from: 2) }
        try await run(backup) { harness in
            await #expect(throws: AuditFileError.self) { _ = try await harness.restore(applying: part) }
            let state = try await harness.platform.store.read { try $0.platformState() }
            #expect(state?.restoredAt == nil)
        }
    }

    @Test func `a file of a later version is refused by name`() async throws {
        let (file, _) = try await lose(isEarlier: false)
        let later = try rewritten(file, last: { $0.merging(["version": 3]) { $1 } })
        try await run(backup) { harness async throws in
            await #expect(throws: AuditFileError(.newerVersion)) { _ = try await harness.restore(applying: later) }
            let same = try rewritten(file, last: { $0 })
            let report = try await harness.restore(applying: same)
            #expect(report.accounts == 1)
        }
    }

    /// Gives each account of a database another subject, in its row and in the log. The HMACs of the rows are made
    /// anew.
    private func drawSubjects(_ path: String) throws {
        try change(
            path, "DROP TRIGGER audit_is_never_changed",
            "CREATE TEMP TABLE drawn AS SELECT subject AS old, randomblob(16) AS new FROM account",
            """
            UPDATE audit SET subject = (SELECT new FROM drawn WHERE old = audit.subject) WHERE subject IS NOT NULL
            """,
            "UPDATE account SET subject = (SELECT new FROM drawn WHERE old = account.subject)",
            """
            CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
            BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END
            """)
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        let master = try MasterKey(id: "test", bytes: SecretBytes(copying: [UInt8](repeating: 9, count: 32)))
        let authenticator = RowAuthenticator(tenant: "default", masterKey: master)
        try queue.write { database in
            for row in try Row.fetchAll(database, sql: "SELECT * FROM account") {
                let sealed: Data = row["static_password"]
                let account = AccountRecord(
                    name: row["name"], createdAt: Timestamp(millisecondsSinceEpoch: row["created_at"]),
                    registrationID: row["registration_id"], staticPassword: SealedValue(packed: Array(sealed)),
                    subject: Array(row["subject"] as Data), version: row["version"])
                let code = try #require(authenticator.authenticated(account).authenticationCode)
                try database.execute(
                    sql: "UPDATE account SET authentication_code = ? WHERE name = ?",
                    arguments: [Data(code), account.name])
            }
        }
    }
}
