import GRDB
import OrchestrationTesting
import Primitives
import TestSupport
import Testing
import TrustedIdentitySQLite

@testable import TrustedIdentity

/// The first and later starts on a database of the last version that did not authenticate the row about the platform
/// (`Tests/Vectors/store/sqlite-platform-4.sql`).
@Suite struct StateUpgradeTests {
    static let key = "719016ea7db1879f.ca3Qjn1SNYfO89oExFyi33-e7UX-zelDVWt10kHE57g"
    static let masterKey = "6840401167f187f8:fa2594f085728aefb6370ce57a308129ce7450260fd4716fbe9d82b2118082ce"

    let folder: TemporaryFolder
    let lines = LogLines()
    var path: String { folder.file("platform.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        try change(String(decoding: try Vectors.data("store/sqlite-platform-4.sql"), as: UTF8.self))
    }

    func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    func run(_ body: (Platform) async throws -> Void) async throws {
        let store = try await SQLiteStore(path: path)
        let result: Result<Void, any Error>
        do {
            let platform = try await Platform(
                store: store, masterKey: MasterKey(encoded: SecretBytes(copying: Self.masterKey.utf8)),
                time: ManualTimeSource(at: Timestamp(millisecondsSinceEpoch: 1_795_326_000_000)),
                logger: lines.logger)
            try await body(platform)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        try await store.close()
        try result.get()
    }

    @Test func `the rows keep their HMACs, the row about the platform gets one, and a restore suspends them`()
        async throws
    {
        try await run { platform async throws in
            #expect(try await platform.store.base.read { try $0.platformState() }?.authenticationCode?.count == 32)
            #expect(try await platform.authenticate(apiKey: Self.key)?.scope == .applicationServer)
            let report = try #require(try await platform.account(Harness.account()))
            #expect(report.devices.map(\.state) == [.active])
            #expect(report.activationStatus == .activated)
            #expect(!report.isStaticPasswordSuspended)
        }
        #expect(lines.alterations.isEmpty)
        try await run { platform async throws in
            try await platform.markRestored(revocations: .unknown)
            #expect(try await platform.authenticate(apiKey: Self.key) == nil)
            let report = try #require(try await platform.account(Harness.account()))
            #expect(report.devices.map(\.isSuspended) == [true])
            #expect(report.isStaticPasswordSuspended)
        }
    }

    @Test func `a later start does not authenticate the row about the platform`() async throws {
        try await run { _ in }
        try change("UPDATE platform_state SET authentication_code = NULL, epoch = 0")
        await #expect(throws: PlatformError(.alteredRow)) { try await run { _ in } }
    }

    @Test func `a wrong master key changes nothing`() async throws {
        let store = try await SQLiteStore(path: path)
        await #expect(throws: PlatformError(.wrongMasterKey)) {
            _ = try await Platform(store: store, masterKey: MasterKey.make(id: "6840401167f187f8"))
        }
        #expect(try await store.read { try $0.platformState() }?.authenticationCode == nil)
        try await store.close()
        try await run { _ in }
    }
}
