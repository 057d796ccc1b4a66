import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import Testing

@testable import TrustedIdentity

/// A restore that applies an exported audit log.
struct AppliedAuditTests {
    func logIn(_ password: String, on harness: Harness) async throws -> LoginDecision.Reason {
        try await harness.platform.login(
            .init(account: Harness.account(), credential: .staticPassword(password))
        ).reason
    }

    @Test func `what was revoked after the backup stays revoked, and an honest device goes on at once`() async throws {
        let harness = try await Harness()
        let (stolen, honest) = (try await harness.activate(), try await harness.activate("bob@master"))
        let (lost, kept) = (
            try await harness.platform.createAPIKey(scope: .administrator, name: "lost"),
            try await harness.platform.createAPIKey(scope: .administrator, name: "kept")
        )
        _ = try await harness.register(staticPassword: "a horse")
        let backup = try harness.snapshot()
        try await stolen.send(.userDelete, to: harness)
        try await harness.platform.revokeAPIKey(lost.id)
        _ = try await harness.register(staticPassword: "a donkey")
        let after = try await harness.restarted(on: backup)
        let report = try await after.restore(applying: harness.exportAudit())
        #expect(report.devices == 1 && report.apiKeys == 1 && report.staticPasswords == 1 && report.accounts == 0)
        #expect(report.unknown.isEmpty && !report.isLater)
        after.time.advance(milliseconds: 1)
        #expect(try await after.device(stolen)?.state == .revoked)
        #expect(try await after.login(stolen.code(at: after.time.now())).status == .refused)
        #expect(try await after.platform.authenticate(apiKey: lost.secret) == nil)
        #expect(try await after.platform.authenticate(apiKey: kept.secret)?.scope == .administrator)
        for password in ["a horse", "a donkey"] { #expect(try await logIn(password, on: after) == .wrongCredential) }
        #expect(try await after.login(honest.code(at: after.time.now()), "bob@master").reason == .notSynchronized)
        #expect(try await honest.send(SuspensionTests.sync, to: after).refusal == nil)
        #expect(try await after.login(honest.code(at: after.time.now()), "bob@master").status == .accepted)
        #expect(try await after.events(.platformRestored).map(\.reason) == ["auditLog"])
        #expect(try await after.events(.auditApplied).count == 1)
    }

    @Test func `applied later, a file lifts what is suspended and keeps what was made since`() async throws {
        let harness = try await Harness()
        let (stolen, honest) = (try await harness.activate(), try await harness.activate("bob@master"))
        let key = try await harness.platform.createAPIKey(scope: .administrator, name: "kept")
        _ = try await harness.register(staticPassword: "a horse")
        let backup = try harness.snapshot()
        try await stolen.send(.userDelete, to: harness)
        _ = try await harness.register(staticPassword: "a donkey")
        _ = try await harness.register(staticPassword: "a mule")
        let file = try await harness.exportAudit()
        let after = try await harness.restarted(on: backup)
        try await after.platform.markRestored(revocations: .unknown)
        after.time.advance(milliseconds: 1)
        _ = try await after.register(staticPassword: "an ox")
        let fresh = try await after.activate()
        #expect(try await honest.send(SuspensionTests.sync, to: after).refusal == .suspended)
        let report = try await after.restore(applying: file)
        #expect(report.isLater && report.devices == 1 && report.staticPasswords == 0)
        #expect(try await logIn("an ox", on: after) == .accepted)
        #expect(try await after.login(fresh.code(at: after.time.now())).status == .accepted)
        #expect(try await after.platform.authenticate(apiKey: key.secret)?.scope == .administrator)
        #expect(try await honest.send(SuspensionTests.sync, to: after).refusal == nil)
        #expect(try await after.device(stolen)?.state == .revoked)
        let again = try await after.restore(applying: file)
        #expect(again.isLater && again.devices == 0 && again.staticPasswords == 0)
    }

    @Test func `after a prune, a file is refused that was to be applied later to a backup with an empty log`()
        async throws
    {
        let harness = try await Harness()
        let backup = try harness.snapshot()
        try await harness.activate().send(.userDelete, to: harness)
        let file = try await harness.exportAudit()
        let after = try await harness.restarted(on: backup)
        try await after.platform.markRestored(revocations: .unknown)
        after.time.advance(seconds: 10)
        try await after.append()
        let before = try after.snapshot()
        try await after.pruneAudit(before: after.time.now())
        await #expect(throws: AuditError(.notCovering)) { try await after.restore(applying: file) }
        let unpruned = try await after.restarted(on: before)
        #expect(try await unpruned.restore(applying: file).isLater)
    }

    @Test func `a device, a key and a password that were lifted by mistake are ended by the file`() async throws {
        let harness = try await Harness()
        let stolen = try await harness.activate()
        let lost = try await harness.platform.createAPIKey(scope: .administrator, name: "lost")
        _ = try await harness.register(staticPassword: "a horse")
        let backup = try harness.snapshot()
        try await stolen.send(.userDelete, to: harness)
        try await harness.platform.revokeAPIKey(lost.id)
        _ = try await harness.register(staticPassword: "a donkey")
        let file = try await harness.exportAudit()
        let after = try await harness.restarted(on: backup)
        try await after.platform.markRestored(revocations: .unknown)
        try await after.platform.liftSuspensions()
        #expect(try await logIn("a horse", on: after) == .accepted)
        let report = try await after.restore(applying: file)
        #expect(report.devices == 1 && report.apiKeys == 1 && report.staticPasswords == 1)
        #expect(try await logIn("a horse", on: after) == .wrongCredential)
        #expect(try await after.platform.authenticate(apiKey: lost.secret) == nil)
        #expect(try await after.device(stolen)?.state == .revoked)
    }

    @Test func `an account that was removed is removed again, unless its user was registered again since`() async throws
    {
        let harness = try await Harness()
        let old = try await harness.activate()
        _ = try await harness.register(staticPassword: "a horse")
        _ = try await harness.register("bob@master", staticPassword: "a goat")
        let backup = try harness.snapshot()
        try await harness.platform.unregister(Harness.account())
        try await harness.platform.unregister(Harness.account("bob@master"))
        let file = try await harness.exportAudit()

        let after = try await harness.restarted(on: backup)
        try await after.platform.markRestored(revocations: .unknown)
        after.time.advance(milliseconds: 1)
        _ = try await after.register(staticPassword: "a zebra")
        let new = try await after.activate()
        let report = try await after.restore(applying: file)
        #expect(report.accounts == 1 && report.devices == 1)
        #expect(try await after.platform.account(Harness.account("bob@master")) == nil)
        #expect(try await after.device(old)?.state == .revoked)
        #expect(try await logIn("a horse", on: after) == .wrongCredential)
        let request = LoginRequest(account: try Harness.account(), credential: .staticPassword("a zebra"))
        #expect(try await after.platform.login(request).status == .accepted, "it was set after the restore")
        #expect(try await after.login(new.code(at: after.time.now())).status == .accepted)
    }

    @Test func `a revocation of what the backup does not know is skipped and reported`() async throws {
        let harness = try await Harness()
        let known = try await harness.activate()
        let backup = try harness.snapshot()
        let later = try await harness.activate("bob@master")
        let key = try await harness.platform.createAPIKey(scope: .administrator, name: "later")
        try await later.send(.userDelete, to: harness)
        try await harness.platform.revokeAPIKey(key.id)
        try await harness.platform.unregister(Harness.account("bob@master"))
        try await known.send(.userDelete, to: harness)
        let after = try await harness.restarted(on: backup)
        let report = try await after.restore(applying: harness.exportAudit())
        #expect(report.devices == 1)
        #expect(report.unknown.map(\.event) == [.deviceRevoked, .apiKeyRevoked, .unregistered])
        #expect(report.unknown.first?.device == later.id && report.unknown[1].reason == key.id)
    }

    @Test func `a restore that stops before it is complete is completed by the same file`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let key = try await harness.platform.createAPIKey(scope: .administrator, name: "kept")
        let backup = try harness.snapshot()
        try await device.send(.userDelete, to: harness)
        let file = try await harness.exportAudit()
        // The marking succeeds. The revocation and the lift fail.
        for writes in 1...2 {
            let store = backup.snapshot()
            let failing = StoreThatStops(base: store)
            let platform = try await harness.platform(on: failing)
            failing.stop(after: writes)
            await #expect(throws: PlatformError(.storeFailed)) {
                _ = try await platform.markRestored(
                    applying: AsyncStream {
                        $0.yield(file); $0.finish()
                    })
            }
            let after = try await harness.restarted(on: store)
            #expect(try await after.platform.authenticate(apiKey: key.secret) == nil, "suspended")
            #expect(try await after.restore(applying: file).isLater)
            #expect(try await after.device(device)?.state == .revoked)
            #expect(try await after.platform.authenticate(apiKey: key.secret)?.scope == .administrator)
        }
    }

    @Test func `the log names a static password that ended by its id`() async throws {
        let harness = try await Harness()
        _ = try await harness.register(staticPassword: "a horse")
        #expect(try await harness.events(.staticPasswordEnded).isEmpty)
        let id = try #require(try await harness.store.read { try $0.account(Harness.alice) }?.staticPasswordID)
        _ = try await harness.register()
        #expect(try await harness.events(.staticPasswordEnded).isEmpty, "it was kept")
        _ = try await harness.register(staticPassword: "a donkey")
        #expect(try await harness.events(.staticPasswordEnded).map(\.reason) == [id])
        try await harness.platform.unregister(Harness.account())
        #expect(try await harness.events(.staticPasswordEnded).count == 2)
    }
}

/// A store that accepts a number of writes and refuses all later ones.
private final class StoreThatStops: SQLDatabase {
    private let base: any SQLDatabase
    private let left = Mutex(Int.max)

    init(base: any SQLDatabase) { self.base = base }

    func stop(after writes: Int) { left.withLock { $0 = writes } }

    func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        try await base.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        let isOpen = left.withLock { left in
            left -= 1
            return left >= 0
        }
        guard isOpen else { throw StoreError(.full) }
        return try await base.write(body)
    }
}
