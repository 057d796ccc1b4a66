import Foundation
import TestSupport
import Testing
@testable import TrustedIdentity

/// The copy of a database that is in use.
@Suite final class BackupTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a backup has what was committed, and is for its owner only`() async throws {
        let store = try await SQLiteDatabase(path: folder.file("platform.sqlite"))
        _ = try await store.write { try $0.insert(SQLiteDatabaseTests.account("before@master")) }
        try await store.backup(to: folder.file("backup.sqlite"))
        _ = try await store.write { try $0.insert(SQLiteDatabaseTests.account("after@master")) }
        try await store.close()
        #expect(try folder.mode("backup.sqlite") == 0o600)
        #expect(try !folder.files().contains("backup.sqlite.new"))
        let copy = try await SQLiteDatabase(path: folder.file("backup.sqlite"))
        #expect(try await copy.read { try $0.account("before@master") } != nil)
        #expect(try await copy.read { try $0.account("after@master") } == nil)
        try await copy.close()
    }

    @Test(arguments: ["backup.sqlite", "backup.sqlite.new"])
    func `a backup replaces no file`(name: String) async throws {
        let store = try await SQLiteDatabase(path: folder.file("platform.sqlite"))
        try Data("earlier".utf8).write(to: URL(filePath: folder.file(name)))
        await #expect { try await store.backup(to: folder.file("backup.sqlite")) } throws: {
            ($0 as? DatabaseError)?.code == .inaccessible
        }
        #expect(try folder.bytes(name).elementsEqual("earlier".utf8))
        try await store.close()
    }

    @Test func `a backup into a folder that does not exist leaves the store in use`() async throws {
        let store = try await SQLiteDatabase(path: folder.file("platform.sqlite"))
        await #expect { try await store.backup(to: folder.file("missing/backup.sqlite")) } throws: {
            ($0 as? DatabaseError)?.code == .inaccessible
        }
        #expect(try await store.write { try $0.insert(SQLiteDatabaseTests.account("alice@master")) })
        try await store.close()
    }
}
