import GRDB
import OneTimePassword
import OrchestrationTesting
import Primitives
import SecureChannel
import TestSupport
import Testing
import TrustedIdentitySQLite
import Wire

@testable import TrustedIdentity

/// The first and later starts on a database of the last version without key statements
/// (`Tests/Vectors/store/sqlite-platform-6.sql`).
@Suite struct KeyUpgradeTests {
    static let apiKey = "c4a5e65ea7e64045.g_Szmr5bpzadNYJtH7mmObXhXIQvIhBvwzVF-G4FQE8"
    static let masterKey = "caee00deb438d1ae:4826fb1f4980ff696375608595a7f1316f5d08137ead2fac07824ded2d1297dd"

    let folder: TemporaryFolder
    let time = ManualTimeSource(at: Timestamp(millisecondsSinceEpoch: 1_795_333_000_000))
    let lines = LogLines()
    var path: String { folder.file("platform.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        try change(String(decoding: try Vectors.data("store/sqlite-platform-6.sql"), as: UTF8.self))
    }

    private func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    /// Starts a platform, and stops it after the body.
    private func run(_ body: (Platform) async throws -> Void) async throws {
        let store = try await SQLiteStore(path: path)
        do {
            let platform = try await Platform(
                store: store, masterKey: MasterKey(encoded: SecretBytes(copying: Self.masterKey.utf8)), time: time,
                logger: lines.logger)
            try await body(platform)
        } catch {
            try await store.close()
            throw error
        }
        try await store.close()
    }

    private func code(_ platform: Platform) async throws -> String {
        let device = try #require(try await platform.store.read { try $0.devices(of: Harness.alice) }.first)
        let keys = try #require(try DeviceKeys(of: device, sealer: platform.sealer))
        let key = InstanceKeys.codeKey(
            secret: keys.secrets.password, ratchet: keys.ratchet.confirmed, application: 1, instance: .password,
            device: DeviceAddress(tenant: "default", account: try Harness.account(), id: device.id))
        return try TOTP(key: OneTimePasswordKey(key), digits: 8).code(at: time.now()).digits
    }

    @Test func `the first start makes statement 1 of the keys that are there, and adds an audit key, and rows stay`()
        async throws
    {
        var statement: KeyStatement?
        try await run { platform async throws in
            let keys = platform.keys
            #expect(keys.latest.sequence == 2 && keys.records.count == 4)
            let first = try KeyStatement(decoding: keys.statements[0].payload)
            #expect(Set(first.keys.map(\.kid)) == Set(keys.records.filter { $0.purpose != .audit }.map(\.id)))
            #expect(Set(keys.latest.keys.map(\.kid)) == Set(keys.records.map(\.id)))
            #expect(keys.latest.keys.allSatisfy { $0.notAfter == nil && $0.notBefore < time.now() })
            #expect(keys.records.map(\.algorithm).sorted() == [-19, -19, 1, 2])
            statement = keys.latest
            let device = try #require(try await platform.store.read { try $0.devices(of: Harness.alice) }.first)
            #expect(device.keyStatement == 0 && device.capabilities == nil && device.deviceKeyAlgorithm == -9)
            #expect(try await platform.authenticate(apiKey: Self.apiKey)?.scope == .applicationServer)
            let login = LoginRequest(
                account: try Harness.account(), credential: .oneTimePassword(try await code(platform)))
            #expect(try await platform.login(login).status == .accepted)
        }
        #expect(lines.alterations.isEmpty)
        try await run { platform async throws in #expect(platform.keys.latest == statement) }
        let upgrade = "notice the keys of an earlier version have a key statement from now on"
        #expect(lines.all.filter { $0.hasPrefix(upgrade) }.count == 1, "\(lines.all)")
    }

    @Test func `the row about the platform is not authenticated again`() async throws {
        try change("UPDATE platform_state SET authentication_code = NULL")
        await #expect(throws: PlatformError(.alteredRow)) { try await run { _ in } }
    }

    @Test(arguments: [
        "DELETE FROM key_statement", "DELETE FROM platform_key",
        "UPDATE platform_key SET authentication_code = NULL", "UPDATE platform_key SET not_before = not_before - 1",
        "UPDATE platform_key SET retired_at = not_before WHERE algorithm = 2",
        "UPDATE platform_key SET algorithm = 1 WHERE algorithm = 2",
        "UPDATE platform_key SET purpose = 'sealing' WHERE purpose = 'signing'",
        "UPDATE platform_key SET version = version + 1",
        "UPDATE key_statement SET statement = x'80'", "UPDATE key_statement SET sequence = 3 WHERE sequence = 2",
        "DELETE FROM platform_key WHERE purpose = 'audit'; DELETE FROM key_statement WHERE sequence = 2",
    ])
    func `a platform does not start with altered keys or statements`(statement: String) async throws {
        try await run { _ in }
        try change(statement)
        await #expect(throws: PlatformError(.alteredRow)) { try await run { _ in } }
    }

    @Test(arguments: [
        // The rotation is undone.
        """
        DELETE FROM platform_key WHERE purpose = 'signing' AND retired_at IS NULL;
        DELETE FROM key_statement WHERE sequence = 3
        """,
        "DELETE FROM platform_key WHERE algorithm = 1 AND retired_at IS NULL",
        // A key gets its row of before the rotation.
        "DELETE FROM platform_key WHERE id IN (SELECT id FROM saved); INSERT INTO platform_key SELECT * FROM saved",
    ])
    func `a platform does not start with keys of before a rotation`(statement: String) async throws {
        try await run { _ in }
        try change("CREATE TABLE saved AS SELECT * FROM platform_key")
        time.advance(seconds: 60)
        try await run { platform async throws in try await platform.rotateKeys(.all) }
        try await run { _ in }
        try change(statement)
        await #expect(throws: PlatformError(.alteredRow)) { try await run { _ in } }
    }
}
