import CSQLite
import Dispatch
import Foundation
import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import TrustedIdentity

/// The failures of an open store and the kinds that they are reported as.
@Suite struct StoreErrorTests {
    let folder: TemporaryFolder
    var path: String { folder.file("platform.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [
        (SQLITE_FULL, StoreError.Code.full),
        (SQLITE_IOERR, .inputOutput), (SQLITE_IOERR | 4 << 8, .inputOutput), (SQLITE_IOERR | 33 << 8, .corrupt),
        (SQLITE_CANTOPEN, .inputOutput), (SQLITE_READONLY, .inputOutput), (SQLITE_READONLY | 4 << 8, .inputOutput),
        (SQLITE_PERM, .inputOutput),
        (SQLITE_BUSY, .busy), (SQLITE_BUSY | 2 << 8, .busy), (SQLITE_LOCKED, .busy),
        (SQLITE_CORRUPT, .corrupt), (SQLITE_CORRUPT | 3 << 8, .corrupt), (SQLITE_NOTADB, .corrupt),
        (SQLITE_CONSTRAINT | 1 << 8, .other), (SQLITE_ABORT, .other), (SQLITE_MISUSE, .other), (SQLITE_TOOBIG, .other),
    ])
    func `a result code has a kind, and keeps its number`(result: CInt, code: StoreError.Code) {
        let error = StoreError(SQLiteFailure(code: result, message: ""))
        #expect(error.code == code)
        #expect(error.resultCode == "\(result)")
        #expect(error.isRetryable == (code == .busy))
        #expect(error.blame == .environment)
    }

    @Test func `a full disk is reported as full, and nothing of a failed write is stored`() async throws {
        let store = try await SQLiteDatabase(path: path)
        let pages = try #require(try await store.pragma("page_count").flatMap(Int.init))
        // The pragma is a literal: 100 pages are more than an empty database has, and fewer than the rows need.
        #expect(pages < 100)
        _ = try await store.pragma("max_page_count = 100")
        let errors = await withTaskGroup(of: StoreError?.self) { group in
            for number in 0..<400 {
                group.addTask {
                    do {
                        _ = try await store.write { try $0.insert(Self.session(number)) }
                        return nil
                    } catch {
                        return error as? StoreError ?? StoreError(.other)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let failures = errors.compactMap { $0 }
        #expect(!failures.isEmpty)
        #expect(failures.allSatisfy { $0.code == .full && $0.resultCode == "13" }, "\(failures)")
        let stored = try await store.read { reader in
            try (0..<400).count { try reader.activationSession(Self.session($0).id) != nil }
        }
        #expect(stored == 400 - failures.count)
        _ = try await store.pragma("max_page_count = 1000000")
        let isNew = try await store.write { try $0.insert(Self.session(9_999)) }
        #expect(isNew)
        try await store.close()
    }

    @Test func `a transaction that cannot be committed is reported to every caller in it, and none of it is visible`()
        async throws
    {
        let store = try await SQLiteDatabase(path: path)
        let isNew = try await store.write { try $0.insert(Self.session(0)) }
        #expect(isNew)
        _ = try await store.pragma("max_page_count = 100")
        // The writer is busy until all others wait, so that they share the next transaction.
        let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let busy = Task {
            try await store.write { _ in
                begun.signal()
                goOn.wait()
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                begun.wait()
                continuation.resume()
            }
        }
        let counts = Counts()
        let callers = (1...40).map { number in
            Task {
                try await store.write { store in
                    counts.ran.add(1, ordering: .relaxed)
                    _ = try store.insert(Self.session(number))
                    // One of them needs more pages than there may be. The insertion of an entry writes one row of one
                    // table, so that SQLite has no statement to undo, and rolls the whole transaction back.
                    let entry = AuditEntry(
                        time: Timestamp(millisecondsSinceEpoch: 0), event: .registered,
                        reason: String(repeating: "x", count: 1_000))
                    for _ in 0..<(number == 20 ? 1_000 : 0) { try store.append(entry) }
                }
            }
        }
        while await store.writer.waitingCount < 40 { try await Task.sleep(for: .milliseconds(1)) }
        goOn.signal()
        try await busy.value
        for (number, caller) in callers.enumerated() {
            await #expect(throws: StoreError(.full), "\(number + 1)") { try await caller.value }
        }
        #expect((1...40).contains(counts.ran.load(ordering: .relaxed)))
        let visible = try await store.read { reader in
            try (0...40).filter { try reader.activationSession(Self.session($0).id) != nil }
        }
        #expect(visible == [0])
        _ = try await store.pragma("max_page_count = 1000000")
        try await store.close()
        let again = try await SQLiteDatabase(path: path)
        let stored = try await again.read { reader in
            try (0...40).filter { try reader.activationSession(Self.session($0).id) != nil }
        }
        #expect(stored == [0])
        try await again.close()
    }

    @Test func `a lock of another connection is reported as busy, and the next call succeeds`() async throws {
        let store = try await SQLiteDatabase(path: path)
        let other = try SQLiteConnection(path)
        try other.execute("BEGIN IMMEDIATE")
        await #expect(throws: StoreError(.busy)) { try await store.write { try $0.insert(Self.session(1)) } }
        try other.execute("ROLLBACK")
        try other.close()
        let isNew = try await store.write { try $0.insert(Self.session(1)) }
        #expect(isNew)
        try await store.close()
    }

    @Test func `a damaged page is reported as corrupt`() async throws {
        let count = 3_000
        var store = try await SQLiteDatabase(path: path)
        try await store.write { store in
            for number in 0..<count { _ = try store.insert(Self.session(number)) }
        }
        try await store.close()
        store = try await SQLiteDatabase(path: path)
        // After a commit, a reader gives up the pages that it has cached, and reads the file again.
        _ = try await store.write { try $0.insert(Self.session(count)) }
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: 100 * 4_096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 400 * 4_096))
        try file.close()
        await #expect(throws: StoreError(.corrupt)) {
            try await store.read { reader in
                for number in 0..<count { _ = try reader.activationSession(Self.session(number).id) }
            }
        }
        try? await store.close()
    }

    @Test func `a column that the record cannot hold is reported as corrupt`() async throws {
        let store = try await SQLiteDatabase(path: path)
        _ = try await store.write { try $0.insert(Self.session(1)) }
        let other = try SQLiteConnection(path)
        try other.execute("UPDATE activation_session SET keys = x'0102'")
        try other.close()
        await #expect(throws: StoreError(.corrupt)) {
            try await store.read { try $0.activationSession(Self.session(1).id) }
        }
        try await store.close()
    }

