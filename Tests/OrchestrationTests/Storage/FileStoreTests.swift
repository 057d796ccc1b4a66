import Foundation
import Orchestration
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@Suite struct FileStoreTests {
    let folder: TemporaryFolder
    let name: StoreName

    init() throws {
        folder = try TemporaryFolder()
        name = try #require(StoreName("user-1"))
    }

    private func put(_ bytes: [UInt8]) async throws {
        try await FileStore(directory: folder.path).update(name) { _ in (.replace(bytes), ()) }
    }

    @Test func `only the owner can read the files, and the folder keeps its permissions`() async throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        try await put([1])
        #expect(try folder.mode("") == 0o755)
        #expect(try folder.mode("user-1.data") == 0o600)
        #expect(try folder.mode("user-1.lock") == 0o600)
        #expect(try folder.files() == ["user-1.data", "user-1.lock"])
    }

    @Test(arguments: [(0o775, 0o755), (0o702, 0o700), (0o777, 0o755)])
    func `a change takes the permission to write from others, and a read changes nothing`(
        mode: Int, after: Int
    ) async throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
        let store = try FileStore(directory: folder.path)
        _ = try await (store.names(), store.read(name))
        #expect(try folder.mode("") == mode)
        try await put([1])
        #expect(try folder.mode("") == after)
    }

    @Test func `a folder for all users is refused, and stays as it is`() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: folder.path)
        #expect(throws: OrchestrationError(.storeUnavailable)) { _ = try FileStore(directory: folder.path) }
        #expect(try folder.mode("") == 0o1777)
    }

    @Test func `missing parent folders are created, readable by the owner only`() async throws {
        let store = try FileStore(directory: folder.file("a/b"))
        try await store.update(name) { _ in (.replace([1]), ()) }
        #expect(try folder.mode("a") == 0o700)
        #expect(try folder.files() == ["a"])
    }

    @Test func `a deleted user leaves no file`() async throws {
        try await put([1])
        try await FileStore(directory: folder.path).update(name) { _ in (.delete, ()) }
        #expect(try folder.files().isEmpty)
    }

    @Test func `a symbolic link instead of the value is refused, and its target stays unread and unchanged`()
        async throws
    {
        let elsewhere = try TemporaryFolder()
        try elsewhere.write([9], to: "target")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("user-1.data"), withDestinationPath: elsewhere.file("target"))
        let store = try FileStore(directory: folder.path)
        await #expect(throws: OrchestrationError(.storeUnavailable)) { try await store.read(name) }
        await #expect(throws: OrchestrationError(.storeUnavailable)) { try await put([1]) }
        #expect(try elsewhere.bytes("target") == [9])
    }

    @Test func `a symbolic link instead of the lock or of the temporary file is not followed`() async throws {
        let elsewhere = try TemporaryFolder()
        try elsewhere.write([9], to: "target")
        for file in ["user-1.new", "user-1.lock"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.file(file), withDestinationPath: elsewhere.file("target"))
        }
        #expect(throws: OrchestrationError(.storeUnavailable)) { try FileStore(directory: folder.path) }
        try FileManager.default.removeItem(atPath: folder.file("user-1.lock"))
        try await put([1])
        #expect(try elsewhere.bytes("target") == [9])
        #expect(try folder.bytes("user-1.data") == [1])
    }

    @Test func `a symbolic link instead of the folder is refused`() throws {
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        #expect(throws: OrchestrationError(.storeUnavailable)) { try FileStore(directory: link) }
    }

    @Test func `a file instead of the folder is refused`() throws {
        try folder.write([1], to: "file")
        #expect(throws: OrchestrationError(.storeUnavailable)) { try FileStore(directory: folder.file("file")) }
        #expect(throws: OrchestrationError(.storeUnavailable)) { try FileStore(directory: folder.file("file/below")) }
        #expect(throws: OrchestrationError(.storeUnavailable)) { try FileStore(directory: "") }
    }

    @Test func `an error names the path and the cause, and its description does not`() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("user-1.data"), withIntermediateDirectories: false)
        let store = try FileStore(directory: folder.path)
        let error = await #expect(throws: OrchestrationError.self) { try await store.read(name) }
        let failure = try #require(error?.underlying as? SystemFailure)
        #expect(failure.reason == folder.file("user-1.data") + ": operation not permitted")
        #expect(!"\(failure) \(String(describing: error))".contains(folder.path))

        try folder.write([1], to: "file")
        let below = #expect(throws: OrchestrationError.self) { try FileStore(directory: folder.file("file/below")) }
        #expect((below?.underlying as? SystemFailure)?.reason == folder.file("file/below") + ": not a directory")
    }

    @Test func `a FIFO instead of the value is refused and does not block the reader`() async throws {
        #expect(unsafe mkfifo(folder.file("user-1.data"), 0o600) == 0)
        let store = try FileStore(directory: folder.path)
        await #expect(throws: OrchestrationError(.storeUnavailable)) { try await store.read(name) }
    }

    @Test func `a file above the limit is corrupt and is not read into memory`() async throws {
        try await put([1])
        #expect(unsafe truncate(folder.file("user-1.data"), 1 << 40) == 0)
        let store = try FileStore(directory: folder.path)
        await #expect(throws: OrchestrationError(.storeCorrupt)) { try await store.read(name) }
    }

    @Test func `opening the store removes the temporary files of a crash, and no others`() async throws {
        try folder.write([1], to: "user-1.new")
        try folder.write([1], to: "notes.txt")
        let store = try FileStore(directory: folder.path)
        #expect(try folder.files() == ["notes.txt", "user-1.lock"])
        #expect(try await store.names().isEmpty)
    }

    @Test func `a lock held elsewhere makes a change wait five seconds and then busy, without calling the body`()
        async throws
    {
        let other = try DiskFolder(path: folder.path)
        let time = ManualTimeSource()
        let store = try FileStore(directory: folder.path, time: time)
        let held = try other.lock("user-1.lock")
        let name = name
        let change = Task { try await store.update(name) { _ in (.replace([1]), ()) } }
        var waited: Int64 = 0
        while waited < 4_999 {
            await time.sleepers(1)
            time.advance(milliseconds: 1)
            waited += 1
        }
        await time.sleepers(1)
        time.advance(milliseconds: 1)
        await #expect(throws: OrchestrationError(.storeBusy)) { try await change.value }
        #expect(try await store.read(name) == nil)
        release(held)
        try await store.update(name) { _ in (.replace([2]), ()) }
        #expect(try await store.read(name) == [2])
    }

    @Test func `a lock that is released in time lets the change go on`() async throws {
        let other = try DiskFolder(path: folder.path)
        let time = ManualTimeSource()
        let store = try FileStore(directory: folder.path, time: time)
        let held = try other.lock("user-1.lock")
        let name = name
        let change = Task { try await store.update(name) { _ in (.replace([1]), ()) } }
        await time.sleepers(1)
        release(held)
        time.advance(milliseconds: 50)
        try await change.value
        #expect(try await store.read(name) == [1])
    }

    @Test func `a canceled change stops waiting for the lock`() async throws {
        let other = try DiskFolder(path: folder.path)
        let time = ManualTimeSource()
        let store = try FileStore(directory: folder.path, time: time)
        let held = try other.lock("user-1.lock")
        let name = name
        let change = Task { try await store.update(name) { _ in (.replace([1]), ()) } }
        await time.sleepers(1)
        change.cancel()
        await #expect(throws: CancellationError.self) { try await change.value }
        release(held)
    }

    @Test func `a lock on a removed file is not accepted`() async throws {
        let (one, two) = try (DiskFolder(path: folder.path), DiskFolder(path: folder.path))
        let first = try one.lock("user-1.lock")
        try one.remove("user-1.lock")
        let second = try two.lock("user-1.lock")
        let isHeld = second != nil
        #expect(isHeld)
        release(first)
        let third = try one.lock("user-1.lock")
        let isFree = third != nil
        #expect(!isFree)
        release(second)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/flock")))
    func `another process holds the lock as another instance does`() async throws {
        try folder.write([], to: "user-1.lock")
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/flock")
        process.arguments = [folder.file("user-1.lock"), "sh", "-c", "echo held; cat"]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "held\n")
        let taken = try DiskFolder(path: folder.path).lock("user-1.lock") != nil
        #expect(!taken)
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        try await put([1])
        #expect(try folder.bytes("user-1.data") == [1])
    }

    @Test func `a folder is given by a file URL, and no other URL is one`() async throws {
        let store = try FileStore(directory: folder.url.appending(path: "deep/folder"))
        try await store.update(#require(StoreName("user-1"))) { _ in (.replace([7]), ()) }
        #expect(try folder.bytes("deep/folder/user-1.data") == [7])
        let salts = try Salts(
            authenticator: [UInt8](repeating: 1, count: 16), storage: [UInt8](repeating: 2, count: 16))
        for text in ["https://example.com/store", "store"] {
            let url = try #require(URL(string: text))
            #expect(throws: OrchestrationError(.invalidConfiguration)) { try FileStore(directory: url) }
            #expect(throws: OrchestrationError(.invalidConfiguration)) {
                try SoftwareDeviceKeys(directory: url, salts: salts)
            }
        }
    }
}

/// Releases a lock here and not earlier.
private func release(_ lock: consuming FolderLock?) {}
