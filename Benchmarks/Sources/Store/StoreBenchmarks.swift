import Benchmark
import Foundation
import Orchestration
import Primitives
import TestSupport
import TrustedIdentity

/// Registers durable writes of a device and of the platform, and their floors. `TMPDIR` decides on which disk they are
/// measured.
func storeBenchmarks() {
    deviceStore("store-memory") { _ in MemoryStore() }
    deviceStore("store-file") { try FileStore(directory: $0.file("store")) }
    bareFile()
    platformStore()
}

/// About as large as a record of a user.
private let record = [UInt8](repeating: 0x5A, count: 1024)

private func deviceStore(
    _ name: String, _ make: @escaping @Sendable (TemporaryFolder) throws -> any SecureStore
) {
    Benchmark("\(name)-save", configuration: .slowPath) { benchmark in
        let folder = try TemporaryFolder()
        let (store, entry) = (try make(folder), try entryName())
        try await store.update(entry) { _ in (.replace(record), ()) }
        try await benchmark.measure {
            try await store.update(entry) { _ in (.replace(record), ()) }
        }
    }
    Benchmark("\(name)-load", configuration: .slowPath) { benchmark in
        let folder = try TemporaryFolder()
        let (store, entry) = (try make(folder), try entryName())
        try await store.update(entry) { _ in (.replace(record), ()) }
        try await benchmark.measure { blackHole(try await store.read(entry)) }
    }
}

private func entryName() throws -> StoreName {
    guard let name = StoreName("record") else { throw Unexpected("the name is none") }
    return name
}

/// An atomic, durable replacement of a file: written, synced and renamed, and its folder synced. The store adds a lock,
/// a read of the old record, and checks.
private func bareFile() {
    Benchmark("store-file-save--floor", configuration: .slowPath) { benchmark in
        let place = try TemporaryFolder()
        let folder = try DiskFolder(path: place.path)
        try folder.create("record", record)
        try benchmark.measure { () throws(OrchestrationError) in
            try folder.create("temporary", record)
            try folder.synchronize("temporary")
            try folder.rename("temporary", to: "record")
            try folder.synchronize()
        }
    }
}

/// A small transaction of the platform. Its floor is a synced append of the bytes that it writes to the log.
private func platformStore() {
    Benchmark("store-sqlite-write", configuration: .slowPath) { benchmark in
        let folder = try TemporaryFolder()
        let store = try await SQLiteDatabase(path: folder.file("platform.sqlite"))
        for number in 0..<3 { try await insert(number, into: store) }
        try await benchmark.measure { try await insert(3, into: store) }
        try await store.close()
    }
    Benchmark("store-sqlite-write--floor", configuration: .slowPath) { benchmark in
        let folder = try TemporaryFolder()
        let path = folder.file("log")
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw Unexpected("the log cannot be written") }
        // Three pages of 4 KiB, with their headers: the root of the table, a leaf, and the index.
        let frames = Data(repeating: 0x5A, count: 3 * (4096 + 24))
        try file.write(contentsOf: frames)
        try file.synchronize()
        try benchmark.measure { () throws in
            try file.write(contentsOf: frames)
            try file.synchronize()
        }
        try file.close()
    }
}

private func insert(_ number: Int, into store: SQLiteDatabase) async throws {
    let key = APIKeyRecord(
        id: "key-\(number)", name: "benchmark", scope: .applicationServer, secretHash: [UInt8](repeating: 0, count: 32),
        createdAt: Timestamp(secondsSinceEpoch: 0))
    guard try await store.write({ try $0.insert(key) }) else { throw Unexpected("the key is there") }
}
