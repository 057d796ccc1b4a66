internal import Dispatch
internal import Synchronization

/// The connections that read a database, each in its own snapshot, on the thread of the caller.
///
/// A connection is taken from a list, and its statements are parsed once.
final class SnapshotReaders: Sendable {
    private struct State {
        /// The connections that are not in use. The last one was in use most recently: its pages are in the caches.
        var idle: [SQLiteConnection] = []
        var isClosed = false
    }

    private let open: @Sendable () throws -> SQLiteConnection
    private let state = Mutex(State())
    /// The number of reads that may begin.
    private let places: DispatchSemaphore

    /// Creates readers. They open their connections when they need them.
    ///
    /// - Parameters:
    ///   - count: The maximum number of connections.
    ///   - open: A closure that opens one for reading, to a database in the mode of the write-ahead log.
    init(count: Int, open: @escaping @Sendable () throws -> SQLiteConnection) {
        self.open = open
        places = DispatchSemaphore(value: count)
    }

    /// Runs a closure in a snapshot of the database. The thread waits while all connections are in use.
    ///
    /// - Throws: The error of the closure; ``SQLiteFailure`` with `SQLITE_MISUSE` after ``close()``.
    func read<R>(_ body: (SQLiteConnection) throws -> R) throws -> R {
        places.wait()
        defer { places.signal() }
        let connection = try take()
        let result = Result { try Self.inSnapshot(of: connection, body) }
        // A connection whose snapshot did not end would show the state of that time to the next read.
        giveBack(connection, isUsable: !connection.isInTransaction)
        return try result.get()
    }

    /// Closes the connections: those in use at the end of their read.
    ///
    /// - Throws: ``SQLiteFailure`` when a connection cannot be closed.
    func close() throws {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            state.isClosed = true
            return state.idle
        }
        for connection in idle { try connection.close() }
    }

    /// Runs a closure in a transaction that only reads.
    static func inSnapshot<R>(of database: SQLiteConnection, _ body: (SQLiteConnection) throws -> R) throws -> R {
        try database.statement("BEGIN DEFERRED TRANSACTION").run([])
        let result = Result { try body(database) }
        // Nothing was written, and the end cannot lose anything. SQLite may have ended it after an error.
        if database.isInTransaction {
            try database.statement("COMMIT TRANSACTION").run([])
        }
        return try result.get()
    }

    private func take() throws -> SQLiteConnection {
        let idle = try state.withLock { state in
            guard !state.isClosed else {
                throw SQLiteFailure.closed
            }
            return state.idle.popLast()
        }
        return try idle ?? open()
    }

    private func giveBack(_ connection: SQLiteConnection, isUsable: Bool) {
        let isKept = state.withLock { state in
            guard isUsable, !state.isClosed else { return false }
            state.idle.append(connection)
            return true
        }
        // An error can be ignored: the file is closed when the connection is released.
        if !isKept { try? connection.close() }
    }
}
