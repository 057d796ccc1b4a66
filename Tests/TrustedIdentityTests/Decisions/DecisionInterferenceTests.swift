import OrchestrationTesting
import Synchronization
import Testing

@testable import TrustedIdentity

/// Every decision of the platform, with a change that commits between its reads and its write.
struct DecisionInterferenceTests {
    @Test(arguments: PlatformDecision.allCases)
    func `a change that commits before the write of a decision counts as one that came first`(
        _ decision: PlatformDecision
    ) async throws {
        let scene = try await DecisionScene(for: decision)
        let undisturbed = try await scene.outcome(of: decision)
        for change in Interference.allCases {
            let first = try await scene.outcome(of: decision, after: change)
            let interrupted = try await scene.outcome(of: decision, interruptedBy: change)
            #expect(interrupted.result == first.result, "\(change)")
            #expect(interrupted.rows == first.rows, "\(change)")
            #expect((first.result != undisturbed.result) == decision.stoppedBy.contains(change), "\(change): \(first)")
        }
    }

    @Test func `failures that are counted during a request are reported by the next answer`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        let store = FaultInjectingDatabase(harness.store)
        let platform = try await harness.platform(on: store)
        let scope = ThrottleScope(account: Harness.alice, kind: .code, source: nil, hashes: platform.hashes)
        store.interrupt { [now = harness.time.now()] store in
            for _ in 0..<2 { try requireWritten(scope.fail(scope.counts(in: store), in: store, now: now)) }
        }
        var reported: [UInt64] = []
        for _ in 0..<3 {
            let sent = try await device.seal(.notificationsRegister(identifier: "pull:1"), to: harness)
            reported.append(try device.open(try await platform.execute(sent.command), to: sent).failedCodes)
        }
        #expect(reported == [0, 2, 0])
    }

    @Test(arguments: PlatformDecision.allCases)
    func `the text of an error of an unknown type is in no log line and no description`(
        _ decision: PlatformDecision
    ) async throws {
        struct Leaky: Error, CustomStringConvertible { let description = "canary" }
        let scene = try await DecisionScene(for: decision)
        let lines = LogLines()
        let store = try FaultInjectingDatabase(scene.harness.snapshot())
        let platform = try await scene.harness.platform(on: store, logger: lines.logger)
        store.fail(with: Leaky())
        #expect(try await decision.result(in: scene, on: platform) == "error storeFailed")
        #expect(lines.all.contains { $0.contains("store failed") && $0.contains("Leaky") })
        #expect(!lines.all.contains { $0.contains("canary") })
        #expect(!"\(PlatformError(failureOf: Leaky()))".contains("canary"))
    }

    @Test(arguments: PlatformDecision.allCases)
    func `a store in which the last writer wins is detected at every decision`(
        _ decision: PlatformDecision
    ) async throws {
        let scene = try await DecisionScene(for: decision)
        for change in Interference.allCases {
            let first = try await scene.outcome(of: decision, after: change)
            let interrupted = try await scene.naiveOutcome(of: decision, interruptedBy: change)
            if decision.stoppedBy.contains(change) { #expect(interrupted.result != first.result, "\(change)") }
            let changesNothing = try await scene.outcome(of: decision).rows == first.rows
            #expect((interrupted.rows == first.rows) == changesNothing, "\(change)")
        }
    }
}

/// A store in which another transaction can run before the next write.
protocol InterruptibleStore: SQLDatabase {
    /// Runs a transaction before the next write, once.
    func interrupt(_ next: @escaping Interruption)

    /// Whether a transaction waits for the next write.
    var isArmed: Bool { get }
}

extension FaultInjectingDatabase: InterruptibleStore {}

/// A store in which a write sees the rows as they were before the other transaction, and replaces all rows.
final class LastWriterWins: InterruptibleStore {
    private let tables: Mutex<SQLiteDatabase>
    private let interruption = Mutex<Interruption?>(nil)

    init(_ store: SQLiteDatabase) { tables = Mutex(store) }

    var current: SQLiteDatabase { tables.withLock { $0 } }

    var isArmed: Bool { interruption.withLock { $0 != nil } }

    func interrupt(_ next: @escaping Interruption) { interruption.withLock { $0 = next } }

    func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        try await current.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        let next = interruption.withLock { $0.take() }
        guard let next else { return try await current.write(body) }
        let stale = current.snapshot()
        try await current.write(next)
        let result = try await stale.write(body)
        tables.withLock { $0 = stale }
        return result
    }
}
