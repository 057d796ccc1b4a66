internal import Primitives

extension Platform {
    /// Checks whether the platform can serve requests.
    ///
    /// A check reads the row about the platform, the latest entry of the audit log, its tree and the first entry
    /// without a place in it, the state of the clock, and the number of waiting events if the platform records events.
    /// It writes nothing. If several processes share the store, it also compares their master key and policy with the
    /// ones of this process.
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
        var shared: (masterKeyID: String, policyHash: [UInt8]?)?
        do {
            let recordsEvents = store.outbox != nil
            (latest, waitingEvents, waitingAudit, shortfall, shared) = try await store.read { store in
                let state = try store.currentState()
                return (
                    try store.auditEntries(of: nil, before: nil, limit: 1).first?.time,
                    recordsEvents ? try store.eventCount() : nil, try store.waitingAudit(),
                    try store.auditShortfall(), (state.masterKeyID, state.policyHash)
                )
            }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // The store has logged the failure.
            report(.store, "the store cannot be read: see the log")
        }
        let health = try? await store.health()
        // The check above has reported a store that cannot be read.
        if shared != nil, let problem = health?.problem { report(.store, problem) }
        if !keys.sealing.contains(where: { $0.record.retiredAt == nil }) {
            report(.keys, "the platform has no key that this version can use: make new ones with 'platform-key rotate'")
        }
        if store.database.peers != nil, let shared {
            if !masterKeyIDs.contains(shared.masterKeyID) {
                report(
                    .masterKey,
                    "the store needs the master key \(shared.masterKeyID): start this server again with that key")
            }
            if let hash = shared.policyHash, hash != sharedHash(of: policy) {
                report(
                    .policy,
                    "another policy is in use: read the policy file again on each server, or stop the others")
            }
        }
        if let free = health?.freeBytes, free < Readiness.minimumFreeBytes {
            report(.disk, "the disk of the store has \(free >> 20) MiB left: free some space")
        }
        if let health, case let waiting = health.waitingWrites, waiting > Readiness.maximumWaitingWrites(of: health) {
            report(.writer, "\(waiting) writes wait for the store: the disk is slow, or there are too many requests")
        }
        if let latest, time.now() < latest.advanced(milliseconds: -Readiness.clockTolerance) {
            report(.clock, "the clock is before the latest entry of the audit log: set the clock")
        }
        if let difference = health?.clockDifference, difference.magnitude >= Readiness.clockDifference {
            let side = difference < .zero ? "behind" : "ahead of"
            report(
                .clock,
                """
                the clock of the store is \(difference.magnitude.wholeMilliseconds) ms \(side) the clock of this \
                machine: set both
                """)
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

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
