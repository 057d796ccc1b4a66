import Crypto
import GRDB
import OneTimePassword
import OrchestrationTesting
import Primitives
import SecureChannel
import TestSupport
import Testing
import TrustedIdentitySQLite

@testable import TrustedIdentity

/// The first and later starts on a database of the last version that did not authenticate rows
/// (`Tests/Vectors/store/sqlite-platform-3.sql`).
@Suite struct StoreUpgradeTests {
    static let applicationKey = "37e89b7697122818.uj_ouP0ExoZSP7mZVK-Gz972NB_mbPixZbc6jlDU_Zo"
    static let administratorKey = "a7396f59071816fd.cvvCGu413Rd4vQLlXYrPEp__2-MfxfeQ1Cbd0VdJqvw"
    static let masterKey = "e980f5f87fadefb1:f2914510c5ccb00f0905ab33d1e22b86eee6385dca62ba198f8b2f55c80cc917"

    let folder: TemporaryFolder
    let time = ManualTimeSource(at: Timestamp(millisecondsSinceEpoch: 1_795_319_340_000))
    let lines = LogLines()
    var path: String { folder.file("platform.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        let sql = String(decoding: try Vectors.data("store/sqlite-platform-3.sql"), as: UTF8.self)
        try change(sql)
    }

    /// Runs statements as another program does.
    func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    func content() throws -> [String] {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { database in
            try ["account", "device", "api_key", "platform_key", "activation_password", "throttle"].flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }
            }
        }
    }

    /// Starts a platform, and stops it after the body.
    func run(_ text: String = masterKey, _ body: (Platform) async throws -> Void) async throws {
        let store = try await SQLiteStore(path: path)
        var configuration = PlatformConfiguration()
        configuration.passwordHash = .standard
        do {
            let platform = try await Platform(
                configuration: configuration, store: store,
                masterKey: MasterKey(encoded: SecretBytes(copying: text.utf8)), time: time, logger: lines.logger)
            try await body(platform)
        } catch {
            try await store.close()
            throw error
        }
        try await store.close()
    }

    /// Makes a code of the only device, with the keys in its row.
    func code(_ platform: Platform) async throws -> String {
        let device = try #require(try await platform.store.read { try $0.devices(of: Harness.alice) }.first)
        let keys = try #require(try DeviceKeys(of: device, sealer: platform.sealer))
        let key = InstanceKeys.codeKey(
            secret: keys.secrets.password, ratchet: keys.ratchet.confirmed, application: 1, instance: .password,
            device: DeviceAddress(tenant: "default", account: try Harness.account(), id: device.id))
        return try TOTP(key: OneTimePasswordKey(key), digits: 8).code(at: time.now()).digits
    }

    func login(_ platform: Platform, _ credential: LoginRequest.Credential, source: String? = nil) async throws
        -> LoginDecision
    {
        try await platform.login(.init(account: Harness.account(), credential: credential, source: source))
    }

    @Test func `the first start keeps every credential, and says in the log that it trusted the rows`() async throws {
        try await run { platform async throws in
            #expect(try await platform.authenticate(apiKey: Self.applicationKey)?.scope == .applicationServer)
            #expect(try await platform.authenticate(apiKey: Self.administratorKey)?.scope == .administrator)
            #expect(try await login(platform, .staticPassword("a horse")).status == .accepted)
            #expect(try await login(platform, .oneTimePassword(code(platform))).status == .accepted)
        }
        let upgrade =
            "notice the rows of an earlier version are authenticated from now on rows.accounts=2 rows.devices=1"
        #expect(lines.all.filter { $0 == upgrade }.count == 1, "\(lines.all)")
        try await run { platform async throws in
            time.advance(milliseconds: 30_000)
            #expect(try await login(platform, .oneTimePassword(code(platform))).status == .accepted)
            #expect(try await platform.authenticate(apiKey: Self.applicationKey)?.scope == .applicationServer)
        }
        #expect(lines.all.filter { $0 == upgrade }.count == 1, "once")
        #expect(lines.alterations.isEmpty)
    }

    @Test func `the count of a known source goes on under its new hash`() async throws {
        try await run { platform async throws in
            // The fifth failure in a row of this source, which has a count of its own.
            #expect(
                try await login(platform, .oneTimePassword("00000000"), source: "browser").reason == .wrongCredential)
            #expect(try await login(platform, .oneTimePassword("00000000"), source: "browser").reason == .blocked)
            #expect(try await login(platform, .oneTimePassword("00000000")).reason == .wrongCredential)
        }
    }

    @Test func `an activation password from before starts an activation, and an exchange from before is gone`()
        async throws
    {
        try await run { platform async throws in
            #expect(try await platform.store.write { try $0.activationSessionCount(of: "") } == 0)
            let random = SeededRandomSource(seed: 1)
            let initiator = try Authenticator.initiator(
                "bob@master", code: "DCC9-Y4AN-5DA3", suites: [.classic, .hybrid], random: random)
            var session = try initiator.receive(try await platform.execute(initiator.command))
            let key = P256.Signing.PrivateKey(compactRepresentable: false)
            let request = try session.seal(Authenticator.registration(key, random: random))
            #expect(try session.open(try await platform.execute(request)).deviceID.count == 16)
        }
    }

    @Test(arguments: [
        "UPDATE device SET authentication_code = NULL", "UPDATE account SET authentication_code = NULL",
        "UPDATE account SET authentication_code = NULL; UPDATE device SET authentication_code = NULL; "
            + "DELETE FROM platform_key; DELETE FROM key_statement",
    ])
    func `a later start authenticates no row without an HMAC`(statements: String) async throws {
        try await run { _ in }
        try change(statements)
        try await run { platform async throws in
            let record = try await platform.store.base.read { try $0.devices(of: Harness.alice) }.first
            let account = try await platform.store.base.read { try $0.account(Harness.alice) }
            #expect(record?.authenticationCode == nil || account?.authenticationCode == nil)
            let devices = try await platform.store.read { store in
                try ifUnaltered { try store.account(Harness.alice) } == nil ? [] : store.devices(of: Harness.alice)
            }
            #expect(devices.isEmpty)
        }
        #expect(lines.all.filter { $0.contains("the rows of an earlier version") }.count == 1)
        #expect(!lines.alterations.isEmpty)
    }

    @Test(arguments: [
        "UPDATE device SET authentication_code = NULL; UPDATE platform_state SET restored_at = NULL, version = 0",
        "UPDATE device SET authentication_code = NULL; DELETE FROM platform_state",
        "UPDATE platform_state SET authentication_code = NULL",
        "DELETE FROM platform_state; DELETE FROM platform_key; DELETE FROM device; DELETE FROM account",
    ])
    func `a later start with an altered or missing row about the platform fails`(statements: String) async throws {
        try await run { _ in }
        try change(statements)
        await #expect(throws: PlatformError(.alteredRow)) { try await run { _ in } }
    }

    @Test func `keys of the platform at the earlier revision do not open beside others`() async throws {
        try change("CREATE TABLE earlier AS SELECT * FROM platform_key WHERE suite = 0")
        try await run { _ in }
        // One of the keys as it was before the upgrade. All of them together would bring the first start back.
        try change(
            """
            REPLACE INTO platform_key (
                id, purpose, algorithm, public_key, private_key, created_at, not_before, version)
            SELECT id, purpose, -19, public_key, private_key, created_at, created_at, 0 FROM earlier
            """)
        await #expect(throws: PlatformError(.wrongMasterKey)) { try await run { _ in } }
    }

    @Test func `a wrong master key changes nothing`() async throws {
        // The migration of the schema alone.
        try await SQLiteStore(path: path).close()
        let before = try content()
        let wrong = "e980f5f87fadefb1:" + String(repeating: "0", count: 64)
        await #expect(throws: PlatformError(.wrongMasterKey)) { try await run(wrong) { _ in } }
        #expect(try content() == before)
        try await run { platform async throws in
            #expect(try await platform.authenticate(apiKey: Self.applicationKey)?.scope == .applicationServer)
        }
    }

    @Test func `a device whose secrets do not open stays without an HMAC, and the start succeeds`() async throws {
        try change("UPDATE device SET secrets = ratchet")
        try await run { platform async throws in
            #expect(
                try await platform.store.base.read { try $0.devices(of: Harness.alice) }.map(\.authenticationCode) == [
                    nil
                ])
            #expect(try await platform.account(Harness.account())?.devices.isEmpty == true)
            #expect(try await login(platform, .staticPassword("a horse")).status == .accepted)
        }
        #expect(!lines.alterations.isEmpty)
    }

    @Test func `a start that fails in the middle leaves everything to the next one`() async throws {
        try await SQLiteStore(path: path).close()
        let before = try content()
        // The upgrade of the API keys comes last, and this key refuses it.
        try change(
            "CREATE TRIGGER refuse BEFORE UPDATE ON api_key BEGIN SELECT RAISE(ABORT, 'refused'); END")
        await #expect(throws: PlatformError(.storeFailed)) { try await run { _ in } }
        #expect(try content() == before)
        try change("DROP TRIGGER refuse")
        try await run { platform async throws in
            #expect(try await platform.authenticate(apiKey: Self.administratorKey)?.scope == .administrator)
            #expect(try await login(platform, .oneTimePassword(code(platform))).status == .accepted)
        }
    }
}
