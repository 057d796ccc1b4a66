import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import TrustedIdentity

@Suite struct SnapshotReadersTests {
    private struct Failure: Error {}

    /// The number of reads at the same time, and the most of them.
    private final class Concurrency: Sendable {
        private let counts = Mutex((now: 0, most: 0))

        var most: Int { counts.withLock(\.most) }

        func during<R>(_ body: () throws -> R) rethrows -> R {
            counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
            defer { counts.withLock { $0.now -= 1 } }
            return try body()
        }
    }

    private let folder: TemporaryFolder
    private let writer: SQLiteConnection
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("r.sqlite")
        writer = try SQLiteConnection(path)
        try writer.execute("PRAGMA journal_mode = WAL; CREATE TABLE row (number INTEGER); INSERT INTO row VALUES (1)")
    }

    private func readers(_ count: Int = 2) -> SnapshotReaders {
        SnapshotReaders(count: count) { [path] in try SQLiteConnection(path, .reading) }
    }

    private func add() throws { try writer.execute("INSERT INTO row VALUES (1)") }

    private func count(_ database: SQLiteConnection) throws -> Int? {
        try database.number("SELECT count(*) FROM row").map(Int.init)
    }

    @Test func `a read sees one state of the database, and the next one sees the next`() throws {
        let readers = readers()
        let counts = try readers.read { database in
            let before = try count(database)
            try add()
            return (before, try count(database))
        }
        #expect(counts.0 == 1)
        #expect(counts.1 == 1)
        #expect(try readers.read(count) == 2)
    }

    @Test func `a read that fails ends its snapshot`() throws {
        let readers = readers(1)
        #expect(throws: Failure.self) {
            try readers.read { database in
                _ = try count(database)
                throw Failure()
            }
        }
        try add()
        #expect(try readers.read(count) == 2)
    }

    @Test func `a read that ends its own transaction does not change the next one`() throws {
        let readers = readers(1)
        try readers.read { try $0.execute("COMMIT") }
        try add()
        #expect(try readers.read(count) == 2)
    }

    @Test func `a read cannot write`() throws {
        let readers = readers()
        #expect(throws: SQLiteFailure.self) { try readers.read { try $0.execute("DELETE FROM row") } }
        #expect(try readers.read(count) == 1)
    }

    @Test func `reads beyond the number of connections wait for one`() async throws {
        let readers = readers(2)
        let concurrency = Concurrency()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask { try readers.read { database in _ = try concurrency.during { try count(database) } } }
            }
            try await group.waitForAll()
        }
        #expect((1...2).contains(concurrency.most))
    }

    @Test func `closed readers refuse a read, and let the one under way end`() throws {
        let readers = readers()
        let counted = try readers.read { database in
            try readers.close()
            return try count(database)
        }
        #expect(counted == 1)
        let error = #expect(throws: SQLiteFailure.self) { try readers.read(count) }
        #expect(error?.message == "the database is closed")
    }
}
