import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import Testing

@testable import TrustedIdentity

/// The background work of a platform.
@Suite struct MaintenanceTests {
    /// Runs the maintenance of a platform while the body runs.
    private func whileRunning(_ platform: Platform, _ body: () async throws -> Void) async throws {
        let work = Task { try await Maintenance(platform).run() }
        do {
            try await body()
        } catch {
            work.cancel()
            throw error
        }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
    }

    private func hasSecret(_ harness: Harness) async throws -> Bool {
        try await harness.store.read { try $0.activationPassword(of: Harness.alice)?.secret } != nil
    }

    @Test func `rows are removed within a minute after their time, without a request`() async throws {
        let harness = try await Harness()
        _ = try await harness.register()
        try await whileRunning(harness.platform) { () async throws in
            await harness.time.sleepers(1)
            for _ in 0..<9 {
                harness.time.advance(seconds: 60)
                await harness.time.sleepers(1)
                #expect(try await hasSecret(harness))
            }
            harness.time.advance(seconds: 60)
            await harness.time.sleepers(1)
            #expect(try await !hasSecret(harness))
        }
    }

    @Test func `no request of a caller removes rows`() async throws {
        let harness = try await Harness()
        _ = try await harness.register()
        harness.time.advance(seconds: 86_400)
        _ = try await harness.register("bob")
        _ = try? await harness.platform.execute(OrchestrationCommand(bytes: [0x81, 0x01]))
        _ = try await harness.platform.generateChallenge(for: Harness.account())
        _ = try await harness.requestLogin("bob")
        _ = try await harness.login("00000000")
        #expect(try await hasSecret(harness))
    }

    @Test func `a store that fails does not end the work, and the next run begins later each time`() async throws {
        let harness = try await Harness()
        let store = FaultInjectingDatabase(harness.store)
        let lines = LogLines()
        let platform = try await harness.platform(on: store, logger: lines.logger)
        _ = try await harness.register()
        // Other parts fail, too.
        func failures() -> Int {
            lines.all.count { $0.contains("a part of the maintenance failed") && $0.contains("maintenance.part=sweep") }
        }
        harness.time.advance(seconds: 600)
        store.fail(with: StoreError(.full))
        try await whileRunning(platform) { () async throws in
            await harness.time.sleepers(1)
            #expect(failures() == 1)
            for pause in [120, 240, 240, 240] as [Int64] {
                let before = failures()
                harness.time.advance(milliseconds: pause * 1_000 - 1)
                #expect(harness.time.sleeperCount == 1)
                #expect(failures() == before)
                harness.time.advance(milliseconds: 1)
                while failures() == before { try await Task.sleep(for: .milliseconds(1)) }
                await harness.time.sleepers(1)
            }
            #expect(try await hasSecret(harness))
            store.fail(with: nil)
            harness.time.advance(seconds: 240)
            await harness.time.sleepers(1)
            while try await hasSecret(harness) { try await Task.sleep(for: .milliseconds(1)) }
            let after = failures()
            harness.time.advance(seconds: 60)
            await harness.time.sleepers(1)
            #expect(failures() == after, "it works every minute again")
        }
        let line = try #require(
            lines.all.first {
                $0.contains("a part of the maintenance failed") && $0.contains("maintenance.part=sweep")
            })
        #expect(line.contains("error.code=storeFailed"))
    }

    @Test func `a part of a sweep that fails does not keep the others from running`() async throws {
        let harness = try await Harness()
        _ = try await harness.register()
        harness.time.advance(seconds: 600)
        let store = MaintainedStore(base: harness.store)
        let platform = try await harness.platform(on: store)
        store.failWrite(with: StoreError(.inputOutput))
        await #expect(throws: PlatformError(.storeFailed)) { try await platform.sweep(now: harness.time.now()) }
        #expect(try await !hasSecret(harness))
    }

    @Test func `the store is maintained at each run`() async throws {
        let harness = try await Harness()
        let store = MaintainedStore(base: harness.store)
        let platform = try await harness.platform(on: store)
        #expect(try await Maintenance(platform).runOnce())
        #expect(store.runs == 1)
        store.fail(with: StoreError(.inputOutput))
        #expect(try await !Maintenance(platform).runOnce())
        #expect(store.runs == 2)
    }

    @Test func `a part that fails at each run does not make the platform unready`() async throws {
        let harness = try await Harness()
        let store = MaintainedStore(base: harness.store)
        store.fail(with: StoreError(.inputOutput))
        let platform = try await harness.platform(on: store)
        try await whileRunning(platform) { () async throws in
            await harness.time.sleepers(1)
            for number in 1...6 {
                _ = try await platform.register(
                    .init(account: AccountName(userID: "user\(number)", domain: "master")))
                // The longest pause of the maintenance, in which no entry gets a place.
                harness.time.advance(seconds: 239)
                #expect(try await platform.readiness().isReady)
                let runs = store.runs
                harness.time.advance(seconds: 1)
                while store.runs == runs { try await Task.sleep(for: .milliseconds(1)) }
                await harness.time.sleepers(1)
            }
            #expect(try await store.read { try $0.waitingAudit().count } == 0)
        }
    }
}

/// A store that counts its maintenance, and fails where a test wants it.
private final class MaintainedStore: SQLDatabase {
    private let base: any SQLDatabase
    private let state = Mutex((runs: 0, error: (any Error)?.none, writeError: (any Error)?.none))

    init(base: any SQLDatabase) { self.base = base }

    var runs: Int { state.withLock(\.runs) }

    /// Makes the maintenance fail.
    func fail(with error: any Error) { state.withLock { $0.error = error } }

    /// Makes the next write fail.
    func failWrite(with error: any Error) { state.withLock { $0.writeError = error } }

    func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        try await base.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        if let error = state.withLock({ $0.writeError.take() }) { throw error }
        return try await base.write(body)
    }

    func maintain() async throws {
        let error = state.withLock { state in
            state.runs += 1
            return state.error
        }
        if let error { throw error }
    }
}
