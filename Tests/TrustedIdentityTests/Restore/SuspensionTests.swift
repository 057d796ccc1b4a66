import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// A restore without an audit log suspends what was made before, until an administrator lifts each.
struct SuspensionTests {
    static let sync = RequestBody.synchronize(generation: 0, counters: [])

    let harness: Harness
    let device: Authenticator
    let key: NewAPIKey
    let lines = LogLines()
    /// The platform of the harness, with a log.
    let platform: Platform

    /// A platform that was restored without its audit log a moment ago, with alice, her device and her static password,
    /// and an API key.
    init() async throws {
        harness = try await Harness()
        device = try await Authenticator.exchangeKeys(
            code: try await harness.register(staticPassword: "a horse"), with: harness)
        try await device.complete(with: harness)
        key = try await harness.platform.createAPIKey(scope: .applicationServer, name: "shop")
        platform = try await harness.platform(on: harness.store, logger: lines.logger)
        harness.time.advance(milliseconds: 1_000)
        try await platform.markRestored(revocations: .unknown)
        harness.time.advance(milliseconds: 1)
    }

    func logIn(password: String = "a horse", _ user: String = Harness.alice) async throws -> LoginDecision {
        try await platform.login(.init(account: Harness.account(user), credential: .staticPassword(password)))
    }

    func code() throws -> String { try device.code(at: harness.time.now()) }

    /// Returns the refusal that a platform on another store gives to a request.
    func refusal(of body: RequestBody, on other: Platform) async throws -> RefusalCode? {
        let sent = try await device.seal(body, to: harness)
        return try device.open(try await other.execute(sent.command), to: sent).refusal
    }

    @Test func `a suspended device gets the reason, and its codes are refused and not counted`() async throws {
        #expect(try await device.send(Self.sync, to: harness).refusal == .suspended)
        #expect(try await device.send(.notificationsRegister(identifier: "x"), to: harness).refusal == .suspended)
        #expect(try await harness.login(code()).reason == .notSynchronized)
        let report = try #require(try await platform.account(Harness.account()))
        #expect(report.devices.map(\.isSuspended) == [true])
        #expect(report.failures.isEmpty)
    }

    @Test func `a lifted device goes on after its first message`() async throws {
        try await platform.liftSuspensions()
        #expect(try await platform.account(Harness.account())?.devices.map(\.isSuspended) == [false])
        #expect(try await harness.login(code()).reason == .notSynchronized)
        #expect(try await device.send(Self.sync, to: harness).refusal == nil)
        #expect(try await harness.login(code()).status == .accepted)
        #expect(try await harness.events(.suspensionsLifted).count == 1)
        try await platform.liftSuspensions()
        #expect(try await harness.events(.suspensionsLifted).count == 1, "nothing was suspended")
        #expect(try await harness.login(device.code(at: harness.time.now().advanced(seconds: 30))).status == .accepted)
    }

    @Test func `lifting the blocks of an account lifts no suspension`() async throws {
        try await platform.liftBlocks(of: Harness.account())
        #expect(try await device.send(Self.sync, to: harness).refusal == .suspended)
        #expect(try await logIn().reason == .suspended)
    }

    @Test func `a suspended device can delete itself`() async throws {
        #expect(try await device.send(.userDelete, to: harness).refusal == nil)
        #expect(try await harness.device(device)?.state == .revoked)
        try await platform.liftSuspensions()
        #expect(try await harness.device(device)?.state == .revoked)
    }

    @Test(arguments: [LockReason.wrongPassword, .cloneSuspected])
    func `a lift does not unlock a device`(reason: LockReason) async throws {
        try await platform.store.write { [id = device.id] store in
            var row = try #require(try store.device(id))
            row.lock(reason)
            try requireWritten(store.update(row))
        }
        let refusal: RefusalCode = reason == .cloneSuspected ? .cloneSuspected : .locked
        #expect(try await device.send(Self.sync, to: harness).refusal == refusal)
        try await platform.liftSuspensions()
        #expect(try await device.send(Self.sync, to: harness).refusal == refusal)
    }

    @Test func `a login with a suspended static password counts as a failure, right or wrong, until it is lifted`()
        async throws
    {
        #expect(try await logIn().reason == .suspended)
        #expect(try await logIn(password: "a donkey").reason == .suspended)
        let report = try #require(try await platform.account(Harness.account()))
        #expect(report.isStaticPasswordSuspended)
        #expect(report.failures.map(\.consecutive) == [2])
        try await platform.liftSuspensions()
        #expect(try await logIn().status == .accepted)
        #expect(try await logIn(password: "a donkey").reason == .wrongCredential)
    }

    @Test func `an unknown user and a suspended password cost one hash each`() async throws {
        for user in [Harness.alice, "nobody@master"] {
            let before = await platform.hasher.computed
            _ = try await logIn(user)
            let after = await platform.hasher.computed
            #expect(after == before + 1, "\(user)")
        }
    }

