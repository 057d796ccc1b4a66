import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// Rows that a writer to the database changed without the master key, and what the platform does at their next use.
struct AlteredRowTests {
    /// A platform with a log on the store of a harness.
    func observed(_ harness: Harness) async throws -> (Platform, LogLines) {
        let lines = LogLines()
        let platform = try await Platform(
            configuration: harness.configuration, database: harness.store, masterKey: harness.masterKey,
            time: harness.time, random: harness.random, logger: lines.logger)
        return (platform, lines)
    }

    func login(
        _ platform: Platform, _ credential: LoginRequest.Credential, _ user: String = Harness.alice
    ) async throws -> LoginDecision {
        try await platform.login(.init(account: Harness.account(user), credential: credential))
    }

    @Test func `a device that was moved to another account makes no code there and proves nothing`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let other = try await harness.activate("bob@master")
        let (platform, lines) = try await observed(harness)
        let sent = try await device.seal(.synchronize(generation: 0, counters: []), to: harness)
        // The whole row, with the account of the victim.
        try await harness.store.write { [id = device.id] store in
            var row = try #require(try store.device(id))
            row.account = "bob@master"
            try store.alter(row)
        }
        let code = try device.code(at: harness.time.now())
        #expect(try await login(platform, .oneTimePassword(code), "bob@master").reason == .wrongCredential)
        #expect(lines.alterations == ["error a row was changed outside of the platform row.table=device"])
        await #expect(throws: PlatformError(.alteredRow)) { _ = try await platform.execute(sent.command) }
        // The devices of the victim go on.
        let right = try other.code(at: harness.time.now())
        #expect(try await login(platform, .oneTimePassword(right), "bob@master").status == .accepted)
        #expect(try await platform.account(Harness.account("bob@master"))?.devices.count == 1)
    }

    @Test func `even with an HMAC of its new place, the keys of a moved device do not open`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let stored = try #require(try await harness.device(device))
        var moved = stored
        moved.account = "bob@master"
        #expect(throws: PlatformError(.wrongMasterKey)) {
            _ = try DeviceKeys(of: moved, sealer: harness.platform.sealer)
        }
        var rekeyed = stored
        rekeyed.deviceKey = Array(P256.Signing.PrivateKey().publicKey.compressedRepresentation)
        #expect(throws: PlatformError(.wrongMasterKey)) {
            _ = try DeviceKeys(of: rekeyed, sealer: harness.platform.sealer)
        }
    }

    @Test func `an inserted API key opens nothing and is not listed`() async throws {
        let harness = try await Harness()
        let key = try await harness.platform.createAPIKey(scope: .applicationServer, name: "shop")
        let (platform, lines) = try await observed(harness)
        let secret = "c2VjcmV0"
        let forged = APIKeyRecord(
            id: "f00d", name: "forged", scope: .administrator,
            secretHash: platform.hashes.stored(apiKeySecret: SecretBytes(copying: secret.utf8)),
            createdAt: harness.time.now())
        // Even the hash of a key under the key of the platform does not help without the HMAC of the row.
        let other = try #require(try await harness.store.read { try $0.apiKey(key.id) })
        for isCopied in [false, true] {
            try await harness.store.write { [forged] store in
                isCopied
                    ? try store.putBack(store.keptRow(other), as: forged) : try requireWritten(store.insert(forged))
            }
            #expect(try await platform.authenticate(apiKey: "f00d.\(secret)") == nil)
            #expect(lines.alterations.last == "error a row was changed outside of the platform row.table=api_key")
        }
        #expect(try await platform.apiKeys().map(\.id) == [key.id])
        #expect(try await platform.authenticate(apiKey: key.secret)?.scope == .applicationServer)
        await #expect(throws: PlatformError(.alteredRow)) { try await platform.revokeAPIKey("f00d") }
    }

    @Test func `an API key whose scope or revocation was edited opens nothing`() async throws {
        let harness = try await Harness()
        let key = try await harness.platform.createAPIKey(scope: .applicationServer, name: "shop")
        let revoked = try await harness.platform.createAPIKey(scope: .administrator, name: "lost")
        try await harness.platform.revokeAPIKey(revoked.id)
        try await harness.store.write { [id = key.id, other = revoked.id] store in
            var record = try #require(try store.apiKey(id))
            record.scope = .administrator
            try store.alter(record)
            record = try #require(try store.apiKey(other))
            record.revokedAt = nil
            try store.alter(record)
        }
        #expect(try await harness.platform.authenticate(apiKey: key.secret) == nil)
        #expect(try await harness.platform.authenticate(apiKey: revoked.secret) == nil)
    }

    @Test func `an API key whose name was edited opens nothing`() async throws {
        let harness = try await Harness()
        let key = try await harness.platform.createAPIKey(scope: .applicationServer, name: "Shop")
        try await harness.store.write { [id = key.id] store in
            var record = try #require(try store.apiKey(id))
            record.name = "Bank"
            try store.alter(record)
        }
        #expect(try await harness.platform.authenticate(apiKey: key.secret) == nil)
    }

    @Test func `an exchange that was moved to another account makes no device there`() async throws {
        let harness = try await Harness()
        let initiator = try await Authenticator.initiator(code: harness.register(), random: harness.random)
        var session = try initiator.receive(try await harness.platform.execute(initiator.command))
        _ = try await harness.register("bob@master")
        let id = try ActivationRequest(decoding: initiator.command.bytes).sessionID
        try await harness.store.write { store in
            var row = try #require(try store.activationSession(id))
            row.account = "bob@master"
            row.registrationID = try #require(try store.activationPassword(of: "bob@master")).registrationID
            try requireWritten(store.update(row))
        }
        let key = P256.Signing.PrivateKey(compactRepresentable: false)
        let request = try session.seal(Authenticator.registration(key, random: harness.random), random: harness.random)
        await #expect(throws: PlatformError(.wrongMasterKey)) { _ = try await harness.platform.execute(request) }
        #expect(try await harness.store.read { try $0.devices(of: "bob@master") }.isEmpty)
    }

    @Test func `an activation password that was copied to another account starts nothing there`() async throws {
        let harness = try await Harness()
        let code = try await harness.register()
        _ = try await harness.register("bob@master")
        try await harness.store.write { store in
            var copy = try #require(try store.activationPassword(of: Harness.alice))
            copy.account = "bob@master"
            try store.put(copy)
        }
        let initiator = try Authenticator.initiator("bob@master", code: code, random: harness.random)
        await #expect(throws: PlatformError(.wrongMasterKey)) {
            _ = try await harness.platform.execute(initiator.command)
        }
    }

    @Test func `a writer ends a block and makes a used code right again`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let code = try device.code(at: harness.time.now())
        #expect(try await harness.login(code).status == .accepted)
        for _ in 0..<5 { _ = try await harness.login("000000") }
        #expect(try await harness.login(code).reason == .blocked)
        try await harness.store.write { [id = device.id] store in
            for throttle in try store.throttles(of: Harness.alice) { try store.removeThrottle(throttle.key) }
            try store.removeCodeCounters(of: id)
        }
        #expect(try await harness.login(code).status == .accepted)
    }

    /// What is not detected, as the article says: a row as a whole has the HMAC of its time.
    @Test func `a whole row of an earlier time is accepted, and a part of it is not`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let before = try #require(try await harness.device(device))
        let kept = try await harness.store.write { try $0.keptRow(before) }
        try await harness.platform.unregister(Harness.account())
        _ = try await harness.register()
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .refused)
        try await harness.store.write { try $0.putBack(kept) }
        // Not detected: the revocation is rolled back.
        #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)

        // Detected: the earlier state beside a later version of the row.
        harness.time.advance(milliseconds: 400_000)
        try await device.send(.synchronize(generation: 0, counters: []), to: harness)
        try await device.send(.synchronize(generation: 0, counters: []), to: harness)
        let after = try #require(try await harness.device(device))
        #expect(after.ratchetIndex > before.ratchetIndex)
        var mixed = after
        mixed.ratchet = before.ratchet
        #expect(throws: PlatformError(.wrongMasterKey)) {
            _ = try DeviceKeys(of: mixed, sealer: harness.platform.sealer)
        }
        try await harness.store.write { [mixed] in try $0.alter(mixed) }
        await #expect(throws: PlatformError(.alteredRow)) {
            _ = try await harness.platform.store.read { try $0.device(before.id) }
        }
    }

    @Test func `an altered device is refused after a restore, too, and the others are suspended`() async throws {
        let harness = try await Harness()
        let (first, second) = (try await harness.activate(), try await harness.activate("bob@master"))
        try await harness.store.write { [id = first.id] store in
            var row = try #require(try store.device(id))
            row.suite = 2
            try store.alter(row)
        }
        try await harness.platform.markRestored(revocations: .unknown)
        harness.time.advance(milliseconds: 1)
        let sync = RequestBody.synchronize(generation: 0, counters: [])
        #expect(try await second.send(sync, to: harness).refusal == .suspended)
        try await harness.platform.liftSuspensions()
        #expect(try await second.send(sync, to: harness).refusal == nil)
        #expect(try await harness.platform.account(Harness.account())?.devices.isEmpty == true, "no new HMAC")
    }
}
