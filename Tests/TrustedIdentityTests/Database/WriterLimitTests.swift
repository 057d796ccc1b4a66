import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import TrustedIdentity

/// The limits of what waits for the writer, with jobs that wait behind one that is held.
@Suite struct WriterLimitTests {
    private final class Clock: Sendable {
        private let start = ContinuousClock.now
        private let passed = Mutex(Duration.zero)

        var now: ContinuousClock.Instant { start + passed.withLock { $0 } }
        func advance(_ duration: Duration) { passed.withLock { $0 += duration } }
    }

    private let folder: TemporaryFolder
    private let clock = Clock()
    private let writer: GroupCommitWriter

    init() throws {
        folder = try TemporaryFolder()
        let connection = try SQLiteConnection(folder.file("w.sqlite"))
        try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE row (number INTEGER)")
        writer = GroupCommitWriter(
            connection: QueuedConnection(connection), limits: WriterLimits(waiting: 16, deadline: .seconds(5)),
            now: { [clock] in clock.now })
    }

    /// Runs the body while the writer is busy with a job, which ends after the body.
    private func whileBusy(_ body: () async throws -> Void) async throws {
        let (begun, goOn) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        let busy = Task { [writer] in
            try await writer.write { _ in
                begun.continuation.finish()
                goOn.wait()
            }
        }
        for await _ in begun.stream {}
        try await body()
        goOn.signal()
        try await busy.value
    }

    /// Inserts a row in a request, by default in one of its own.
    private func insert(_ number: Int, in writes: RequestProgress = .init()) -> Task<Void, any Error> {
        RequestProgress.$current.withValue(writes) { insertHere(number) }
    }

    private func insertHere(_ number: Int) -> Task<Void, any Error> {
        Task { [writer] in
            try await writer.write { _ = try $0.rows("INSERT INTO row VALUES (?)", [.integer(Int64(number))]) }
        }
    }

    private func waiting(_ count: Int) async throws {
        while await writer.waitingCount < count { try await Task.sleep(for: .milliseconds(1)) }
    }

    private func rows() throws -> [Int] {
        try SQLiteConnection(folder.file("w.sqlite"), .reading).rows("SELECT number FROM row ORDER BY number").map {
            if case .integer(let number) = $0[0] { Int(number) } else { -1 }
        }
    }

    @Test func `a job beyond the limit fails at once, and the jobs that wait are stored`() async throws {
        var taken: [Task<Void, any Error>] = []
        try await whileBusy {
            taken = (0..<16).map { insert($0) }
            try await waiting(16)
            await #expect(throws: StoreError(.overloaded)) { try await insert(16).value }
            #expect(await writer.waitingCount == 16)
        }
        for job in taken { try await job.value }
        #expect(try rows() == Array(0..<16))
        try await insert(17).value
        #expect(try rows() == Array(0..<16) + [17])
    }

    @Test func `a job that has waited longer than its deadline does not run`() async throws {
        var (early, late): (Task<Void, any Error>?, Task<Void, any Error>?)
        try await whileBusy {
            early = insert(1)
            try await waiting(1)
            clock.advance(.seconds(3))
            late = insert(2)
            try await waiting(2)
            clock.advance(.seconds(3))
        }
        await #expect(throws: StoreError(.overloaded)) { try await early?.value }
        try await late?.value
        #expect(try rows() == [2])
    }

    @Test func `a request that has committed is not refused for load, and another one is`() async throws {
        let writes = RequestProgress()
        try await insert(1, in: writes).value
        #expect(writes.hasCommitted)
        var jobs: [Task<Void, any Error>] = []
        try await whileBusy {
            jobs = (2..<18).map { insert($0) }
            try await waiting(16)
            jobs.append(insert(100, in: writes))
            try await waiting(17)
            let other = RequestProgress()
            await #expect(throws: StoreError(.overloaded)) { try await insert(101, in: other).value }
            #expect(!other.hasCommitted)
            clock.advance(.seconds(60))
        }
        // The first sixteen were too old. The job of the request that has committed has no deadline.
        for job in jobs.dropLast() {
            await #expect(throws: StoreError(.overloaded)) { try await job.value }
        }
        try await jobs.last?.value
        #expect(try rows() == [1, 100])
    }

    @Test func `a job of no request has no limits`() async throws {
        var jobs: [Task<Void, any Error>] = []
        try await whileBusy {
            jobs = (0..<20).map { insertHere($0) }
            try await waiting(20)
            clock.advance(.seconds(60))
        }
        for job in jobs { try await job.value }
        #expect(try rows() == Array(0..<20))
    }

    @Test func `a job that fails is no commit`() async throws {
        let writes = RequestProgress()
        await #expect(throws: SQLiteFailure.self) {
            try await RequestProgress.$current.withValue(writes) {
                try await writer.write { try $0.execute("INSERT INTO none VALUES (1)") }
            }
        }
        #expect(!writes.hasCommitted)
    }
}
