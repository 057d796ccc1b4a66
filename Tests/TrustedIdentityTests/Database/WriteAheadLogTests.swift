import Foundation
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The length of the write-ahead log, and the time at which its pages move into the database.
@Suite struct WriteAheadLogTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("platform.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    /// Writes 64 KiB in replays that are kept until the epoch.
    private func write(_ batch: Int, into store: SQLiteDatabase) async throws {
        try await store.write { store in
            for number in 0..<16 {
                let id = (0..<16).map { UInt8(truncatingIfNeeded: (batch * 16 + number) >> ($0 * 8)) }
                _ = try store.insert(
                    ReplayRecord(
                        device: [UInt8](repeating: 1, count: 16), request: id,
                        requestHash: [UInt8](repeating: 2, count: 32),
                        answer: [UInt8](repeating: UInt8(truncatingIfNeeded: batch), count: 4_096),
                        keptUntil: .init(millisecondsSinceEpoch: 0)))
            }
        }
    }

    private func length(_ file: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
    }

    @Test func `the log stays short however much is written`() async throws {
        let store = try await SQLiteDatabase(path: path)
        for batch in 0..<500 { try await write(batch, into: store) }
        #expect(try length(path + "-wal") < 6 << 20)
        #expect(try length(path) > 24 << 20)
        try await store.close()
    }

    @Test func `the limit of SQLite itself moves nothing`() async throws {
        let store = try await SQLiteDatabase(path: path)
        // The hook that counts pages replaces the one with this limit.
        #expect(try await store.pragma("wal_autocheckpoint") == "0")
        #expect(try await store.pragma("journal_size_limit") == "\(WriteAheadLog.keptBytes)")
        try await store.close()
    }

    @Test func `the maintenance moves all pages, and the next commit begins the log anew`() async throws {
        let store = try await SQLiteDatabase(path: path)
        for batch in 0..<10 { try await write(batch, into: store) }
        let before = try length(path)
        try await store.maintain()
        #expect(try length(path) > before)
        let copy = folder.file("copy.sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let count = try SQLiteConnection(copy).number("SELECT count(*) FROM replay")
        #expect(count == 160, "the file alone has all rows")
        let log = try length(path + "-wal")
        try await store.maintain()
        try await write(10, into: store)
        #expect(try length(path + "-wal") == log)
        try await store.close()
    }

    @Test func `a read that goes on keeps its state and ends no write`() async throws {
        let store = try await SQLiteDatabase(path: path)
        try await write(0, into: store)
        // Another connection, as a backup has it.
        let reading = try SQLiteConnection(path)
        try reading.execute("BEGIN")
        #expect(try reading.number("SELECT count(*) FROM replay") == 16)
        for batch in 1..<100 { try await write(batch, into: store) }
        try await store.maintain()
        #expect(try reading.number("SELECT count(*) FROM replay") == 16)
        try reading.execute("COMMIT")
        try reading.close()
        try await store.maintain()
        let long = try length(path + "-wal")
        #expect(long > 6 << 20)
        for batch in 100..<120 { try await write(batch, into: store) }
        #expect(try length(path + "-wal") == long, "the file is used again from its beginning")
        try await store.close()
    }
}