    @Test func `a file that is gone is reported as an error of input and output`() async throws {
        let store = try await SQLiteDatabase(path: path)
        // The first reader has its connection; the second one needs a new one while the first is in use.
        _ = try await store.read { try $0.apiKeys() }
        for name in try folder.files() { try FileManager.default.removeItem(atPath: folder.file(name)) }
        let isSecondDone = DispatchSemaphore(value: 0)
        let isFirstRunning = AsyncStream<Void>.makeStream()
        let first = Task {
            try await store.read { _ in
                isFirstRunning.continuation.yield()
                isSecondDone.wait()
            }
        }
        for await _ in isFirstRunning.stream { break }
        await #expect(throws: StoreError(.inputOutput)) { try await store.read { try $0.apiKeys() } }
        isSecondDone.signal()
        try await first.value
    }

    @Test func `a closed store and a violated check are neither of these`() async throws {
        let store = try await SQLiteDatabase(path: path)
        await #expect(throws: StoreError(.other)) {
            try await store.write { store in
                _ = try store.move(CodeCounterRecord(device: [], instance: .password, application: 1), from: nil)
            }
        }
        try await store.close()
        await #expect(throws: StoreError(.other)) { try await store.write { _ in } }
        await #expect(throws: StoreError(.other)) { try await store.read { _ in } }
    }

    private final class Counts: Sendable {
        let ran = Atomic(0)
    }

    private static func session(_ number: Int) -> ActivationSessionRecord {
        let id = (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * min($0, 7))) }
        return ActivationSessionRecord(
            id: id, account: "alice@master", registrationID: "r", firstRequestHash: [1],
            firstAnswer: [UInt8](repeating: 2, count: 1_400), keys: nil, expiresAt: Timestamp(secondsSinceEpoch: 1),
            keptUntil: Timestamp(secondsSinceEpoch: 2))
    }
}
