import Orchestration
import OrchestrationTesting
import TestSupport
import Testing

@Suite struct SecureStoreBehaviorTests {
    @Test(arguments: SecureStoreConformance.checks)
    func `the store of files behaves as every store does`(_ check: ConformanceCheck<SecureStoreSubject>) async throws {
        let folder = try TemporaryFolder()
        try await check.run(
            SecureStoreSubject(FileStore(directory: folder.path), twin: FileStore(directory: folder.path)))
    }

    @Test(arguments: SecureStoreConformance.checks)
    func `the store in memory behaves as every store does`(_ check: ConformanceCheck<SecureStoreSubject>) async throws {
        let store = MemoryStore()
        try await check.run(SecureStoreSubject(store, twin: store))
    }

    @Test(arguments: SecureStoreConformance.checks)
    func `a store that drops everything fails each check`(_ check: ConformanceCheck<SecureStoreSubject>) async throws {
        await #expect(throws: (any Error).self) {
            try await check.run(SecureStoreSubject(LeakyStore(), twin: LeakyStore()))
        }
    }
}

/// Stores nothing, calls the body twice, and hides its errors.
private struct LeakyStore: SecureStore {
    func names() async throws -> [StoreName] { StoreName("stray").map { [$0] } ?? [] }

    func read(_ name: StoreName) async throws -> [UInt8]? { nil }

    func update<R: Sendable>(
        _ name: StoreName, _ body: @Sendable (_ current: [UInt8]?) throws -> (StoreChange, R)
    ) async throws -> R {
        _ = try? body([0xEE])
        return try body([0xEE]).1
    }
}
