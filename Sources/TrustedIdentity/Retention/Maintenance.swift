internal import Logging
internal import Primitives

/// The background work of a platform: the removal of rows whose time is over, the erasure of replaced keys, the renewal
/// of rows after a replacement of the master key, and the upkeep of the store's files. Once, after the first complete
/// run, it also stores the rows that refused codes of unknown accounts change, so that their times do not differ from
/// those of accounts.
///
/// A process that opens a ``Platform`` runs one of these beside it: in a `ServiceGroup`, or in a task that it cancels
/// at its end. `trusted-identity serve` does so.
///
/// ```swift
/// let maintenance = Task { try await Maintenance(platform).run() }
/// defer { maintenance.cancel() }
/// ```
///
/// Without it, the platform decides as it does with it: each decision reads the times of its rows itself. But the rows
/// stay in the store, with their secrets, and the private halves of replaced keys stay there, too.
///
/// The work never runs in the request of a caller. Its transactions are short, because logins share them.
public struct Maintenance: Sendable {
    /// The time between two runs: 1 minute.
    public static let interval = Duration.seconds(60)
    /// The time between two runs while the master key is replaced.
    static let renewalInterval = Duration.seconds(1)
    /// The longest time between two runs. It doubles after each run that failed.
    static let longestPause = Duration.seconds(600)

    private let platform: Platform

    /// Creates the background work of a platform.
    public init(_ platform: Platform) {
        self.platform = platform
    }

    /// Works until the task is canceled. The first run begins at once.
    ///
    /// An error ends a run and not the work. The log has a line about it, and the next run begins later.
    ///
    /// - Throws: `CancellationError`.
    public func run() async throws {
        var pause = Self.interval
        var hasSharedRows = false
        while true {
            let interval = platform.isReplacingMasterKey ? Self.renewalInterval : Self.interval
            var isComplete = try await runOnce()
            if isComplete, !hasSharedRows {
                hasSharedRows = try await prepareRefusals()
                isComplete = hasSharedRows
            }
            pause = isComplete ? interval : min(max(pause * 2, Self.interval), Self.longestPause)
            try await platform.time.sleep(for: pause)
        }
    }

    /// Does all the work that is due.
    ///
    /// - Returns: Whether all parts succeeded. Those that failed are logged.
    /// - Throws: `CancellationError`.
    @discardableResult
    package func runOnce() async throws -> Bool {
        let begin = platform.time.uptime()
        let isSwept = try await succeeds("sweep") { try await platform.sweep(now: platform.time.now()) }
        let isErased = await platform.eraseEndedKeys(now: platform.time.now())
        try Task.checkCancellation()
        let isStoreKept = try await succeeds("store") { try await platform.store.maintain() }
        let isRenewed = try await succeeds("renewal") { try await platform.renewRows() }
        let isPruned = try await succeeds("pruning") { while try await platform.removePrunedRows() != nil {} }
        let isSigned = try await succeeds("checkpoint") {
            try await platform.keepCheckpoint(now: platform.time.now())
        }
        let isComplete = isSigned && isSwept && isErased && isStoreKept && isRenewed && isPruned
        if !isComplete { platform.metrics.count(.failedMaintenance) }
        platform.metrics.noteMaintenance(at: platform.time.now(), lasting: platform.time.uptime() - begin)
        return isComplete
    }

    /// Stores the rows that refused codes of unknown accounts change.
    ///
    /// ``run()`` does it once. Their number does not depend on that of the accounts: 49,154 rows, which take a second.
    ///
    /// - Returns: Whether it succeeded. A failure is logged.
    /// - Throws: `CancellationError`.
    package func prepareRefusals() async throws -> Bool {
        let isPrepared = try await succeeds("refusals") { try await platform.insertSharedRows() }
        if !isPrepared { platform.metrics.count(.failedMaintenance) }
        return isPrepared
    }

    private func succeeds(_ part: String, _ work: () async throws -> Void) async throws -> Bool {
        do {
            try await work()
            return true
        } catch let error as CancellationError {
            throw error
        } catch {
            // The error of the store below was logged with its cause.
            let code = (error as? PlatformError).map { "\($0.code)" } ?? "\(type(of: error))"
            platform.logger.error(
                "a part of the maintenance failed", metadata: ["maintenance.part": "\(part)", "error.code": "\(code)"])
            return false
        }
    }
}
