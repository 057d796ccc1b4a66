import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

@Suite struct StoreContractTests {
    @Test(arguments: StoreContract.checks)
    func `a store in memory fulfills the contract`(check: ConformanceCheck<any SQLDatabase>) async throws {
        try await check.run(SQLiteDatabase.inMemory())
    }

    @Test(arguments: StoreContract.checks)
    func `a store in a file fulfills the contract`(check: ConformanceCheck<any SQLDatabase>) async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteDatabase(path: folder.file("platform.sqlite"))
        try await check.run(store)
        try await store.close()
    }

    #if PostgreSQL
        @Test(
            .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed: apt-get install postgresql"),
            arguments: StoreContract.checks)
        func `a store on PostgreSQL fulfills the contract`(check: ConformanceCheck<any SQLDatabase>) async throws {
            try await check.run(ServerDatabase(numbersAtOnce: true))
        }
    #endif

    @Test func `a snapshot does not see what is written later`() async throws {
        let store = SQLiteDatabase.inMemory()
        _ = try await store.write {
            try $0.insert(
                PlatformStateRecord(
                    tenant: "a", createdAt: .init(secondsSinceEpoch: 0), masterKeyID: "m1",
                    dataKeys: SealedValue(revision: 0, bytes: [])))
        }
        let snapshot = store.snapshot()
        _ = try await store.write { store in
            try store.append(AuditEntry(time: .init(secondsSinceEpoch: 0), event: .registered))
        }
        let (state, log) = try await snapshot.read {
            try ($0.platformState(), $0.auditEntries(of: nil, before: nil, limit: 1))
        }
        #expect(state?.tenant == "a")
        #expect(log.isEmpty)
    }

    @Test func `a negative limit removes nothing`() async throws {
        let removed = try await SQLiteDatabase.inMemory().write { store in
            try store.removeExpired(now: .init(secondsSinceEpoch: 0), limit: -1)
        }
        #expect(removed == 0)
    }

    @Test(arguments: [[], [1], [1, 0, 0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]])
    func `a malformed packed value is refused`(bytes: [UInt8]) {
        #expect(SealedValue(packed: bytes) == nil)
    }

    @Test func `a sealed value comes back from its packed form`() {
        let value = SealedValue(revision: .max, bytes: [1, 2, 3])
        #expect(SealedValue(packed: value.packed) == value)
        #expect(SealedValue(packed: Array(value.packed.dropLast(4))) == nil)
    }
}
