internal import Primitives

extension Platform {
    /// Checks whether the platform can serve requests.
    ///
    /// A check reads the row about the platform, the latest entry of the audit log, its tree and the first entry
    /// without a place in it, the state of the clock, and the number of events that wait where the platform records
    /// events. It writes nothing.
    ///
    /// - Returns: The problems, with the report of the store. A failure of the store is a problem, not an error.
    /// - Throws: `CancellationError` when the task was canceled.
    public func readiness() async throws -> Readiness {
        var problems: [Readiness.Problem] = []
        func report(_ part: Readiness.Part, _ message: String) {
            problems.append(.init(part: part, message: message))
        }
        var notes: [Readiness.Problem] = []
        var latest: Timestamp?
        var waitingEvents: Int?
        var waitingAudit: (count: Int64, since: Timestamp?)?
        var shortfall: Int64?
        do {
            let recordsEvents = store.outbox != nil
            (latest, waitingEvents, waitingAudit, shortfall) = try await store.read { store in
                _ = try store.presentState()
                return (
                    try store.auditEntries(of: nil, before: nil, limit: 1).first?.time,
                    recordsEvents ? try store.eventCount() : nil, try store.waitingAudit(),
                    try store.auditShortfall()
                )
            }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // The store has logged the failure.
            report(.store, "the store cannot be read: see the log")
        }
        if !keys.sealing.contains(where: { $0.record.retiredAt == nil }) {
            report(.keys, "the platform has no key that this version can use: make new ones with 'platform-key rotate'")
        }
        let health = try? await store.health()
        if let free = health?.freeBytes, free < Readiness.minimumFreeBytes {
            report(.disk, "the disk of the store has \(free >> 20) MiB left: free some space")
        }
        if let health, case let waiting = health.waitingWrites, waiting > Readiness.maximumWaitingWrites(of: health) {
            report(.writer, "\(waiting) writes wait for the store: the disk is slow, or there are too many requests")
        }
        if let latest, time.now() < latest.advanced(milliseconds: -Readiness.clockTolerance) {
            report(.clock, "the clock is before the latest entry of the audit log: set the clock")
        }
        if configuration.requiresSynchronizedClock, time.isSynchronized == false {
            report(
                .clock,
                "the kernel reports that the clock is not synchronized: look at the time service of the machine")
        }
        let auditAge = waitingAudit.map { $0.since.map { time.now().milliseconds(since: $0) } ?? 0 }
        if let waitingAudit, let auditAge, auditAge > Readiness.maximumAuditAge {
            report(
                .audit,
                "\(waitingAudit.count) entries of the audit log have no place in its tree: run 'audit verify', and see the log"
            )
        }
        if let shortfall {
            report(
                .audit,
                """
                the audit log ends before its last checkpoint, of \(shortfall) entries: another program put it back; \
                restore a backup and apply the audit log
                """)
        }
        if !revocationCheck.isPassed {
            report(
                .revocations,
                """
                rows of revoked devices or API keys were put back or removed by another program: restore a backup and \
                apply the audit log
                """)
        }
        // A receiver that is down must not take the platform out of service: logins need no events.
        if let waitingEvents, waitingEvents >= configuration.waitingEvents {
            notes.append(
                .init(
                    part: .events,
                    message: "\(waitingEvents) events wait, and the oldest are dropped: look at the receiver of events")
            )
        }
        if let parked = store.outbox?.withProgress({ $0.schedule.parkedCount }), parked > 0 {
            notes.append(
                .init(
                    part: .events,
                    message: "the receiver refuses \(parked) events again and again: look at its log"))
        }
        return Readiness(
            problems: problems, notes: notes, store: health, waitingEvents: waitingEvents,
            waitingAuditEntries: waitingAudit?.count, waitingAuditAge: auditAge.map { .milliseconds(max(0, $0)) })
    }
}
