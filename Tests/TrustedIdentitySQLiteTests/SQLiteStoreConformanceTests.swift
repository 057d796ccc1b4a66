import OrchestrationTesting
import TestSupport
import Testing
import TrustedIdentity
import TrustedIdentitySQLite

@Suite struct SQLiteStoreConformanceTests {
    @Test(arguments: PlatformStoreConformance.checks)
    func `the SQLite store fulfills the contract`(check: ConformanceCheck<any PlatformStore>) async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteStore(path: folder.file("platform.sqlite"))
        try await check.run(store)
        try await store.close()
    }
}
