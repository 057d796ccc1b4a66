internal import Synchronization
public import TrustedIdentity

/// A database of a platform that passes calls to another database and injects faults.
///
/// A test can make every call fail, make a statement of a write and all later ones fail, as on a full disk, and run
/// other work before a read or a write, for example a second decision between the read and the write of the first one.
/// Any number of tasks may call it.
public final class FaultInjectingDatabase: SQLDatabase {
    /// Work that runs before a call, such as another call of the platform.
    public typealias Work = @Sendable () async throws -> Void

    private struct State {
        var error: (any Error)?
        var statement: (number: Int, error: any Error)?
        var beforeWrites: [Work] = []
        var beforeReads: [Work?] = []
    }

    /// The database that does the work.
    public let base: any SQLDatabase
    private let state = Mutex(State())

    /// Creates a database that works.
    ///
    /// - Parameter base: The database that does the work.
    public init(_ base: any SQLDatabase) { self.base = base }

    /// The SQL of the other database.
    public var dialect: SQLDialect { base.dialect }

    /// The peers of the other database.
    public var peers: (any DatabasePeers)? { base.peers }

    /// Sets the error of all reads and writes from now on.
    ///
    /// - Parameter error: The error; nil to let calls succeed again.
    public func fail(with error: (any Error)?) { state.withLock { $0.error = error } }

    /// Makes a statement and all later statements of the next write fail. The transaction is rolled back.
    ///
    /// - Parameters:
    ///   - number: The number of the statement, from 1. A write that has fewer statements succeeds.
    ///   - error: The error, such as `StoreError(.full)`.
    public func failNextWrite(atStatement number: Int, with error: any Error) {
        state.withLock { $0.statement = (number, error) }
    }

    /// Runs work before the next write that has no work yet. The write fails with the error of the work.
    public func beforeNextWrite(_ work: @escaping Work) { state.withLock { $0.beforeWrites.append(work) } }

    /// Runs work before one of the next reads. The read fails with the error of the work.
    ///
    /// - Parameters:
    ///   - count: The number of reads before it.
    ///   - work: The work.
    public func beforeRead(after count: Int = 0, _ work: @escaping Work) {
        state.withLock { $0.beforeReads += Array(repeating: nil, count: count) + [work] }
    }

    /// Whether work waits for a write or a read.
    package var isArmed: Bool { state.withLock { !$0.beforeWrites.isEmpty || !$0.beforeReads.isEmpty } }

    /// Reads from the other database, or fails.
    public func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        try await state.withLock { $0.beforeReads.isEmpty ? nil : $0.beforeReads.removeFirst() }?()
        if let error = state.withLock({ $0.error }) { throw error }
        return try await base.read(body)
    }

    /// Writes to the other database, or fails.
    public func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        let (work, statement) = state.withLock { state in
            defer { state.statement = nil }
            return (state.beforeWrites.isEmpty ? nil : state.beforeWrites.removeFirst(), state.statement)
        }
        // The work itself may write.
        try await work?()
        if let error = state.withLock({ $0.error }) { throw error }
        guard let statement else { return try await base.write(body) }
        return try await base.write { session in
            try body(FailingSession(session, failingAt: statement.number, with: statement.error))
        }
    }

    /// Returns the report of the other database.
    public func health() async throws -> StoreHealth { try await base.health() }

    /// Performs the maintenance of the other database.
    public func maintain() async throws { try await base.maintain() }
}

/// A transaction in which a statement and all later ones fail.
private final class FailingSession: SQLSession {
    private let base: any SQLSession
    private let failing: Int
    private let error: any Error
    private var count = 0

    init(_ base: any SQLSession, failingAt number: Int, with error: any Error) {
        self.base = base
        failing = number
        self.error = error
    }

    var dialect: SQLDialect { base.dialect }

    func note(entry id: [UInt8]) { base.note(entry: id) }

    func run(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws -> Void) throws -> Int {
        count += 1
        guard count < failing else { throw error }
        return try base.run(sql, values, read)
    }
}
