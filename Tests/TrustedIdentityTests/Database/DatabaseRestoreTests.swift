import Foundation
import TestSupport
import Testing

@testable import TrustedIdentity

/// A backup that takes the place of a database, or does not.
@Suite final class DatabaseRestoreTests {
    let folder: TemporaryFolder
    var path: String { folder.file("platform.sqlite") }
    var backup: String { folder.file("backup.sqlite") }
    var aside: String { folder.file("platform.sqlite.before") }

    init() throws { folder = try TemporaryFolder() }

    /// Makes a database with two accounts, and a backup with the first of them.
    private func prepare() async throws {
        let store = try await SQLiteDatabase(path: path)
        _ = try await store.write { try $0.insert(SQLiteDatabaseTests.account("before@master")) }
        try await store.backup(to: backup)
        _ = try await store.write { try $0.insert(SQLiteDatabaseTests.account("after@master")) }
        try await store.close()
    }

    /// Returns the names of the accounts of a database.
    private func accounts(_ path: String) async throws -> [String] {
        let store = try await SQLiteDatabase(path: path)
        let names = try await store.read { try $0.accounts(after: nil, limit: 9).map(\.name) }
        try await store.close()
        return names
    }

    private func restore(_ check: (SQLiteDatabase) async throws -> Void = { _ in }) async throws {
        try await SQLiteDatabase.restore(path, from: backup, keepingEarlierAt: aside, check)
    }

    /// Requires that the database is the earlier one, and that nothing is left over.
    private func expectUnchanged() async throws {
        #expect(try await accounts(path) == ["after@master", "before@master"])
        #expect(try folder.files().filter { $0.contains("restoring") || $0.contains("before") } == [])
    }

    @Test func `a restored database has what the closure wrote, and the earlier one stays`() async throws {
        try await prepare()
        try await restore { store in
            #expect(try await store.read { try $0.account("after@master") } == nil)
            _ = try await store.write { try $0.insert(SQLiteDatabaseTests.account("new@master")) }
        }
        #expect(try await accounts(path) == ["before@master", "new@master"])
        #expect(try await accounts(aside) == ["after@master", "before@master"])
        #expect(try await accounts(backup) == ["before@master"], "the backup stays as it is")
        #expect(try folder.mode("platform.sqlite") == 0o600)
        #expect(try !folder.files().contains { $0.contains("restoring") })
    }

    @Test func `a lost database is restored`() async throws {
        try await prepare()
        for file in try folder.files() where file.hasPrefix("platform") {
            try FileManager.default.removeItem(atPath: folder.file(file))
        }
        try await restore()
        #expect(try await accounts(path) == ["before@master"])
        #expect(try !folder.files().contains("platform.sqlite.before"))
    }

    @Test func `what a process that was killed left in the journal is in the earlier database`() async throws {
        try await prepare()
        // The files as a kill leaves them: the last change is in the journal alone.
        let store = try await SQLiteDatabase(path: path)
        _ = try await store.write { try $0.insert(SQLiteDatabaseTests.account("late@master")) }
        let copy = try TemporaryFolder()
        for name in ["platform.sqlite", "platform.sqlite-wal"] { try copy.write(try folder.bytes(name), to: name) }
        try await store.close()
        #expect(try !copy.bytes("platform.sqlite-wal").isEmpty)
        try await SQLiteDatabase.restore(
            copy.file("platform.sqlite"), from: backup, keepingEarlierAt: copy.file("earlier.sqlite")
        ) { _ in }
        #expect(try await accounts(copy.file("platform.sqlite")) == ["before@master"])
        #expect(try await accounts(copy.file("earlier.sqlite")).contains("late@master"))
    }

    @Test func `a damaged database is replaced, and kept with its journal`() async throws {
        try await prepare()
        try folder.write([UInt8](repeating: 0xA5, count: 60_000), to: "platform.sqlite")
        try folder.write([1, 2, 3], to: "platform.sqlite-wal")
        try await restore()
        #expect(try !folder.files().contains("platform.sqlite-wal"))
        #expect(try await accounts(path) == ["before@master"])
        #expect(try folder.bytes("platform.sqlite.before").first == 0xA5)
    }

