import Synchronization

@testable import TrustedIdentity

/// A deliberately naive store: each write works on a copy of all rows and then replaces them, as a program does that
/// reads and writes a file without a lock. Of two writes at the same time, the last one wins.
///
/// Tests of what may happen only once must fail with it.
final class LastWriteStore: SQLDatabase {
    private let rows = Mutex(SQLiteDatabase.inMemory())

    private var current: SQLiteDatabase { rows.withLock { $0 } }

    func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        let result = try await current.read(body)
        // Others run between a read and the write that rests on it.
        await Task.yield()
        return result
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        let copy = current.snapshot()
        await Task.yield()
        let result = try await copy.write(body)
        await Task.yield()
        rows.withLock { $0 = copy }
        return result
    }
}
