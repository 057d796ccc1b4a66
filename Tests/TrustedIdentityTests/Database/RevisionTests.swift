import Foundation
import Primitives
import TestSupport
import Testing
import TrustedIdentity

/// A database that was written at the first revision of the schema.
@Suite struct RevisionTests {
    private static let vector = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors/store/revision-1.sql")

    /// The tables, indexes, views and triggers of a database.
    private static func schema(_ path: String) throws -> [String] {
        try SQLiteConnection(path).texts(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY name")
    }

    @Test func `a database of revision 1 opens, has the schema of a new one, and serves its users`() async throws {
        let folder = try TemporaryFolder()
        let (path, fresh) = (folder.file("old.sqlite"), folder.file("new.sqlite"))
        let dump = try String(contentsOf: Self.vector, encoding: .utf8)
        let old = try SQLiteConnection(path)
        try old.execute(dump.replacing(/(BEGIN TRANSACTION|COMMIT|PRAGMA .*);/, with: ""))
        try old.execute("PRAGMA application_id = \(0x5449_6479); PRAGMA user_version = 1")
        try old.close()

        let store = try await SQLiteDatabase(path: path)
        try await SQLiteDatabase(path: fresh).close()
        #expect(try Self.schema(path) == Self.schema(fresh))

        func key(_ name: String) throws -> SecretBytes {
            let line = try #require(dump.split(separator: "\n").first { $0.hasPrefix("-- \(name) ") })
            return SecretBytes(copying: Array(line.dropFirst(name.utf8.count + 4).utf8))
        }
        let platform = try await Platform(
            database: store, masterKey: MasterKey(encoded: key("master.key")))
        let alice = try AccountName(userID: "alice", domain: "master")
        let password = "correct horse 1"
        #expect(
            try await platform.login(.init(account: alice, credential: .staticPassword(password))).status == .accepted)
        #expect(try await platform.verifyAudit().findings.isEmpty)
        #expect(try await platform.audit(of: alice, limit: 9).count == 3)
        try await store.close()
    }
}
