internal import CLibrary

extension SQLiteDatabase {
    /// Copies the database, as one commit left it, while the store reads and writes.
    ///
    /// The copy has one file, without a journal, and mode 0600. It appears under its name when it is complete, was
    /// checked and was synced. Until then it is `<file>.new`, which is deleted after a failure; one that a process left
    /// when it was ended has to be deleted by hand.
    ///
    /// - Parameter file: The path of the copy. Neither it nor `<file>.new` may exist.
    /// - Throws: ``DatabaseError`` with `inaccessible` when a file exists or cannot be written, and with `corrupt`
    ///   when the copy does not pass its check. No file has the name then.
    public func backup(to file: String) async throws(DatabaseError) {
        try await Self.backup(of: path, to: file)
    }

    /// Copies a database that another process may have open, as ``backup(to:)`` does.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - file: The path of the copy. Neither it nor `<file>.new` may exist.
    public static func backup(of path: String, to file: String) async throws(DatabaseError) {
        let draft = file + ".new"
        let descriptor = try makeDraft(draft, of: file)
        defer {
            CLibrary.close(descriptor)
            _ = unsafe unlink(draft)
        }
        do {
            // A separate connection: the copy holds neither the writer nor one of the readers.
            try await QueuedConnection(SQLiteConnection(path, .reading)).run { source in
                _ = try source.rows("VACUUM INTO ?", [.text(draft)])
                try source.close()
            }
            let findings = try await QueuedConnection(SQLiteConnection(draft, .reading)).run { copy in
                defer { try? copy.close() }
                return try copy.texts("PRAGMA quick_check(1)")
            }
            guard findings == ["ok"] else { throw DatabaseError(.corrupt, "the copy of the database is damaged") }
        } catch {
            throw DatabaseError(error)
        }
        // link fails where rename would replace a file that another process has made meanwhile.
        guard fsync(descriptor) == 0, unsafe link(draft, file) == 0 else {
            throw DatabaseError(.inaccessible, "the backup cannot be completed")
        }
        guard syncFolder(of: file) else {
            // A power failure could remove the name. No file is left after an error.
            _ = unsafe unlink(file)
            throw DatabaseError(.inaccessible, "the backup cannot be completed")
        }
    }

    /// Makes an empty file for its owner only, which SQLite fills.
    private static func makeDraft(_ draft: String, of file: String) throws(DatabaseError) -> CInt {
        // Unlike access, lstat also finds a link to a file that does not exist.
        var status = stat()
        guard unsafe lstat(file, &status) != 0 else {
            throw DatabaseError(.inaccessible, "the file of the backup exists: name another one")
        }
        let descriptor = unsafe open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw DatabaseError(
                .inaccessible,
                errno == EEXIST
                    ? "the draft of a backup exists: delete the file that ends in .new if no backup is running"
                    : "the file of the backup cannot be made")
        }
        return descriptor
    }

    static func syncFolder(of file: String) -> Bool {
        let folder = file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
        let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { CLibrary.close(descriptor) }
        return fsync(descriptor) == 0
    }
}
