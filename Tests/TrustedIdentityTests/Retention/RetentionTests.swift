import OrchestrationTesting
import Primitives
import SecureChannel
import Testing
import Wire

@testable import TrustedIdentity

/// The times at which the platform removes expired rows.
struct RetentionTests {
    /// Starts the sweep, which any command does when a minute has passed.
    func sweep(_ harness: Harness) async throws {
        _ = try? await harness.platform.execute(OrchestrationCommand(bytes: [0x81, 0x01]))
    }

    @Test func `a sweep is due a minute after the last one, and when the clock was set back`() {
        let (schedule, start) = (SweepSchedule(), Timestamp(secondsSinceEpoch: 1_800_000_000))
        #expect(schedule.isDue(now: start))
        for later in [0, 1, 59_999] { #expect(!schedule.isDue(now: start.advanced(milliseconds: Int64(later)))) }
        #expect(schedule.isDue(now: start.advanced(milliseconds: 60_000)))
        #expect(!schedule.isDue(now: start.advanced(milliseconds: 119_999)))
        #expect(schedule.isDue(now: start))
        #expect(!schedule.isDue(now: start.advanced(milliseconds: 59_999)))
    }

    @Test func `no second sweep runs within a minute`() async throws {
        let harness = try await Harness()
        let initiator = try Authenticator.initiator(code: try await harness.register(), random: harness.random)
        _ = try await harness.platform.execute(initiator.command)
        let id = try ActivationRequest(decoding: initiator.command.bytes).sessionID
        func hasKeys() async throws -> Bool {
            try await harness.store.read { try $0.activationSession(id)?.keys } != nil
        }
        harness.time.advance(milliseconds: 61_000)
        try await sweep(harness)
        // The keys expire two minutes after the exchange, and a sweep is due a second later.
        harness.time.advance(milliseconds: 59_999)
        try await sweep(harness)
        #expect(try await hasKeys())
        harness.time.advance(milliseconds: 1)
        try await sweep(harness)
        #expect(try await !hasKeys())
    }

    @Test func `the keys of an exchange are erased after two minutes, and repeats get the answer`() async throws {
        let harness = try await Harness()
        let initiator = try Authenticator.initiator(code: try await harness.register(), random: harness.random)
        let answer = try await harness.platform.execute(initiator.command)
        let id = try ActivationRequest(decoding: initiator.command.bytes).sessionID
        harness.time.advance(milliseconds: 119_999)
        try await sweep(harness)
        #expect(try await harness.store.read { try $0.activationSession(id)?.keys } != nil)
        harness.time.advance(milliseconds: 60_000)
        try await sweep(harness)
        #expect(try await harness.store.read { try $0.activationSession(id)?.keys } == nil)
        #expect(try await harness.platform.execute(initiator.command) == answer)
    }

    @Test func `the secret of an activation password is erased when it expires`() async throws {
        let harness = try await Harness()
        _ = try await harness.register()
        harness.time.advance(milliseconds: 599_999)
        try await sweep(harness)
        #expect(try await harness.store.read { try $0.activationPassword(of: Harness.alice)?.secret } != nil)
        harness.time.advance(milliseconds: 60_000)
        try await sweep(harness)
        #expect(try await harness.store.read { try $0.activationPassword(of: Harness.alice)?.secret } == nil)
        #expect(try await harness.status() == .timeout)
    }

    @Test func `a device that did not complete its activation is removed an hour after its time`() async throws {
        let harness = try await Harness()
        let device = try await Authenticator.exchangeKeys(code: try await harness.register(), with: harness)
        harness.time.advance(milliseconds: DeviceLimits.pendingLifetime + DeviceLimits.pendingRetention - 1)
        try await sweep(harness)
        #expect(try await harness.device(device)?.secrets != nil, "a late device still gets an answer")
        harness.time.advance(milliseconds: 60_000)
        try await sweep(harness)
        #expect(try await harness.device(device) == nil)
        #expect(try await harness.events(.activationDropped).map(\.reason) == ["pendingExpired"])
    }

    @Test func `a device that was suspended during its activation is removed, and an activated one stays`() async throws
    {
        let harness = try await Harness()
        let bob = try await harness.activate("bob@master")
        let device = try await Authenticator.exchangeKeys(code: try await harness.register(), with: harness)
        try await harness.platform.markRestored(revocations: .unknown)
        harness.time.advance(milliseconds: DeviceLimits.pendingLifetime + DeviceLimits.pendingRetention)
        try await sweep(harness)
        #expect(try await harness.device(device) == nil)
        #expect(try await harness.device(bob)?.secrets != nil)
    }

    @Test func `a new registration ends an activation that was suspended`() async throws {
        let harness = try await Harness()
        let device = try await Authenticator.exchangeKeys(code: try await harness.register(), with: harness)
        try await harness.platform.markRestored(revocations: .unknown)
        #expect(try await harness.device(device)?.state == .pending)
        _ = try await harness.register()
        #expect(try await harness.device(device) == nil)
        await #expect(throws: PlatformError(.unknownDevice)) {
            try await harness.platform.liftDevice(device.id, of: Harness.account())
        }
        await #expect(throws: PlatformError(.undecodableCommand)) { try await device.complete(with: harness) }
        #expect(try await harness.status() == .pending)
    }

    @Test func `a device that was locked during its activation does not count as an activated one`() {
        var device = Fixture.device(.locked)
        device.stateBeforeLock = .pending
        #expect(!device.isActivated && device.isUnfinished)
        device.stateBeforeLock = .active
        #expect(device.isActivated && !device.isUnfinished)
    }

    @Test func `a failed login during the removal of its account leaves no count`() async throws {
        let harness = try await Harness()
        _ = try await harness.activate()
        let store = InterruptedStore(base: harness.store)
        let platform = try await Platform(
            configuration: harness.configuration, store: store, masterKey: harness.masterKey, time: harness.time,
            random: harness.random)
        store.interrupt { [now = harness.time.now(), sealer = harness.platform.sealer] store in
            try Platform.unregister(Harness.alice, in: store, sealer: sealer, now: now)
        }
        let decision = try await platform.login(
            LoginRequest(account: Harness.account(), credential: .oneTimePassword("00000000")))
        #expect(decision.reason == .unknownAccount)
        #expect(try await harness.store.read { try $0.throttles(of: Harness.alice) }.isEmpty)
    }
}