    @Test func `a suspended API key opens nothing, and the log says so`() async throws {
        #expect(try await platform.authenticate(apiKey: key.secret) == nil)
        let line = "notice an API key is suspended since a restore api-key.id=\(key.id)"
        #expect(lines.all.filter { $0.hasPrefix("notice") } == [line])
        // A wrong secret says nothing about the key.
        #expect(try await platform.authenticate(apiKey: key.id + ".wrong") == nil)
        #expect(lines.all.filter { $0.hasPrefix("notice") }.count == 1)
        #expect(try await platform.apiKeys().map(\.isSuspended) == [true])
        try await platform.liftSuspensions()
        #expect(try await platform.authenticate(apiKey: key.secret)?.scope == .applicationServer)
    }

    @Test func `a revoked API key stays revoked`() async throws {
        try await platform.revokeAPIKey(key.id)
        try await platform.liftSuspensions()
        #expect(try await platform.authenticate(apiKey: key.secret) == nil)
        #expect(try await platform.apiKeys().map(\.isSuspended) == [false])
    }

    @Test func `what is made after the restore is not suspended`() async throws {
        let fresh = try await platform.createAPIKey(scope: .administrator, name: "new")
        #expect(try await platform.authenticate(apiKey: fresh.secret)?.scope == .administrator)
        let bob = try await harness.activate("bob@master")
        #expect(try await bob.send(Self.sync, to: harness).refusal == nil)
        #expect(try await harness.login(bob.code(at: harness.time.now()), "bob@master").status == .accepted)
        // A registration keeps the earlier password, unless it sets another one.
        _ = try await harness.register()
        #expect(try await logIn().reason == .suspended)
        _ = try await harness.register(staticPassword: "a donkey")
        #expect(try await logIn(password: "a donkey").status == .accepted)
    }

    @Test func `an activation that was under way is suspended, too, and expires`() async throws {
        let other = try await Harness()
        let pending = try await Authenticator.exchangeKeys(code: try await other.register(), with: other)
        try await other.platform.markRestored(revocations: .unknown)
        other.time.advance(milliseconds: 1)
        #expect(try await pending.send(.activationPassword, proof: .password, to: other).refusal == .suspended)
        other.time.advance(milliseconds: DeviceLimits.pendingLifetime)
        #expect(try await pending.send(.activationPassword, proof: .password, to: other).refusal == .pendingExpired)
    }

    @Test func `a later restore suspends everything again, and one without revocations lifts nothing`() async throws {
        try await platform.markRestored(revocations: .nothingRevoked)
        #expect(try await platform.authenticate(apiKey: key.secret) == nil)
        #expect(try await logIn().reason == .suspended)
        harness.time.advance(milliseconds: 1)
        #expect(try await device.send(Self.sync, to: harness).refusal == .suspended)
        try await platform.markRestored(revocations: .unknown)
        #expect(try await platform.authenticate(apiKey: key.secret) == nil)
    }

    @Test func `a restore writes the row about the platform and no other`() async throws {
        let rows = try await harness.store.read { store in
            (try store.devices(after: nil, limit: 9), try store.accounts(after: nil, limit: 9), try store.apiKeys())
        }
        try await platform.markRestored(revocations: .unknown)
        let after = try await harness.store.read { store in
            (try store.devices(after: nil, limit: 9), try store.accounts(after: nil, limit: 9), try store.apiKeys())
        }
        #expect(rows == after)
        #expect(
            try await harness.events(.platformRestored).map(\.reason) == ["revocationsUnknown", "revocationsUnknown"])
    }
}

/// A restore that commits between the reads of a decision and its write.
struct SuspensionRaceTests {
    let harness: Harness
    let device: Authenticator
    let store: FaultInjectingDatabase
    let platform: Platform

    init() async throws {
        harness = try await Harness()
        device = try await Authenticator.exchangeKeys(
            code: try await harness.register(staticPassword: "a horse"), with: harness)
        try await device.complete(with: harness)
        store = FaultInjectingDatabase(harness.store)
        platform = try await harness.platform(on: store)
    }

    /// Suspends everything before the next write.
    func interrupt() {
        store.interrupt { [rows = platform.store.check] store in
            let store = store.checked(by: rows)
            var state = try store.currentState()
            state.epoch += 1
            state.suspendedBelow = state.epoch
            try requireWritten(store.update(state))
        }
    }

    @Test func `a request is decided again`() async throws {
        interrupt()
        let sent = try await device.seal(.notificationsRegister(identifier: "x"), to: harness)
        #expect(try device.open(try await platform.execute(sent.command), to: sent).refusal == .suspended)
    }

    @Test func `a login by code is decided again`() async throws {
        interrupt()
        let code = try device.code(at: harness.time.now())
        let decision = try await platform.login(
            .init(account: Harness.account(), credential: .oneTimePassword(code)))
        #expect(decision.reason == .notSynchronized)
        let row = try await harness.store.read { [id = device.id] in try $0.codeCounters(of: id) }
        #expect(row.isEmpty, "no code is used up")
    }

    @Test func `a login by password is decided again`() async throws {
        interrupt()
        let decision = try await platform.login(
            .init(account: Harness.account(), credential: .staticPassword("a horse")))
        #expect(decision.reason == .suspended)
    }

    @Test func `two codes are compared again`() async throws {
        interrupt()
        let now = harness.time.now()
        let codes = (try device.code(at: now), try device.code(at: now.advanced(seconds: 30)))
        await #expect(throws: PlatformError(.codesRefused)) {
            try await platform.synchronizeAuthenticator(Harness.account(), codes: codes)
        }
    }
}
