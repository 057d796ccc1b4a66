import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import TrustedIdentity

/// The events that decisions record, in their transactions.
@Suite struct EventRecordingTests {
    private static func harness(
        waitingEvents: Int? = nil, time: ManualTimeSource = ManualTimeSource(), on store: (any SQLDatabase)? = nil
    ) async throws -> Harness {
        var configuration = PlatformConfiguration(postQuantum: .off, requestsPerDevice: 6_000)
        configuration.recordsEvents = true
        if let waitingEvents { configuration.waitingEvents = waitingEvents }
        return try await Harness(configuration, on: store, time: time)
    }

    /// The kinds of the events that wait, in their order.
    private static func kinds(_ harness: Harness) async throws -> [PlatformEvent.Kind] {
        try await harness.waitingEvents().map(\.kind)
    }

    private static func fail(_ count: Int, _ harness: Harness, source: String? = nil) async throws {
        for _ in 0..<count { _ = try await harness.login("000000", source: source) }
    }

    @Test func `a platform without a receiver records nothing`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        try await device.decide(.rejected(.notMe), on: harness.requestLogin(), with: harness)
        try await Self.fail(5, harness)
        try await harness.platform.liftBlocks(of: Harness.account())
        try await harness.platform.revokeDevice(device.id, of: Harness.account())
        #expect(try await harness.store.read { try $0.eventCount() } == 0)
    }

    @Test func `an activation and a revocation are events with the device`() async throws {
        let harness = try await Self.harness()
        let device = try await harness.activate()
        try await harness.platform.revokeDevice(device.id, of: Harness.account(), requestedBy: .applicationServer)
        let events = try await harness.waitingEvents()
        #expect(events.map(\.kind) == [.activationCompleted, .deviceRevoked])
        #expect(events.allSatisfy { $0.account == Harness.alice && $0.device == device.id })
        #expect(events.last?.reason == "app-server")
        #expect(Set(events.map(\.id)).count == 2 && events.allSatisfy { $0.id.count == 16 })
    }

    @Test func `the fifth wrong password of a device is a lock`() async throws {
        let harness = try await Self.harness()
        let device = try await harness.activate()
        for _ in 0..<4 { _ = try await device.send(.passwordChange, proof: .password, wrong: true, to: harness) }
        #expect(try await Self.kinds(harness) == [.activationCompleted])
        _ = try await device.send(.passwordChange, proof: .password, wrong: true, to: harness)
        let lock = try #require(try await harness.waitingEvents().last)
        #expect(lock.kind == .deviceLocked && lock.device == device.id && lock.reason == "wrongPassword")
    }

    @Test func `a block of typed codes is one event with its end, and a lift is another`() async throws {
        let harness = try await Self.harness()
        let device = try await harness.activate()
        try await Self.fail(4, harness)
        #expect(try await Self.kinds(harness) == [.activationCompleted])
        try await Self.fail(3, harness)
        let blocks = try await harness.waitingEvents().dropFirst()
        let end = harness.time.now().advanced(milliseconds: Throttle.firstBlock)
        #expect(blocks.map(\.kind) == [.throttleBlocked])
        #expect(blocks.first?.reason == "code" && blocks.first?.account == Harness.alice && blocks.first?.until == end)
        try await harness.platform.liftBlocks(of: Harness.account())
        #expect(try await Self.kinds(harness).last == .throttleLifted)
        // A login by a code alone is no event, neither an accepted nor a refused one.
        _ = try await harness.login(device.code(at: harness.time.now()))
        try await Self.fail(1, harness)
        #expect(try await Self.kinds(harness).count == 3)
    }

    @Test func `the block that only an administrator ends has no end`() async throws {
        let harness = try await Self.harness()
        _ = try await harness.register()
        for _ in 0..<12 {
            try await Self.fail(5, harness)
            harness.time.advance(seconds: 24 * 3_600)
        }
        let events = try await harness.waitingEvents()
        #expect(events.count == 10 && events.dropLast().allSatisfy { $0.until != nil } && events.last?.until == nil)
    }

    @Test func `failures for a name that no account has record nothing`() async throws {
        let harness = try await Self.harness()
        for _ in 0..<30 { _ = try await harness.login("000000", "nobody@master") }
        #expect(try await harness.waitingEvents() == [])
    }

    @Test func `an answered approval is an event with the request of the application server`() async throws {
        let harness = try await Self.harness()
        let device = try await harness.activate()
        func decide(_ decision: ApprovalDecision, _ id: String) async throws -> PlatformEvent? {
            harness.time.advance(seconds: 3_600)
            try await device.decide(
                decision, on: harness.requestLogin(requestID: id, principal: "k1"), with: harness)
            return try await harness.waitingEvents().last
        }
        let approved = try #require(try await decide(.approved, "r1"))
        #expect(approved.kind == .approvalApproved && approved.requestID == "r1" && approved.apiKey == "k1")
        #expect(approved.device == device.id && approved.account == Harness.alice && approved.reason.isEmpty)
        let rejected = try #require(try await decide(.rejected(.canceled), "r2"))
        #expect(rejected.kind == .approvalRejected && rejected.reason == "canceled" && rejected.requestID == "r2")
        let notMe = try #require(try await decide(.rejected(.notMe), "r3"))
        #expect(notMe.kind == .approvalNotMe && notMe.reason == "notMe" && notMe.requestID == "r3")
        #expect(try await harness.waitingEvents().count == 4)
    }

    @Test func `an approval with a wrong number is refused, and one that expires is no event`() async throws {
        let harness = try await Self.harness()
        let device = try await harness.activate()
        let report = try await harness.requestLogin(showsNumbers: true)
        let number = try #require(report.numberToMatch)
        try await device.decide(.approved, on: report, number: wrong(number), with: harness)
        let refused = try #require(try await harness.waitingEvents().last)
        #expect(refused.kind == .approvalRefused && refused.reason == "wrongNumber")
        _ = try await harness.requestLogin()
        harness.time.advance(seconds: 3_600)
        try await harness.sweep()
        #expect(try await harness.waitingEvents().count == 2)
    }

    @Test func `a transaction that fails leaves no event`() async throws {
        let store = FailingCommits()
        let harness = try await Self.harness(on: store)
        let device = try await harness.activate()
        store.failsNext()
        await #expect(throws: PlatformError(.storeFailed)) {
            try await harness.platform.revokeDevice(device.id, of: Harness.account())
        }
        #expect(try await Self.kinds(harness) == [.activationCompleted])
        try await harness.platform.revokeDevice(device.id, of: Harness.account())
        #expect(try await Self.kinds(harness) == [.activationCompleted, .deviceRevoked])
    }

    @Test func `a restore removes the events of the backup, and is an event itself`() async throws {
        let harness = try await Self.harness()
        _ = try await harness.activate()
        let restored = try await harness.restarted(on: harness.snapshot())
        try await restored.platform.markRestored(revocations: .unknown)
        let events = try await restored.waitingEvents()
        #expect(events.map(\.kind) == [.platformRestored] && events.first?.reason == "revocationsUnknown")
    }

    @Test func `an erasure removes the events of the user, and those of others stay`() async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteDatabase(path: folder.file("platform.sqlite"))
        let harness = try await Self.harness(on: store)
        let (device, _) = (try await harness.activate("zoe@master"), try await harness.activate())
        try await device.decide(.approved, on: harness.requestLogin("zoe@master"), with: harness)
        _ = try await harness.platform.erase(Harness.account("zoe@master"))
        #expect(try await harness.waitingEvents().map(\.account) == [Harness.alice])
        let named = try DatabaseText(folder.file("platform.sqlite")).columns(with: "zoe@master")
        #expect(named == ["activation_session.account"])
        try await store.close()
    }

    @Test func `beyond the bound the maintenance drops the oldest events, and an event has their number`() async throws
    {
        let harness = try await Self.harness(waitingEvents: 4)
        func liftAll(_ count: Int) async throws {
            for _ in 0..<count { try await harness.platform.liftBlocks(of: Harness.account()) }
        }
        _ = try await harness.register()
        try await liftAll(4)
        try await harness.sweep()
        #expect(try await Self.kinds(harness) == Array(repeating: .throttleLifted, count: 4))
        #expect(try await harness.platform.eventStatus().isFull)
        try await liftAll(3)
        try await harness.sweep()
        #expect(try await Self.kinds(harness) == Array(repeating: .throttleLifted, count: 3) + [.eventsDropped])
        #expect(try await harness.waitingEvents().last?.count == 4)
        try await harness.sweep()
        #expect(try await harness.waitingEvents().count == 4)
        let readiness = try await harness.platform.readiness()
        #expect(readiness.isReady && readiness.notes.map(\.part) == [.events] && readiness.waitingEvents == 4)
        // More than one batch. The events about dropped ones are counted by what they stand for.
        try await liftAll(250)
        try await harness.sweep()
        let left = try await harness.waitingEvents()
        #expect(left.count == 4)
        #expect(left.reduce(0) { $0 + $1.count } == 257)
    }

    @Test func `an event is dropped after seven days`() async throws {
        let harness = try await Self.harness()
        _ = try await harness.register()
        for _ in 0..<3 { try await harness.platform.liftBlocks(of: Harness.account()) }
        harness.time.advance(seconds: 7 * 86_400 - 1)
        try await harness.platform.liftBlocks(of: Harness.account())
        try await harness.sweep()
        #expect(try await harness.waitingEvents().count == 4)
        harness.time.advance(seconds: 1)
        try await harness.sweep()
        #expect(try await Self.kinds(harness) == [.throttleLifted, .eventsDropped])
        #expect(try await harness.waitingEvents().last?.count == 3)
        // A platform that no longer records events removes them, too.
        let silent = try await Harness(store: harness.store, time: harness.time)
        harness.time.advance(seconds: 30 * 86_400)
        try await silent.sweep()
        #expect(try await silent.waitingEvents().isEmpty)
    }
}

/// A store in memory whose next write fails at its end.
private final class FailingCommits: SQLDatabase {
    private let base = SQLiteDatabase.inMemory()
    private let isArmed = Mutex(false)

    func failsNext() { isArmed.withLock { $0 = true } }

    func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        try await base.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        let fails = isArmed.withLock { isArmed in
            defer { isArmed = false }
            return isArmed
        }
        return try await base.write { store in
            let result = try body(store)
            if fails { throw StoreError(.full) }
            return result
        }
    }
}
