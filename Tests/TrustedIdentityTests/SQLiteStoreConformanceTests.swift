import Foundation
import OrchestrationTesting
import Testing
import TrustedIdentity
import TrustedIdentitySQLite

@Suite struct SQLiteStoreConformanceTests {
    @Test(arguments: PlatformStoreConformance.checks)
    func `the SQLite store does what every store owes`(check: ConformanceCheck<any PlatformStore>) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sqlite-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLiteStore(path: folder.appendingPathComponent("platform.sqlite").path)
        try await check.run(store)
        try await store.close()
    }
}
