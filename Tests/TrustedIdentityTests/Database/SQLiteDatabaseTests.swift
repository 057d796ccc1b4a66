import CSQLite
import Foundation
import Primitives
import Synchronization
import TestSupport
import Testing
@testable import TrustedIdentity

/// The behavior of the SQLite store beyond the contract of every store.
@Suite final class SQLiteDatabaseTests {
    let folder: TemporaryFolder
    var path: String { folder.file("platform.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    @Test func `every commit is synced, into a write-ahead log`() async throws {
        let store = try await SQLiteDatabase(path: path)
        #expect(try await store.pragma("synchronous") == "2")
        #expect(try await store.pragma("journal_mode") == "wal")
        #expect(try await store.pragma("secure_delete") == "1")
        try await store.close()
    }

    @Test func `a connection checks cells, trusts no schema and has a cache of 16 MiB`() async throws {
        let store = try await SQLiteDatabase(path: path)
        #expect(try await store.pragma("cell_size_check") == "1")
        #expect(try await store.pragma("trusted_schema") == "0")
        #expect(try await store.pragma("cache_size") == "-16384")
        try await store.close()
    }

    @Test func `erased rows are overwritten, also where SQLite does not do so by default`() async throws {
        // The default is chosen when SQLite is compiled. This makes it OFF for each new connection of the process.
        typealias Entry =
            @convention(c) (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?) ->
            Int32
        let entry: Entry = { connection, _, _ in
            unsafe sqlite3_exec(connection, "PRAGMA secure_delete = OFF", nil, nil, nil)
        }
        let function = unsafe unsafeBitCast(entry, to: (@convention(c) () -> Void).self)
        sqlite3_auto_extension(function)
        defer { sqlite3_cancel_auto_extension(function) }
        let plain = try SQLiteConnection(folder.file("plain.sqlite")).number("PRAGMA secure_delete")
        #expect(plain == 0, "the test changes the default")
        let name = String(repeating: "canary", count: 20) + "@master"
        for erases in [false, true] {
            try await Self.with(path) { store in
                #expect(try await store.pragma("secure_delete") == "1")
                if erases {
                    try await store.write { try $0.removeAccount(name) }
                } else {
                    _ = try await store.write { try $0.insert(Self.account(name)) }
                }
            }
            // The last store that closes has written its journal into the database.
            let bytes = try folder.bytes("platform.sqlite")
            #expect((Data(bytes).range(of: Data("canarycanary".utf8)) == nil) == erases)
        }
    }

    @Test func `the files are readable by their owner alone`() async throws {
        let store = try await SQLiteDatabase(path: path)
        _ = try await store.write { try $0.insert(Self.account("alice@master")) }
        let names = try folder.files()
        #expect(Set(names).isSuperset(of: ["platform.sqlite", "platform.sqlite-wal", "platform.sqlite.lock"]))
        for name in names {
            #expect(try folder.mode(name) == 0o600, "\(name)")
        }
        try await store.close()
    }

    @Test func `a backup of an open database is one state of it while the store writes`() async throws {
        let store = try await SQLiteDatabase(path: path)
        let copy = folder.file("backup.sqlite")
        let writer = Task.detached { try await writePairs(into: store) }
        while try await store.read({ try $0.account("user200@master") }) == nil {
            try await Task.sleep(for: .milliseconds(1))
        }
        try await SQLiteDatabase.backup(of: path, to: copy)
        writer.cancel()
        // A write that is canceled may have happened.
        let written = (try? await writer.value) ?? .max
        try await store.close()
        let database = try SQLiteConnection(copy)
        let rows = try database.number("SELECT count(*) FROM account") ?? 0
        #expect(try database.texts("PRAGMA quick_check") == ["ok"])
        // A transaction writes two rows, and the copy has all of it or nothing.
        #expect(rows.isMultiple(of: 2) && rows > 400 && rows / 2 <= written)
    }

    @Test func `a second store of an open file is refused, and may open it after the first was closed`() async throws {
        let store = try await SQLiteDatabase(path: path)
        #expect(await Self.refusal(path) == .inUse)
        try await store.close()
        try await Self.with(path) { _ in }
    }

    #if os(Linux)
        @Test func `a copy of the lock's descriptor, as a starting child has it, keeps nothing`() async throws {
            let store = try await SQLiteDatabase(path: path)
            let copies = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { number in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
                return target == path + ".lock"
            }.compactMap { Int32($0).map { dup($0) } }
            defer { for copy in copies { close(copy) } }
            #expect(copies.count == 1)
            try await store.close()
            try await Self.with(path) { _ in }
        }
    #endif

    @Test func `what was written is there after the file was opened again`() async throws {
        try await Self.with(path) { store in
            let isNew = try await store.write { try $0.insert(Self.account("alice@master")) }
            #expect(isNew)
        }
        try await Self.with(path) { store in
            let account = try await store.read { try $0.account("alice@master") }
            #expect(account == Self.account("alice@master"))
        }
    }

    @Test func `a canceled task closes the store and releases the lock`() async throws {
        let store = try await SQLiteDatabase(path: path)
        let closing = Task {
            while !Task.isCancelled { await Task.yield() }
            try await store.close()
        }
        closing.cancel()
        try await closing.value
        try await Self.with(path) { _ in }
    }

    @Test func `a store that is closed answers with an error`() async throws {
        let store = try await SQLiteDatabase(path: path)
        try await store.close()
        await #expect(throws: (any Error).self) { try await store.write { _ in } }
    }

    @Test func `one failing job leaves the others of its batch as they are`() async throws {
        struct Refusal: Error {}
        try await Self.with(path) { store in
            let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
                for number in 0..<200 {
                    group.addTask {
                        do {
                            try await store.write { transaction in
                                _ = try transaction.insert(Self.account("user\(number)@master"))
                                if number % 3 == 0 { throw Refusal() }
                            }
                            return (number, true)
                        } catch is Refusal {
                            return (number, false)
                        } catch {
                            return (-1, false)
                        }
                    }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            #expect(outcomes.count == 200 && outcomes[-1] == nil)
            for (number, isDone) in outcomes {
                #expect(isDone == (number % 3 != 0))
                let account = try await store.read { try $0.account("user\(number)@master") }
                #expect((account != nil) == isDone, "user\(number)")
            }
        }
    }

    @Test func `of 256 parallel uses of one code, one is accepted`() async throws {
        try await Self.with(path) { store in
            let device = [UInt8](repeating: 7, count: 16)
            let before = CodeCounterRecord(device: device, instance: .password, application: 1, next: 10)
            let after = CodeCounterRecord(device: device, instance: .password, application: 1, next: 11)
            let isNew = try await store.write { try $0.move(before, from: nil) }
            #expect(isNew)
            let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<256 { group.addTask { try await store.write { try $0.move(after, from: before) } } }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(accepted == 1)
        }
    }

    @Test func `a canceled caller cancels no other`() async throws {
        try await Self.with(path) { store in
            let canceled = Task { try await store.write { try $0.insert(Self.account("alice@master")) } }
            let other = Task { try await store.write { try $0.insert(Self.account("bob@master")) } }
            canceled.cancel()
            _ = await canceled.result
            let isNew = try await other.value
            #expect(isNew)
        }
    }

    @Test func `a database of a newer version is refused and left as it is`() async throws {
        try await Self.with(path) { _ in }
        try Self.raw(path) { try $0.execute("PRAGMA user_version = 99") }
        #expect(await Self.refusal(path) == .newerSchema)
        #expect(try Self.raw(path) { try $0.number("PRAGMA user_version") } == 99)
    }

    @Test(arguments: [0, 5_000]) func `a damaged file is refused`(offset: Int) async throws {
        try await Self.with(path) { store in
            for number in 0..<200 {
                _ = try await store.write { try $0.insert(Self.account("user\(number)@master")) }
            }
        }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(repeating: 0xA5, count: 60_000))
        try file.close()
        #expect(await Self.refusal(path) == .corrupt)
    }

    @Test func `pages are checked when the file is new, was not closed or was changed, and not after a clean stop`()
        async throws
    {
        func isChecked() async throws -> Bool {
            let statements = Mutex<[String]>([])
            let store = try await SQLiteDatabase(path: path, tracing: { sql in statements.withLock { $0.append(sql) } })
            try await store.close()
            return statements.withLock { $0.contains { $0.contains("quick_check") } }
        }
        #expect(try await isChecked(), "a new file")
        for _ in 0..<2 { #expect(try await !isChecked(), "closed") }
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
        #expect(try await isChecked(), "changed")
        // A process that is killed leaves the lock file empty.
        try Data().write(to: URL(fileURLWithPath: path + ".lock"))
        #expect(try await isChecked(), "not closed")
        try FileManager.default.removeItem(atPath: path + ".lock")
        #expect(try await isChecked(), "without its lock file")
        #expect(try await !isChecked())
    }

    @Test func `a text that is no UTF-8 is damage, and not another text`() async throws {
        try await Self.with(path) { _ = try await $0.write { try $0.insert(Self.account("alice@master")) } }
        let queue = try SQLiteConnection(path)
        try queue.execute("UPDATE account SET name = CAST(x'61FF406D' AS TEXT)")
        try queue.close()
        try await Self.with(path) { store in
            await #expect { try await store.read { try $0.accounts(after: nil, limit: 9).count } } throws: {
                ($0 as? StoreError)?.code == .corrupt
            }
        }
    }

    @Test func `damage is found on demand, while the store is open`() async throws {
        try await Self.with(path) { store in
            for number in 0..<200 {
                _ = try await store.write { try $0.insert(Self.account("user\(number)@master")) }
            }
            #expect(try await SQLiteDatabase.check(path: path).isEmpty)
            #expect(try await SQLiteDatabase.check(path: path, thoroughly: true).isEmpty)
        }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: 5_000)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 60_000))
        try file.close()
        let findings = try? await SQLiteDatabase.check(path: path)
        #expect(findings?.isEmpty != true, "findings, or an error")
        await #expect(throws: DatabaseError.self) { try await SQLiteDatabase.check(path: folder.file("missing")) }
    }

    @Test func `a folder that does not exist is an error`() async throws {
        let path = folder.file("nowhere/platform.sqlite")
        #expect(await Self.refusal(path) == .inaccessible)
    }

    @Test(arguments: ["UPDATE audit SET reason = 'x'", "DELETE FROM audit"])
    func `the audit log cannot be changed, not even with SQL`(statement: String) async throws {
        try await Self.with(path) { store in
            try await store.write {
                try $0.append(AuditEntry(time: Timestamp(secondsSinceEpoch: 1), event: .registered))
            }
        }
        #expect(throws: SQLiteFailure.self) { try Self.raw(path) { try $0.execute(statement) } }
        #expect(try Self.raw(path) { try $0.number("SELECT count(*) FROM audit") } == 1)
    }

    @Test(arguments: [
        "INSERT INTO replay VALUES (zeroblob(3), zeroblob(16), x'', x'', NULL, NULL, 0)",
        "INSERT INTO replay VALUES (zeroblob(16), zeroblob(16), x'', x'01', 4, NULL, 0)",
        "INSERT INTO replay VALUES (zeroblob(16), zeroblob(16), x'', x'', NULL, 4, 0)",
        "INSERT INTO replay VALUES (zeroblob(16), zeroblob(16), x'', x'', -1, NULL, 0)",
        "INSERT INTO throttle VALUES ('a@b', 'code', '', -1, 0, 0, 0, NULL, 0, 0, 0)",
        "INSERT INTO api_key VALUES ('id', 'name', 'root', x'00', 0, NULL, 0, 0, '', 0, NULL)",
        "INSERT INTO platform_state (id, tenant) VALUES (2, 'other')",
    ])
    func `the schema refuses invalid rows`(statement: String) async throws {
        try await Self.with(path) { _ in }
        #expect(throws: SQLiteFailure.self) { try Self.raw(path) { try $0.execute(statement) } }
    }

    @Test func `a row that fits the schema but not the domain is an error, not a trap`() async throws {
        try await Self.with(path) { store in _ = try await store.write { try $0.insert(Self.account("a@master")) } }
        try Self.raw(path) { try $0.execute("UPDATE account SET static_password = x'0102'") }
        try await Self.with(path) { store in
            await #expect(throws: StoreError(.corrupt)) { try await store.read { try $0.account("a@master") } }
        }
    }

    /// Returns the reason why a file cannot be opened; nil when it can.
    private static func refusal(_ path: String) async -> DatabaseError.Code? {
        do {
            _ = try await SQLiteDatabase(path: path)
            return nil
        } catch {
            return error.code
        }
    }

    static func account(_ name: String) -> AccountRecord {
        AccountRecord(name: name, createdAt: Timestamp(secondsSinceEpoch: 1_000), registrationID: "r")
    }

    private static func with(_ path: String, _ body: (SQLiteDatabase) async throws -> Void) async throws {
        let store = try await SQLiteDatabase(path: path)
        try await body(store)
        try await store.close()
    }

    /// Opens the file without the store.
    @discardableResult
    private static func raw<T>(_ path: String, _ body: (SQLiteConnection) throws -> T) throws -> T {
        let queue = try SQLiteConnection(path)
        defer { try? queue.close() }
        return try body(queue)
    }
}

/// Writes two accounts in each transaction until the task is canceled.
///
/// - Returns: The number of transactions.
private func writePairs(into store: SQLiteDatabase) async throws -> Int {
    var count = 0
    while !Task.isCancelled {
        let name = "user\(count)@master"
        _ = try await store.write {
            try $0.insert(SQLiteDatabaseTests.account(name)) && $0.insert(SQLiteDatabaseTests.account("b" + name))
        }
        count += 1
    }
    return count
}
