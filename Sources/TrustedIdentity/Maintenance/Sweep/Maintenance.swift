internal import Logging
internal import Primitives

/// The background work of a platform. It assigns new audit log entries their places in the tree, removes rows whose
/// time is over, erases replaced keys, loads keys that another process has replaced, and maintains the store's files.
///
/// A process that opens a ``Platform`` runs one of these next to it: in a `ServiceGroup`, or in a task that it cancels
/// at its end. `trusted-identity serve` does so.
///
/// ```swift
/// let maintenance = Task { try await Maintenance(platform).run() }
/// defer { maintenance.cancel() }
/// ```
///
/// Without it, the platform makes the same decisions, because each decision reads the times of its rows. However, the
/// rows stay in the store with their secrets, and so do the private halves of replaced keys.
///
/// The work never runs in the request of a caller. Its transactions are short, because logins share them.
public struct Maintenance: Sendable {
    /// The time between two runs: 1 minute.
    public static let interval = Duration.seconds(60)
    /// The longest time between two runs: 4 minutes. The time doubles after each run that failed. It is less than
    /// ``Readiness/maximumAuditAge``, because a failed part must not take the platform out of service.
    static let longestPause = Duration.seconds(240)

    /// The time between two reads of the platform keys that another process may have replaced: 2 seconds.
    static let keyInterval = Duration.seconds(2)

    private let platform: Platform

    /// Creates the background work of a platform.
    public init(_ platform: Platform) {
        self.platform = platform
    }

    /// Works until the task is canceled. The first run begins at once.
    ///
    /// An error ends a run and not the work. The log contains a line about it, and the next run begins later.
    ///
    /// - Throws: `CancellationError`.
    public func run() async throws {
        async let keys: Void = followKeys()
        try await runEachMinute()
        try await keys
    }

    /// Loads the platform keys that another process has replaced, until the task is canceled.
    private func followKeys() async throws {
        guard platform.store.database.peers != nil else { return }
        while try await !succeeds("policy", { try await platform.notePolicy() }) {
            try await platform.time.sleep(for: Self.keyInterval)
        }
        while true {
            try await platform.time.sleep(for: Self.keyInterval)
            _ = try await succeeds("keys") {
                do {
                    try await platform.reloadKeys()
                } catch let error as PlatformError where error.code == .storeFailed {
                    // The store has logged it. A second line every 2 seconds would hide others.
                }
            }
        }
    }

    private func runEachMinute() async throws {
        var pause = Self.interval
        while true {
            let isComplete = try await runOnce()
            pause = isComplete ? Self.interval : min(max(pause * 2, Self.interval), Self.longestPause)
            try await platform.time.sleep(for: pause)
        }
    }

    /// Does all the work that is due.
    ///
    /// - Returns: Whether all parts succeeded. Failed parts are logged.
    /// - Throws: `CancellationError`.
    @discardableResult
    package func runOnce() async throws -> Bool {
        let begin = platform.time.uptime()
        // The audit log comes first: readiness depends on it, and the other parts can take long.
        let isNumbered = try await succeeds("audit") { try await platform.numberAudit() }
        let isSigned = try await succeeds("checkpoint") {
            try await platform.keepCheckpoint(now: platform.time.now())
        }
        let isSwept = try await succeeds("sweep") { try await platform.sweep(now: platform.time.now()) }
        let isErased = await platform.eraseEndedKeys(now: platform.time.now())
        try Task.checkCancellation()
        let isStoreKept = try await succeeds("store") { try await platform.store.maintain() }
        let isCompared = try await succeeds("revocations") {
            try await platform.revocationCheck.run(on: platform.store)
        }
        let isPruned = try await succeeds("pruning") { while try await platform.removePrunedRows() != nil {} }
        let isComplete = isNumbered && isSigned && isSwept && isErased && isStoreKept && isCompared && isPruned
        if !isComplete { platform.metrics.count(.failedMaintenance) }
        platform.metrics.noteMaintenance(at: platform.time.now(), lasting: platform.time.uptime() - begin)
        return isComplete
    }

    private func succeeds(_ part: String, _ work: () async throws -> Void) async throws -> Bool {
        do {
            try await work()
            return true
        } catch let error as CancellationError {
            throw error
        } catch {
            // The store's underlying error was logged with its cause.
            let code = (error as? PlatformError).map { "\($0.code)" } ?? "\(type(of: error))"
            platform.logger.error(
                "a part of the maintenance failed", metadata: ["maintenance.part": "\(part)", "error.code": "\(code)"])
            return false
        }
    }
}
