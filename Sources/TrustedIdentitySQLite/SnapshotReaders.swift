internal import Dispatch
internal import GRDB
internal import Synchronization

/// The connections that read a database, each in a snapshot of its own, on the thread of the caller.
///
/// GRDB's pool takes four turns on queues for a read, asks for the version of the schema, and parses `BEGIN` and `COMMIT`
/// each time, which together take longer than the statements of a login. Here a connection is taken from a list, and its
/// statements are parsed once.
final class SnapshotReaders: Sendable {
    private struct State {
        /// The connections that are not in use. The last one was in use most recently, so that its pages are in the caches.
        var idle: [DatabaseQueue] = []
        var isClosed = false
    }

    private let path: String
    private let configuration: Configuration
    private let state = Mutex(State())
    /// The number of reads that may begin.
    private let places: DispatchSemaphore

    /// Creates readers. They open their connections when they need them.
    ///
    /// - Parameters:
    ///   - path: The database, which must exist and be in the mode of the write-ahead log.
    ///   - configuration: The settings of a connection, with the number of connections.
    init(path: String, configuration: Configuration) {
        self.path = path
        var configuration = configuration
        configuration.readonly = true
        // As GRDB's pool does: a reader waits for a moment in which another process has the database for itself.
        configuration.busyMode = .timeout(10)
        // The snapshot of a read is a transaction that GRDB has not begun.
        configuration.allowsUnsafeTransactions = true
        self.configuration = configuration
        places = DispatchSemaphore(value: configuration.maximumReaderCount)
    }

    /// Runs a closure in a snapshot of the database. The thread waits while all connections are in use.
    ///
    /// - Throws: The error of the closure; `DatabaseError` with `SQLITE_MISUSE` after ``close()``.
    func read<R>(_ body: (Database) throws -> R) throws -> R {
        places.wait()
        defer { places.signal() }
        let connection = try take()
        let (result, isUsable) = connection.unsafeRead { database in
            let result = Result { try Self.inSnapshot(of: database, body) }
            // A connection whose snapshot did not end would show the state of that time to the next read.
            return (result, !database.isInsideTransaction)
        }
        giveBack(connection, isUsable: isUsable)
        return try result.get()
    }

    /// Closes the connections: those in use at the end of their read.
    ///
    /// - Throws: `DatabaseError` when a connection cannot be closed.
    func close() throws {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            state.isClosed = true
            return state.idle
        }
        for connection in idle { try connection.close() }
    }

    private static func inSnapshot<R>(of database: Database, _ body: (Database) throws -> R) throws -> R {
        try PreparedStatement("BEGIN DEFERRED TRANSACTION", in: database).run([] as [StoredValue])
        let result = Result { try body(database) }
        // Nothing was written, so that the end cannot lose anything. SQLite may have ended it after an error.
        if database.isInsideTransaction {
            try PreparedStatement("COMMIT TRANSACTION", in: database).run([] as [StoredValue])
        }
        return try result.get()
    }

    private func take() throws -> DatabaseQueue {
        let idle = try state.withLock { state in
            guard !state.isClosed else {
                throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the store is closed")
            }
            return state.idle.popLast()
        }
        return try idle ?? DatabaseQueue(path: path, configuration: configuration)
    }

    private func giveBack(_ connection: DatabaseQueue, isUsable: Bool) {
        let isKept = state.withLock { state in
            guard isUsable, !state.isClosed else { return false }
            state.idle.append(connection)
            return true
        }
        // An error does not matter: the connection has no owner any more, and its end closes it.
        if !isKept { try? connection.close() }
    }
}
