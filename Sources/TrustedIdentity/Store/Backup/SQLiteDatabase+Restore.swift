internal import CLibrary
internal import CSQLite

extension SQLiteDatabase {
    /// Replaces a database that no process has open by a backup of it.
    ///
    /// The backup is copied, opened, checked and brought to the current schema beside the database, and given to
    /// `check`. Only then does it take the place of the database, in one step. Whenever the process is killed, the
    /// database is the earlier one or the restored one. The earlier one stays, under another name. After a kill, the
    /// journal of a damaged database may be beside its second name.
    ///
    /// - Parameters:
    ///   - path: The path of the database. There may be none.
    ///   - file: The path of the backup, which stays as it is.
    ///   - aside: The path for the earlier database. There must be no file, nor a journal that belongs to it.
    ///   - check: A closure that uses the restored database, and throws when it must not take the place.
    /// - Returns: The result of the closure.
    /// - Throws: ``DatabaseError`` with `inUse` while a process has the database open, `newerSchema` for a backup of
    ///   a newer version, `corrupt` for a damaged or incomplete one, `inaccessible` when a file cannot be read or
    ///   written; the error of `check`. The database is the earlier one then, unless the message says that the folder
    ///   of the restored one cannot be synced.
    public static func restore<Result: Sendable>(
        _ path: String, from file: String, keepingEarlierAt aside: String,
        _ check: (SQLiteDatabase) async throws -> Result
    ) async throws -> Result {
        try await restore(path, from: file, keepingEarlierAt: aside, afterEachStep: {}, check)
    }

    /// Does the same, and calls a closure after each step that changes a file: for tests of what a kill leaves.
    static func restore<Result: Sendable>(
        _ path: String, from file: String, keepingEarlierAt aside: String, afterEachStep step: () throws -> Void,
        _ check: (SQLiteDatabase) async throws -> Result
    ) async throws -> Result {
        let lock = try ProcessLock(path: path + ".lock")
        defer { lock.release() }
        let draft = path + ".restoring"
        removeDatabase(draft)
        defer { removeDatabase(draft) }
        try copy(file, to: draft)
        try step()
        let store: SQLiteDatabase
        do throws(DatabaseError) {
            store = try await SQLiteDatabase(path: draft)
        } catch {
            guard error.code == .corrupt else { throw error }
            throw DatabaseError(.corrupt, "the backup is not a database, or it is damaged", underlying: error)
        }
        let result: Result
        do {
            result = try await check(store)
            try await store.close()
        } catch {
            try? await store.close()
            throw error
        }
        try step()
        try emptyJournal(of: path)
        try step()
        try keepEarlier(path, at: aside)
        try step()
        // The draft has all its changes in one file, because its store was closed.
        guard unsafe rename(draft, path) == 0 else {
            returnEarlier(path, from: aside)
            throw DatabaseError(.inaccessible, "the restored database cannot be put in place")
        }
        try step()
        guard syncFolder(of: path) else {
            throw DatabaseError(.inaccessible, "the folder of the restored database cannot be synced")
        }
        return result
    }

    /// Writes the changes that are in the journal of the earlier database to its file, and removes the journal.
    /// Otherwise the journal would be applied to the restored database.
    ///
    /// The journal of a damaged database stays: ``keepEarlier(_:at:)`` moves it.
    private static func emptyJournal(of path: String) throws(DatabaseError) {
        guard unsafe access(path, F_OK) == 0 else {
            guard journalSuffixes.allSatisfy({ unsafe access(path + $0, F_OK) != 0 }) else {
                throw DatabaseError(.inaccessible, "a journal is there without its database: move it away")
            }
            return
        }
        do {
            let database = try SQLiteConnection(path)
            // The first read opens the journal.
            try database.execute("SELECT count(*) FROM sqlite_schema")
            try database.checkpoint(.truncating)
            try database.close()
        } catch let error where [SQLITE_CORRUPT, SQLITE_NOTADB].contains(error.primaryCode) {
            return
        } catch let error where [SQLITE_BUSY, SQLITE_LOCKED].contains(error.primaryCode) {
            throw openElsewhere
        } catch {
            throw DatabaseError(error)
        }
        guard SystemCall.length(of: path + "-wal") ?? 0 == 0 else { throw openElsewhere }
        for suffix in journalSuffixes { _ = unsafe unlink(path + suffix) }
    }

    /// The error when a program that does not take the lock, such as the sqlite3 shell, has the database open.
    private static var openElsewhere: DatabaseError {
        DatabaseError(.inUse, "another program has the database open")
    }

    /// Gives the earlier database a second name, and the journal of a damaged one the name that belongs to it.
    private static func keepEarlier(_ path: String, at aside: String) throws(DatabaseError) {
        guard unsafe access(path, F_OK) == 0 else { return }
        // A journal that is there would be applied to the earlier database when it is opened under its second name.
        guard journalSuffixes.allSatisfy({ unsafe access(aside + $0, F_OK) != 0 }), unsafe link(path, aside) == 0 else {
            throw DatabaseError(.inaccessible, "the earlier database cannot be kept under another name")
        }
        for suffix in journalSuffixes where unsafe access(path + suffix, F_OK) == 0 {
            guard unsafe rename(path + suffix, aside + suffix) == 0 else {
                returnEarlier(path, from: aside)
                throw DatabaseError(.inaccessible, "the journal of the earlier database cannot be moved")
            }
        }
    }

    /// Undoes ``keepEarlier(_:at:)``: the journal gets its earlier name, and the second name of the database is
    /// removed. A repair of the damaged database needs its journal.
    private static func returnEarlier(_ path: String, from aside: String) {
        // Without an earlier database nothing was moved, and a file with one of these names belongs to something else.
        guard unsafe access(path, F_OK) == 0 else { return }
        for suffix in journalSuffixes where unsafe access(aside + suffix, F_OK) == 0 {
            // A journal that cannot be moved back keeps its database beside it.
            guard unsafe rename(aside + suffix, path + suffix) == 0 else { return }
        }
        _ = unsafe unlink(aside)
    }

    private static let journalSuffixes = ["-wal", "-shm"]

    /// Copies a file into a new one for its owner only, and syncs it.
    private static func copy(_ file: String, to copy: String) throws(DatabaseError) {
        let source = unsafe open(file, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw DatabaseError(.inaccessible, "the backup cannot be opened") }
        defer { CLibrary.close(source) }
        let target = unsafe open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard target >= 0 else { throw DatabaseError(.inaccessible, "the copy of the backup cannot be made") }
        defer { CLibrary.close(target) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            var span = buffer.mutableSpan
            let count = SystemCall.read(source, into: &span)
            guard count >= 0 else { throw DatabaseError(.inaccessible, "the backup cannot be read") }
            guard count > 0 else { break }
            guard SystemCall.write(buffer.span.extracting(0..<count), to: target) else {
                throw DatabaseError(.inaccessible, "the copy of the backup cannot be written")
            }
        }
        guard fsync(target) == 0 else {
            throw DatabaseError(.inaccessible, "the copy of the backup cannot be written")
        }
    }

    private static func removeDatabase(_ path: String) {
        for suffix in ["", "-wal", "-shm", ".lock"] { _ = unsafe unlink(path + suffix) }
    }
}
