import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

struct AdministrationTests {
    @Test func `an API key opens its scope until it is revoked, and its secret is stored nowhere`() async throws {
        let harness = try await Harness()
        let key = try await harness.platform.createAPIKey(scope: .applicationServer, name: "shop")
        let caller = try await harness.platform.authenticate(apiKey: key.secret)
        #expect(caller?.scope == .applicationServer && caller?.name == "shop")
        #expect(try await harness.platform.authenticate(apiKey: wrong(key.secret)) == nil)
        for text in ["", ".", key.id, "\(key.id).", "\(key.id).\(key.secret)", String(repeating: "x", count: 300)] {
            #expect(try await harness.platform.authenticate(apiKey: text) == nil)
        }
        let record = try await harness.store.read { [id = key.id] in try $0.apiKey(id) }
        #expect(record.map { "\($0)".contains(String(key.secret.dropFirst(17))) } == false)
        try await harness.platform.revokeAPIKey(key.id)
        try await harness.platform.revokeAPIKey(key.id)
        #expect(try await harness.platform.authenticate(apiKey: key.secret) == nil)
        #expect(try await harness.platform.apiKeys().map(\.revokedAt) == [harness.time.now()])
        await #expect(throws: PlatformError(.unknownAPIKey)) {
            try await harness.platform.revokeAPIKey("none")
        }
        await #expect(throws: PlatformError(.malformedRequest)) {
            _ = try await harness.platform.createAPIKey(scope: .administrator, name: String(repeating: "x", count: 65))
        }
    }

    @Test(arguments: [
        "", "  ", String(repeating: "x", count: 65), String(repeating: "x", count: 1_000), "Shop\nBank", "\u{202E}knaB",
        "Zoe\u{308}",
    ])
    func `a name that cannot be shown to users makes no key`(name: String) async throws {
        let platform = try await Harness().platform
        await #expect(throws: PlatformError(.malformedRequest)) {
            _ = try await platform.createAPIKey(scope: .applicationServer, name: name)
        }
        await #expect(throws: PlatformError(.malformedRequest)) {
            _ = try await platform.allowCertificate(
                [UInt8](repeating: 1, count: 32), scope: .applicationServer, name: name)
        }
        #expect(try await platform.apiKeys().isEmpty)
    }

    @Test(arguments: [
        "Example Shop", "example shop", "EXAMPLESHOP", " Example  Shop ", "Example-Shop.", "Example\u{A0}Shop",
    ])
    func `a name like that of another key is refused until that key is revoked`(name: String) async throws {
        let platform = try await Harness().platform
        let key = try await platform.createAPIKey(scope: .applicationServer, name: "Example Shop")
        func make() async throws {
            _ = try await platform.createAPIKey(scope: .applicationServer, name: name)
        }
        func allow() async throws {
            let made = try await platform.allowCertificate(
                [UInt8](repeating: 1, count: 32), scope: .applicationServer, name: name)
            #expect(made != nil)
        }
        await #expect(throws: PlatformError(.apiKeyNameInUse)) { try await make() }
        await #expect(throws: PlatformError(.apiKeyNameInUse)) { try await allow() }
        _ = try await platform.createAPIKey(scope: .applicationServer, name: "Example Shop 2")
        #expect(try await platform.apiKeys().count == 2)
        try await platform.revokeAPIKey(key.id)
        try await allow()
        // A certificate has its name as a key has.
        await #expect(throws: PlatformError(.apiKeyNameInUse)) { try await make() }
    }

    @Test func `unregistering revokes every device and removes the account`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        _ = try await harness.login("00000000")
        try await harness.platform.unregister(Harness.account())
        #expect(try await harness.platform.account(Harness.account()) == nil)
        #expect(try await harness.device(device)?.state == .revoked)
        #expect(try await harness.login(device.code(at: harness.time.now())).reason == .unknownAccount)
        await #expect(throws: PlatformError(.unknownUser)) {
            try await harness.platform.unregister(Harness.account())
        }
        await #expect(throws: PlatformError(.unknownUser)) {
            try await harness.platform.liftBlocks(of: Harness.account())
        }
    }

    @Test func `an account registered again after it was removed does not get its old devices back`() async throws {
        let harness = try await Harness()
        let old = try await harness.activate()
        try await harness.platform.unregister(Harness.account())
        harness.time.advance(milliseconds: 1)
        let new = try await harness.activate()
        #expect(try await harness.login(old.code(at: harness.time.now())).status == .refused)
        #expect(try await harness.login(new.code(at: harness.time.now())).status == .accepted)
        let report = try await harness.platform.account(Harness.account())
        #expect(report?.devices.map(\.state) == [.revoked, .active])
    }

    @Test func `a store opens with its tenant and its master key only`() async throws {
        let harness = try await Harness()
        await #expect(throws: PlatformError(.wrongTenant)) {
            _ = try await Platform(
                configuration: .init(tenant: "other"), database: harness.store, masterKey: harness.masterKey)
        }
        let other = try MasterKey(id: "test", bytes: SecretBytes(copying: [UInt8](repeating: 8, count: 32)))
        await #expect(throws: PlatformError(.wrongMasterKey)) {
            _ = try await Platform(database: harness.store, masterKey: other)
        }
        for configuration in [
            PlatformConfiguration(tenant: ""), .init(tenant: "ä"),
            .init(requestsPerDevice: 0), .init(requestsPerAddress: 60_001),
        ] {
            await #expect(throws: PlatformError(.malformedRequest)) {
                _ = try await Platform(
                    configuration: configuration, database: SQLiteDatabase.inMemory(), masterKey: harness.masterKey)
            }
        }
    }

    @Test func `the keys of the platform outlive a restart`() async throws {
        let harness = try await Harness(.init())
        let restarted = try await harness.restarted()
        let (keys, before) = (restarted.platform.keys, harness.platform.keys)
        #expect(keys.signing.map(\.pair.kid) == before.signing.map(\.pair.kid))
        #expect(keys.sealing.map(\.pair.kid) == before.sealing.map(\.pair.kid))
        #expect(keys.statements == before.statements && keys.statements.count == 1)
        #expect(keys.audit.map(\.pair.id) == before.audit.map(\.pair.id))
        let records = try await harness.store.read { try $0.platformKeys() }
        // One signing key and one audit key.
        #expect(records.count == harness.platform.keys.sealing.count + 2)
    }

    @Test func `a store that fails is reported as such, and nothing of it leaks`() async throws {
        let harness = try await Harness()
        let broken = try await Platform(
            configuration: harness.configuration, database: harness.store, masterKey: harness.masterKey)
        let failing = FaultInjectingDatabase(harness.store)
        let platform = try await Platform(
            configuration: harness.configuration, database: failing, masterKey: harness.masterKey)
        struct Failure: Error {}
        failing.fail(with: Failure())
        await #expect(throws: PlatformError(.storeFailed)) { _ = try await platform.apiKeys() }
        await #expect(throws: PlatformError(.storeFailed)) {
            _ = try await platform.login(
                .init(account: Harness.account(), credential: .oneTimePassword("00000000")))
        }
        #expect(try await broken.apiKeys().isEmpty)
    }

    @Test func `one sweep removes all expired rows, whatever their number`() async throws {
        let harness = try await Harness()
        let device = [UInt8](repeating: 1, count: 16)
        let ids = (0..<2 * Platform.sweepBatch + 7).map { number in
            [UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: 0, count: 14)
        }
        let now = harness.time.now()
        try await harness.store.write { store in
            for (id, age) in zip(ids, [-1] + [Int64](repeating: 0, count: ids.count - 1)) {
                let record = ReplayRecord(
                    device: device, request: id, requestHash: [], answer: [],
                    keptUntil: now.advanced(milliseconds: -age))
                try requireWritten(store.insert(record))
            }
        }
        try await harness.platform.sweep(now: now)
        let left = try await harness.store.read { store in
            try ids.filter { try store.replay(device: device, request: $0) != nil }
        }
        #expect(left == [ids[0]], "only what is still to be kept")
    }

    @Test func `no secret is found in the audit log or in the clear in the store`() async throws {
        let harness = try await Harness()
        let activationPassword = try await harness.register(staticPassword: "CANARY-static")
        let device = try await Authenticator.exchangeKeys(code: activationPassword, with: harness)
        try await device.complete(with: harness)
        let code = try device.code(at: harness.time.now())
        _ = try await harness.login(code)
        _ = try await harness.login("CANARY-code")
        let secret = activationPassword.split(separator: "-")[1]
        for entry in try await harness.platform.audit(limit: 1_000) {
            let text = "\(entry)"
            for canary in ["CANARY", code, activationPassword, String(secret)] { #expect(!text.contains(canary)) }
        }
        let row = try await harness.device(device)
        let sealed = (row?.secrets?.bytes ?? []) + (row?.ratchet?.bytes ?? [])
        #expect(sealed.count > 160)
        for key in [
            device.secrets.passwordInstance, device.secrets.possessionInstance, device.secrets.channel, device.ratchet,
        ] {
            let bytes = key.secretBytes.withBytes { span in span.indices.map { span[$0] } }
            #expect(!sealed.indices.contains { sealed[$0...].starts(with: bytes) })
        }
    }
}