    /// Returns a folder as a kill has left it, in which the database was then damaged, and the bytes of its journal.
    private func damagedAfterKill() async throws -> (folder: TemporaryFolder, journal: [UInt8]) {
        try await prepare()
        let store = try await SQLiteDatabase(path: path)
        _ = try await store.write { try $0.insert(SQLiteDatabaseTests.account("late@master")) }
        let killed = try Self.copy(of: folder)
        try await store.close()
        try killed.write([UInt8](repeating: 0xA5, count: 60_000), to: "platform.sqlite")
        let journal = try killed.bytes("platform.sqlite-wal")
        #expect(!journal.isEmpty)
        return (killed, journal)
    }

    /// Restores a database whose draft is removed before its last step, so that it cannot be renamed.
    private func restoreWithoutDraft(
        _ name: String, in folder: TemporaryFolder, beforeRemoval: () throws -> Void = {}
    ) async {
        var steps = 0
        await #expect {
            try await SQLiteDatabase.restore(
                folder.file(name), from: folder.file("backup.sqlite"), keepingEarlierAt: folder.file("earlier.sqlite"),
                afterEachStep: {
                    steps += 1
                    guard steps == 4 else { return }
                    try beforeRemoval()
                    try FileManager.default.removeItem(atPath: folder.file("\(name).restoring"))
                }
            ) { _ in }
        } throws: { ($0 as? DatabaseError)?.code == .inaccessible }
        #expect(steps == 4)
    }

    @Test func `the journal of a damaged database is kept with it`() async throws {
        let (folder, journal) = try await damagedAfterKill()
        try await SQLiteDatabase.restore(
            folder.file("platform.sqlite"), from: folder.file("backup.sqlite"),
            keepingEarlierAt: folder.file("earlier.sqlite")
        ) { _ in }
        #expect(try folder.bytes("earlier.sqlite-wal") == journal)
        #expect(try await accounts(folder.file("platform.sqlite")) == ["before@master"])
    }

    @Test func `a damaged database keeps its journal when the restored one cannot take its place`() async throws {
        let (folder, journal) = try await damagedAfterKill()
        await restoreWithoutDraft("platform.sqlite", in: folder) {
            let moved = try folder.bytes("earlier.sqlite-wal")
            #expect(moved == journal)
        }
        #expect(try folder.bytes("platform.sqlite-wal") == journal)
        #expect(try folder.bytes("platform.sqlite").first == 0xA5)
        #expect(try folder.files().filter { $0.hasPrefix("earlier") || $0.contains("restoring") } == [])
    }

    @Test func `a journal without its database is not applied to the restored one`() async throws {
        let (folder, journal) = try await damagedAfterKill()
        try FileManager.default.removeItem(atPath: folder.file("platform.sqlite"))
        await #expect {
            try await SQLiteDatabase.restore(
                folder.file("platform.sqlite"), from: folder.file("backup.sqlite"),
                keepingEarlierAt: folder.file("earlier.sqlite")
            ) { _ in }
        } throws: { ($0 as? DatabaseError)?.code == .inaccessible }
        #expect(try folder.bytes("platform.sqlite-wal") == journal)
        #expect(try !folder.files().contains("platform.sqlite"))
    }

    @Test func `a file that has the second name already stays when there is no earlier database`() async throws {
        try await prepare()
        for name in ["earlier.sqlite", "earlier.sqlite-wal"] { try folder.write([1], to: name) }
        await restoreWithoutDraft("none.sqlite", in: folder)
        for name in ["earlier.sqlite", "earlier.sqlite-wal"] { #expect(try folder.bytes(name) == [1]) }
        #expect(try !folder.files().contains { $0.hasPrefix("none.sqlite-") })
    }

    @Test(arguments: ["-wal", "-shm"])
    func `a journal beside the name for the earlier database is not applied to it`(suffix: String) async throws {
        try await prepare()
        try folder.write([1, 2, 3], to: "platform.sqlite.before\(suffix)")
        await #expect { try await restore() } throws: { ($0 as? DatabaseError)?.code == .inaccessible }
        #expect(try folder.bytes("platform.sqlite.before\(suffix)") == [1, 2, 3])
        #expect(try !folder.files().contains("platform.sqlite.before"))
        #expect(try await accounts(path) == ["after@master", "before@master"])
    }

    @Test func `a backup that is cut off at any page, damaged or empty changes nothing`() async throws {
        try await prepare()
        let whole = try folder.bytes("backup.sqlite")
        for length in stride(from: 0, to: whole.count, by: 4_096 * 7) + [1, 100, whole.count - 4_096] {
            try folder.write(Array(whole.prefix(length)), to: "backup.sqlite")
            // An empty file is an empty database, which the caller refuses.
            await #expect(throws: (any Error).self, "\(length)") {
                try await restore { store in
                    guard try await store.read({ try $0.account("before@master") }) != nil else {
                        throw CocoaError(.fileReadCorruptFile)
                    }
                }
            }
        }
        try folder.write(Array("not a database, but a text that is long enough".utf8), to: "backup.sqlite")
        await #expect(throws: DatabaseError.self) { try await restore() }
        try await expectUnchanged()
    }

    @Test func `a backup of a newer version, and one that the caller refuses, change nothing`() async throws {
        try await prepare()
        await #expect(throws: CocoaError.self) { try await restore { _ in throw CocoaError(.fileReadUnknown) } }
        try await expectUnchanged()
        let queue = try SQLiteConnection(backup)
        try queue.execute("PRAGMA user_version = 99")
        try queue.close()
        await #expect { try await restore() } throws: { ($0 as? DatabaseError)?.code == .newerSchema }
        try await expectUnchanged()
    }

    @Test func `a database that is in use is not replaced, and no file is`() async throws {
        try await prepare()
        let store = try await SQLiteDatabase(path: path)
        await #expect { try await restore() } throws: { ($0 as? DatabaseError)?.code == .inUse }
        try await store.close()
        try folder.write([1], to: "platform.sqlite.before")
        await #expect { try await restore() } throws: { ($0 as? DatabaseError)?.code == .inaccessible }
        #expect(try folder.bytes("platform.sqlite.before") == [1])
        #expect(try await accounts(path) == ["after@master", "before@master"])
    }

    @Test func `a kill after any step leaves the earlier database or the restored one`() async throws {
        try await prepare()
        // The last change of the earlier database is in its journal alone, as after a kill.
        let store = try await SQLiteDatabase(path: path)
        _ = try await store.write { try $0.insert(SQLiteDatabaseTests.account("late@master")) }
        let killed = try Self.copy(of: folder)
        try await store.close()
        var copies: [TemporaryFolder] = []
        try await SQLiteDatabase.restore(
            killed.file("platform.sqlite"), from: killed.file("backup.sqlite"),
            keepingEarlierAt: killed.file("earlier.sqlite"),
            afterEachStep: { copies.append(try Self.copy(of: killed)) }
        ) { store in
            _ = try await store.write { try $0.insert(SQLiteDatabaseTests.account("new@master")) }
        }
        var seen: [[String]] = []
        for copy in copies { seen.append(try await accounts(copy.file("platform.sqlite"))) }
        let earlier = ["after@master", "before@master", "late@master"]
        let restored = ["before@master", "new@master"]
        #expect(seen == [earlier, earlier, earlier, earlier, restored])
    }

    @Test func `a restore does not change the schema of the earlier database`() async throws {
        try await prepare()
        let queue = try SQLiteConnection(path)
        try queue.execute("PRAGMA user_version = 99")
        try queue.close()
        try await restore()
        let earlier = try SQLiteConnection(aside)
        #expect(try earlier.number("PRAGMA user_version") == 99)
        #expect(try await accounts(path) == ["before@master"])
    }

    @Test func `a database that another program reads is not replaced`() async throws {
        try await prepare()
        let other = try SQLiteConnection(path)
        try other.execute("UPDATE account SET name = name")
        // A snapshot holds the journal, which cannot be emptied.
        let snapshot = try SQLiteConnection(path, .reading)
        try snapshot.execute("BEGIN; SELECT name FROM account")
        try other.execute("UPDATE account SET name = name")
        await #expect { try await restore() } throws: { ($0 as? DatabaseError)?.code == .inUse }
        try snapshot.close()
        try other.close()
        #expect(try await accounts(path) == ["after@master", "before@master"])
        #expect(try !folder.files().contains("platform.sqlite.before"))
    }

    /// Returns a copy of a folder, as a kill would leave it.
    private static func copy(of folder: TemporaryFolder) throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        // The index of a journal is memory that processes share: the next process that opens the database makes it.
        for name in try folder.files() where !name.hasSuffix("-shm") {
            try copy.write(try folder.bytes(name), to: name)
        }
        return copy
    }

    @Test func `what an interrupted restore left is replaced`() async throws {
        try await prepare()
        try folder.write([1, 2, 3], to: "platform.sqlite.restoring")
        try folder.write([1, 2, 3], to: "platform.sqlite.restoring-wal")
        try await restore()
        #expect(try await accounts(path) == ["before@master"])
    }
}
