internal import Dispatch

/// A connection, and the queue on which its work runs.
final class QueuedConnection: Sendable {
    private let connection: SQLiteConnection
    private let queue = DispatchQueue(label: "TrustedIdentity.SQLite")

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// Runs a closure with the connection, after those before it.
    func run<R: Sendable>(_ body: @escaping @Sendable (SQLiteConnection) throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [connection] in continuation.resume(with: Result { try body(connection) }) }
        }
    }

    /// Runs a closure with the connection on the thread of the caller, which waits for those before it.
    func runHere<R>(_ body: (SQLiteConnection) throws -> R) throws -> R {
        try queue.sync { try body(connection) }
    }
}
