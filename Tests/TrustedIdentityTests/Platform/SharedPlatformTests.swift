import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// What platforms of several processes over one database compare, and what one of them does for all.
@Suite(.timeLimit(.minutes(1))) struct SharedPlatformTests {
    private let base = SQLiteDatabase.inMemory()
    private let time = ManualTimeSource()
    private let random = SeededRandomSource(seed: 1)

    private func process(
        _ configuration: PlatformConfiguration = .init(postQuantum: .off, requestsPerDevice: 6_000),
        on database: SharedDatabase? = nil, masterKey: MasterKey? = nil, others: [MasterKey] = [],
        events: (any EventGateway)? = nil, isFirst: Bool = false, lines: LogLines = LogLines()
    ) async throws -> Harness {
        let database = database ?? SharedDatabase(base)
        database.fake.set(isFirst: isFirst)
        let harness = try await Harness(
            configuration, store: base, on: database, masterKey: masterKey, otherMasterKeys: others, events: events,
            time: time, random: random, logger: lines.logger)
        // As the maintenance does at its beginning.
        try await harness.platform.notePolicy()
        return harness
    }

    private func configuration(_ policy: Policy) -> PlatformConfiguration {
        .init(postQuantum: .off, policy: policy, requestsPerDevice: 6_000)
    }

    private func parts(_ harness: Harness) async throws -> [Readiness.Part] {
        try await harness.platform.readiness().problems.map(\.part)
    }

    // MARK: Keys

    @Test func `keys that one process replaces are those of another one two seconds later`() async throws {
        let (first, second) = (try await process(), try await process())
        let work = Task { [platform = second.platform] in try await Maintenance(platform).run() }
        defer { work.cancel() }
        // One sleeps for a minute, and one until the keys are read.
        await time.sleepers(2)
        try await first.platform.rotateKeys(.all)
        #expect(second.platform.keyStatementNumber == 1)
        time.advance(seconds: 2)
        while second.platform.keyStatementNumber == 1 { await Settling.wait() }
        #expect(second.platform.platformKeys() == first.platform.platformKeys())
    }

    @Test func `keys are loaded again only when they changed`() async throws {
        let (first, second) = (try await process(), try await process())
        try await second.platform.reloadKeys()
        #expect(second.platform.keyStatementNumber == 1)
        try await first.platform.rotateKeys(.signing)
        try await second.platform.reloadKeys()
        #expect(second.platform.keyStatementNumber == 2)
        // Its own replacement is not read back.
        try await second.platform.rotateKeys(.sealing)
        try await second.platform.reloadKeys()
        #expect(second.platform.keyStatementNumber == 3)
    }

    @Test func `a request that is sealed to a new key of another process is answered`() async throws {
        let (first, second) = (try await process(), try await process())
        let device = try await first.activate()
        try await first.platform.rotateKeys(.sealing)
        time.advance(seconds: 1)
        try await device.send(.synchronize(generation: 0, counters: [], statement: 1), to: first)
        #expect(device.platformKeys.sequence == 2 && second.platform.keyStatementNumber == 1)
        let answer = try await device.send(.synchronize(generation: 0, counters: [], statement: 2), to: second)
        #expect(answer.result == .accepted(.synchronize(generation: 0)))
        #expect(second.platform.keyStatementNumber == 2)
    }

    // MARK: Revocations

    @Test func `a database that is away is not one whose revoked rows were put back`() async throws {
        let store = FaultInjectingDatabase(SharedDatabase(base))
        let platform = try await process().platform(on: store)
        for (code, isPassed) in [(StoreError.Code.inputOutput, true), (.corrupt, false)] {
            store.fail(with: StoreError(code))
            await #expect(throws: PlatformError(.storeFailed)) {
                try await platform.revocationCheck.run(on: platform.store)
            }
            #expect(platform.revocationCheck.isPassed == isPassed)
        }
        store.fail(with: nil)
        try await platform.revocationCheck.run(on: platform.store)
        #expect(platform.revocationCheck.isPassed)
    }

    // MARK: Policy

    @Test func `a process with another policy is not ready until it has the same one, and logs it`() async throws {
        let other = try #require(Policy(name: "other"))
        let (lines, otherLines) = (LogLines(), LogLines())
        let first = try await process(lines: lines)
        let second = try await process(configuration(other), lines: otherLines)
        let message = "error the policy differs from the one of the other processes"
        #expect([lines, otherLines].map { $0.all.count { $0.hasPrefix(message) } } == [0, 1])
        #expect(try await parts(first) == [])
        #expect(try await parts(second) == [.policy])
        try await first.platform.replacePolicy(with: other, hash: [1])
        #expect(try await parts(first) == [])
        #expect(try await parts(second) == [])
    }

    @Test func `a process that is alone makes its policy that of the database`() async throws {
        let first = try await process()
        let second = try await process(configuration(#require(Policy(name: "other"))), isFirst: true)
        #expect(try await parts(second) == [])
        #expect(try await parts(first) == [.policy])
        // A second call changes nothing.
        let state = try await base.read { try $0.platformState() }
        try await second.platform.notePolicy()
        #expect(try await base.read { try $0.platformState() } == state)
    }

    @Test func `a database of one process names no policy`() async throws {
        let first = try await Harness(store: base, time: time)
        try await first.platform.replacePolicy(with: #require(Policy(name: "other")), hash: [])
        try await first.platform.notePolicy()
        #expect(try await base.read { try $0.platformState()?.policyHash } == nil)
        let second = try await Harness(store: base, time: time)
        #expect(try await parts(second) == [])
    }

    // MARK: Master key

    @Test func `a process without the new master key is not ready`() async throws {
        let new = try MasterKey(id: "new-key", bytes: SecretBytes(copying: [UInt8](repeating: 8, count: 32)))
        let (first, second) = (try await process(), try await process())
        let prepared = try await process(others: [new])
        #expect(try await first.platform.replaceMasterKey(with: new))
        #expect(try await parts(first) == [])
        #expect(try await parts(prepared) == [])
        let problems = try await second.platform.readiness().problems
        #expect(problems.map(\.part) == [.masterKey])
        #expect(problems.first?.message.contains("new-key") == true)
        #expect(try await parts(process(masterKey: new)) == [])
    }

    // MARK: Events

    @Test func `one process delivers events, also those of another one`() async throws {
        let (receiver, database) = (ScriptedReceiver(time), SharedDatabase(base))
        let harness = try await process(on: database, events: receiver)
        let second = try await process(events: ScriptedReceiver(time))
        database.fake.set(hasClaim: false)
        _ = try await harness.activate()
        try await harness.deliveringEvents {
            await time.sleepers(1)
            #expect(database.fake.claims == 1 && receiver.attempts.isEmpty)
            database.fake.set(hasClaim: true)
            time.advance(milliseconds: 999)
            await Settling.wait()
            #expect(database.fake.claims == 1)
            time.advance(milliseconds: 1)
            await receiver.until { $0.taken.count == 1 }
            // Nothing in this process tells of the event.
            try await second.platform.liftBlocks(of: Harness.account())
            await receiver.until(movingBy: 1) { $0.taken.count == 2 }
            // The sender waits for the next event when the database gives the work to another process.
            try await receiver.until { _ in try await base.read { try $0.eventCount() == 0 } }
            await time.sleepers(1)
            database.fake.set(hasClaim: false)
            let claims = database.fake.claims
            try await harness.platform.liftBlocks(of: Harness.account())
            await receiver.until(movingBy: 1) { _ in database.fake.claims >= claims + 2 }
            #expect(receiver.attempts.count == 2)
        }
    }

    // MARK: Health

    @Test(arguments: [(-2_000, true), (-1_999, false), (0, false), (1_999, false), (2_000, true), (90_000, true)])
    func `a clock that differs by two seconds from that of the database is not ready`(
        milliseconds: Int, isReported: Bool
    ) async throws {
        let database = SharedDatabase(base)
        let harness = try await process(on: database)
        database.report(StoreHealth(clockDifference: .milliseconds(milliseconds)))
        #expect(try await parts(harness) == (isReported ? [.clock] : []))
    }

    @Test func `a database that cannot be written is not ready, with its reason`() async throws {
        let database = SharedDatabase(base)
        let harness = try await process(on: database)
        database.report(StoreHealth(problem: "the database is read-only"))
        let problems = try await harness.platform.readiness().problems
        #expect(problems.map(\.part) == [.store])
        #expect(problems.first?.message == "the database is read-only")
    }

    @Test func `each entry of the audit log is noted in its transaction`() async throws {
        let database = SharedDatabase(base)
        let harness = try await process(on: database)
        _ = try await harness.register()
        let ids = try await harness.platform.audit(limit: 100).map(\.id)
        #expect(!ids.isEmpty && Set(database.noted) == Set(ids))
    }
}
