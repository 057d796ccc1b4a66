import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import Orchestration
@testable import TrustedIdentity

/// The verb `synchronize`, and what a device knows of its need.
@Suite struct SynchronizeTests {
    private static let wrong = "739152"
    private static let fields = [DataField(label: "Amount", value: "10 EUR")]
    private static let year: Int64 = 365 * 86_400_000

    private func device(_ stage: Stage) async throws -> DeviceRecord {
        try #require(try await stage.platform.store.read { try $0.devices(of: "alice@master").first })
    }

    private func record(_ stage: Stage) async throws -> UserRecord {
        try #require(try await stage.orchestrator().environment.vault.record(ActivationExchange.account))
    }

    @Test func `a synchronization is one step, and brings the limits that an app shows`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let app = try stage.orchestrator()
        #expect(try await story(app.synchronize("alice")) == ["synchronization 1/1", "succeeded"])
        let first = try await app.user("alice").synchronize()
        #expect((first.remainingTries, first.devices, first.maximumDevices) == (5, 1, 5))
        #expect(first.clockOffset == .zero && first.newPasswordPolicy == .default)
        // A wrong password, and a second device.
        let careless = ScriptedUser([.password(Self.wrong), .abort])
        #expect(
            try await story(stage.orchestrator(user: careless).changePassword(of: "alice")).last == "aborted: canceled")
        let other = try stage.orchestrator(store: MemoryStore(), keys: DeterministicDeviceKeys(seed: 6))
        try await other.user("alice").activate(with: stage.platform.register("alice"))
        let second = try await app.user("alice").synchronize()
        #expect((second.remainingTries, second.devices) == (4, 2))
        #expect(try await other.user("alice").synchronize().remainingTries == 5)
    }

    @Test func `a stricter policy is that of the next password, and the current one stays in use`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        var configuration = PlatformConfiguration()
        let stricter = try #require(PINPolicy(minimumLength: 8))
        configuration.pinPolicy = stricter
        try await stage.platform.restart(configuration: configuration)
        let alice = try stage.orchestrator().user("alice")
        #expect(try await alice.synchronize().newPasswordPolicy == stricter)
        #expect(try await alice.information.passwordPolicy == .default)
        #expect(try await record(stage).nextPINPolicy == stricter)
        let code = try await alice.oneTimePassword()
        #expect(try await stage.platform.login("alice", code: code.oneTimePassword).status == .accepted)
        let user = ScriptedUser([
            .password(Stage.password), .password("739164"), .password("73916458"), .password("73916458"),
        ])
        #expect(try await story(stage.orchestrator(user: user).changePassword(of: "alice")).last == "succeeded")
        let after = try await record(stage)
        #expect(after.pinPolicy == stricter && after.nextPINPolicy == nil)
    }

    @Test(arguments: [Self.year, -Self.year, 90_000, -90_000])
    func `a clock that is off, also by a year, is right after one call`(offset: Int64) async throws {
        let stage = try await Stage(clockOffset: 1)
        try await stage.activate()
        let alice = try stage.orchestrator().user("alice")
        try await alice.synchronize()
        #expect(try await alice.needsSynchronization == nil)
        stage.time.step(milliseconds: offset)
        #expect(try await alice.needsSynchronization == .clockChanged)
        let sent = stage.wire.sent.count
        let result = try await alice.synchronize()
        #expect(stage.wire.sent.count == sent + 2)
        #expect(result.clockOffset == .milliseconds(-offset - 1))
        #expect(try await alice.needsSynchronization == nil)
        let code = try await alice.oneTimePassword(synchronizingWithin: nil)
        #expect(try await stage.platform.login("alice", code: code.oneTimePassword).status == .accepted)
    }

    @Test func `a new process notices a clock that was set back`() async throws {
        let stage = try await Stage(clockOffset: 1)
        try await stage.activate()
        stage.time.step(milliseconds: -Self.year)
        let alice = try stage.orchestrator().user("alice")
        #expect(try await alice.needsSynchronization == .clockChanged)
        try await alice.synchronize()
        #expect(try await alice.needsSynchronization == nil)
        let code = try await alice.oneTimePassword(synchronizingWithin: nil)
        #expect(try await stage.platform.login("alice", code: code.oneTimePassword).status == .accepted)
    }

    @Test func `one answer with another time leaves the clock uncertain, and a second one ends it`() async throws {
        let stage = try await Stage(clockOffset: 1)
        try await stage.activate()
        let alice = try stage.orchestrator().user("alice")
        // A clock that is behind: the request of one that is ahead is made again, with the platform's time.
        stage.time.step(milliseconds: -90_000)
        try await alice.registerNotifications()
        #expect(try await alice.needsSynchronization == .clockUncertain)
        try await alice.synchronize()
        #expect(try await alice.needsSynchronization == nil)
    }

    @Test func `a rolled-back store is found, and the next call sends nothing`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let name = try #require(try await stage.store.names().first)
        let copy = try #require(try await stage.store.read(name))
        for _ in 0..<3 {
            stage.advance(seconds: 400)
            let code = try await stage.orchestrator().user("alice").oneTimePassword()
            #expect(try await stage.platform.login("alice", code: code.oneTimePassword).status == .accepted)
        }
        try await stage.store.update(name) { _ in (.replace(copy), ()) }
        let alice = try stage.orchestrator().user("alice")
        await #expect(throws: OrchestrationError(.cloneSuspected)) { try await alice.synchronize() }
        #expect(try await alice.state == .locked(.cloneSuspected))
        #expect(try await alice.needsSynchronization == .notReady)
        let sent = stage.wire.sent.count
        await #expect(throws: OrchestrationError(.cloneSuspected)) { try await alice.synchronize() }
        #expect(stage.wire.sent.count == sent)
    }

    @Test func `a restored platform takes the ratchet and the counters of the device over`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let backup = try await device(stage)
        let alice = try stage.orchestrator().user("alice")
        for _ in 0..<3 {
            stage.advance(seconds: 301)
            _ = try await alice.sign(Self.fields)
        }
        try await stage.platform.platform.store.write { store in
            var row = backup
            row.version = try #require(try store.device(row.id)).version
            #expect(try store.update(row))
        }
        try await stage.platform.platform.markRestored(revocations: .nothingRevoked)
        stage.advance(seconds: 11)
        let sent = stage.wire.sent.count
        try await alice.synchronize()
        #expect(stage.wire.sent.count == sent + 2)
        let (row, record) = (try await device(stage), try await record(stage))
        #expect(row.ratchetIndex == record.ratchetIndex && !row.isRestored)
        let counters = try await stage.platform.store.read { try $0.codeCounters(of: row.id) }
        #expect(counters.filter { $0.application == 4 }.map(\.next) == [3, 3])
        #expect(record.synchronizedCounters[4] == 3)
    }

    @Test func `a device with too many signatures should synchronize`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let alice = try stage.orchestrator().user("alice")
        for _ in 0..<10 { _ = try await alice.sign(Self.fields, synchronizingWithin: nil) }
        #expect(try await alice.needsSynchronization == nil)
        _ = try await alice.sign(Self.fields, synchronizingWithin: nil)
        #expect(try await alice.needsSynchronization == .signaturesAhead)
        try await alice.synchronize()
        #expect(try await alice.needsSynchronization == nil)
    }

    @Test func `after eleven signatures without an accepted one, the next is found after its synchronization`()
        async throws
    {
        let stage = try await Stage()
        try await stage.activate()
        let alice = try stage.orchestrator().user("alice")
        for _ in 0..<11 { _ = try await alice.sign(Self.fields, synchronizingWithin: nil) }
        try await alice.synchronize()
        // The device does not know that none was accepted.
        #expect(try await alice.needsSynchronization == nil)
        let made = try await alice.sign(Self.fields, synchronizingWithin: nil)
        let early = try await stage.platform.validate("alice", fields: Self.fields, signature: made.signature)
        #expect(early.status == .refused)
        try await alice.synchronize()
        let late = try await stage.platform.validate("alice", fields: Self.fields, signature: made.signature)
        #expect(late.status == .accepted)
    }

    @Test func `a locked device asks, and is ready once the platform has unlocked it`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let wrong = ScriptedUser(password: Self.wrong)
        #expect(
            try await story(stage.orchestrator(user: wrong).changePassword(of: "alice")).last == "aborted: userLocked")
        let alice = try stage.orchestrator().user("alice")
        await #expect(throws: OrchestrationError(.userLocked)) { try await alice.synchronize() }
        #expect(try await alice.state == .locked(.wrongPassword))
        try await stage.platform.platform.store.write { store in
            var device = try #require(try store.devices(of: "alice@master").first)
            device.state = .active
            device.stateBeforeLock = nil
            device.lockReason = nil
            device.clearFailures()
            #expect(try store.update(device))
        }
        #expect(try await alice.synchronize().remainingTries == 5)
        #expect(try await alice.state == .ready)
        let code = try await alice.oneTimePassword()
        #expect(try await stage.platform.login("alice", code: code.oneTimePassword).status == .accepted)
    }

    @Test func `a revoked device is deleted, and the next call sends nothing`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let alice = try stage.orchestrator().user("alice")
        let report = try #require(try await stage.platform.platform.account(ActivationExchange.account))
        try await stage.platform.platform.revokeDevice(report.devices[0].id, of: ActivationExchange.account)
        await #expect(throws: OrchestrationError(.revoked)) { try await alice.synchronize() }
        #expect(try await alice.state == .deleted)
        let sent = stage.wire.sent.count
        await #expect(throws: OrchestrationError(.revoked)) { try await alice.synchronize() }
        #expect(stage.wire.sent.count == sent)
    }

    @Test func `without an activation or a network nothing is synchronized`() async throws {
        let stage = try await Stage()
        let alice = try stage.orchestrator().user("alice")
        #expect(try await alice.state == .notProvisioned)
        #expect(try await alice.needsSynchronization == .notReady)
        await #expect(throws: OrchestrationError(.notActivated)) { try await alice.synchronize() }
        try await stage.activate()
        let before = try await record(stage).encoded
        stage.wire.cut(true)
        await #expect(throws: OrchestrationError(.transport)) { try await alice.synchronize() }
        #expect(try await record(stage).encoded == before)
    }
}
