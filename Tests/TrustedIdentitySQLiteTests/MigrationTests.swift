import Foundation
import GRDB
import Primitives
import TestSupport
import Testing
import TrustedIdentity
import TrustedIdentitySQLite

/// Databases of earlier versions, made from the SQL of those versions in `Tests/Vectors/store`.
@Suite struct MigrationTests {
    static let device = [UInt8](repeating: 7, count: 16)

    let folder: TemporaryFolder
    var path: String { folder.file("platform.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [1, 2, 3, 4]) func `a database of an earlier step is migrated and loses nothing`(step: Int)
        async throws
    {
        try makeDatabase(step: step)
        try open(path) { database in
            for event in ["account.registered", "account.unregistered"] {
                try database.execute(
                    sql: "INSERT INTO audit (time, event, account, reason) VALUES (1019, ?, 'removed@master', '')",
                    arguments: [event])
            }
        }
        let store = try await SQLiteStore(path: path)
        try await store.read { reader throws in
            let subject = try #require(try reader.account("alice@master")?.subject)
            #expect(
                try reader.platformState()
                    == PlatformStateRecord(tenant: "default", createdAt: time(1000), restoredAt: time(2000), version: 3)
            )
            #expect(
                try reader.account("alice@master")
                    == AccountRecord(
                        name: "alice@master", createdAt: time(1001), registrationID: "r1", activatedAt: time(1002),
                        staticPassword: sealed(5, [0xAA, 0xBB]), subject: subject, version: 4))
            #expect(
                try reader.activationPassword(of: "alice@master")
                    == ActivationPasswordRecord(
                        account: "alice@master", registrationID: "r1", serialNumber: "TI0000000001", handle: 32767,
                        secret: sealed(0, [0xCC]), createdAt: time(1003), expiresAt: time(601_003), tries: 2, version: 5
                    ))
            #expect(
                try reader.activationSession([UInt8](repeating: 5, count: 16))
                    == ActivationSessionRecord(
                        id: [UInt8](repeating: 5, count: 16), account: "alice@master", registrationID: "r1",
                        firstRequestHash: [1], firstAnswer: [2], keys: nil, expiresAt: time(1004),
                        secondRequestHash: [3], secondAnswer: [4], keptUntil: time(1005), source: "", version: 1))
            #expect(try reader.device(Self.device) == expectedDevice)
            #expect(
                try reader.codeCounters(of: Self.device) == [
                    CodeCounterRecord(
                        device: Self.device, instance: .password, application: 8, next: UInt64(Int64.max), drift: -2)
                ])
            // The counts that a refused code changes are there, with zeros.
            let zeros = ["", "overall"].map { source in
                ThrottleRecord(key: ThrottleKey(account: "alice@master", kind: .code, source: source), now: time(1001))
            }
            #expect(try reader.throttles(of: "alice@master") == zeros + [expectedThrottle])
            #expect(
                try reader.replay(device: Self.device, request: [UInt8](repeating: 8, count: 16))
                    == ReplayRecord(
                        device: Self.device, request: [UInt8](repeating: 8, count: 16), requestHash: [5], answer: [6],
                        keptUntil: time(1014)))
            #expect(
                try reader.apiKeys() == [
                    APIKeyRecord(
                        id: "k1", name: "shop", scope: .applicationServer, secretHash: [0x0B], createdAt: time(1015),
                        revokedAt: time(1016))
                ])
            #expect(
                try reader.platformKeys() == [
                    PlatformKeyRecord(
                        id: [UInt8](repeating: 1, count: 8), purpose: .sealing, algorithm: 2, publicKey: [0x0C],
                        privateKey: sealed(0, [0xFF]), createdAt: time(1017), notBefore: time(1017))
                ])
            #expect(
                try reader.auditEntries(of: "alice@master", before: nil, limit: 9) == [
                    AuditEntry(
                        sequence: 1, time: time(1018), event: .registered, account: "alice@master", subject: subject,
                        device: Self.device, reason: "because")
                ])
            // The entries of an account that was removed belong together, and do not name it.
            let removed = try reader.auditEntries(from: 2, limit: 9)
            #expect(removed.map(\.event) == [.registered, .unregistered] && removed.allSatisfy { $0.account == nil })
            #expect(Set(removed.map(\.subject)).count == 1 && removed[0].subject?.count == 16)
            #expect(removed[0].subject != subject && subject.count == 16)
            let tally = AuditTally(hour: time(3_600_000), event: .activationTried, reason: "unknownUser", count: 7)
            #expect(try reader.auditTallies(limit: 9) == (step == 1 ? [] : [tally]))
        }
        try await store.close()
        // The name is not even in the unused parts of the file.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(
            bytes.range(of: Data("removed@master".utf8)) == nil && bytes.range(of: Data("alice@master".utf8)) != nil)
    }

    @Test(arguments: [1, 2, 3, 4]) func `a migrated database has the schema of a new one`(step: Int) async throws {
        try makeDatabase(step: step)
        try await SQLiteStore(path: path).close()
        let fresh = folder.file("new.sqlite")
        try await SQLiteStore(path: fresh).close()
        let (migrated, new) = (try schema(path), try schema(fresh))
        #expect(migrated == new)
        #expect(migrated.contains { $0.contains("activation_password_by_expires_at") })
        #expect(!migrated.contains { $0.contains("chain") || $0.contains("activation_code") })
    }

    @Test func `a migration that fails leaves the database as it was`() async throws {
        try makeDatabase(step: 2)
        // A table with the new name exists already.
        try open(path) { try $0.execute(sql: "CREATE TABLE activation_password (x)") }
        let before = try schema(path)
        await #expect(throws: SQLiteStoreError.self) { _ = try await SQLiteStore(path: path) }
        #expect(try schema(path) == before)
        #expect(try open(path) { try Int.fetchOne($0, sql: "SELECT count(*) FROM activation_code") } == 1)
    }

    private var expectedDevice: DeviceRecord {
        var device = DeviceRecord(
            id: Self.device, account: "alice@master", registrationID: "r1", serialNumber: "TI0000000001",
            createdAt: time(1006), pendingUntil: time(1007), name: "phone", sdkVersion: "1.0.0", methods: [0, 1, 2],
            deviceKey: [2, 2], suite: 2, secrets: sealed(0, [0xDD]), ratchet: sealed(9, [0xEE]))
        device.state = .locked
        device.lockReason = .cloneSuspected
        device.stateBeforeLock = .active
        device.activatedAt = time(1008)
        device.notificationIdentifier = "pull:00ff"
        device.ratchetIndex = 9
        device.offeredIndex = 10
        device.promotedAt = time(1009)
        device.generation = 3
        device.passwordFailures = 1
        device.receiptHashes = [0x0A]
        device.isRestored = true
        device.lastSeenAt = time(1010)
        device.version = 6
        return device
    }

    private var expectedThrottle: ThrottleRecord {
        var throttle = ThrottleRecord(
            key: ThrottleKey(account: "alice@master", kind: .code, source: "s1"), now: time(1013))
        throttle.consecutive = 1
        throttle.total = 2
        throttle.level = 3
        throttle.levelSince = time(1011)
        throttle.blockedUntil = time(1012)
        throttle.unreported = 4
        throttle.version = 7
        return throttle
    }

    private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(millisecondsSinceEpoch: milliseconds) }

    private func sealed(_ revision: Int64, _ bytes: [UInt8]) -> SealedValue {
        SealedValue(keyID: "m1", revision: revision, bytes: bytes)
    }

    /// Makes a database of an earlier step, with a row in each of its tables.
    private func makeDatabase(step: Int) throws {
        let later = (2...4).filter { $0 <= step }.map { "sqlite-schema-\($0).sql" }
        let files = ["sqlite-schema-1.sql", "sqlite-rows.sql"] + later
        for file in files {
            let sql = String(decoding: try Vectors.data("store/\(file)"), as: UTF8.self)
            try open(path) { try $0.execute(sql: sql) }
        }
    }

    private func schema(_ path: String) throws -> [String] {
        try open(path) { database in
            try String.fetchAll(
                database,
                sql: "SELECT type || ' ' || name || ': ' || ifnull(sql, '') FROM sqlite_schema ORDER BY type, name")
        }.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ").replacing("\"", with: "") }
    }

    /// Opens a database without the store.
    @discardableResult
    private func open<T>(_ path: String, _ body: (Database) throws -> T) throws -> T {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.writeWithoutTransaction(body)
    }
}
