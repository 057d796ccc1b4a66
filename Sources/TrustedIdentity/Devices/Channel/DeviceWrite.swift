internal import OrchestrationProtocol
internal import Primitives

/// The transaction of a device's request: effect, answer and audit entry are written together, once.
struct DeviceWrite: Sendable {
    let decision: DeviceDecision
    /// The device as it was read.
    let before: DeviceRecord
    /// The suspension at the time of the read. A write requires the same one.
    let suspension: Suspension
    /// The answer, for a repeat of the request.
    let replay: ReplayRecord
    /// The counts of failures that the answer reports.
    let reported: [ThrottleRecord]
    /// The end of an approval request; `nil` for a request that ends none.
    let approval: ApprovalWrite?
    /// The device data of the request; `nil` if there is none to store.
    let deviceData: DeviceDataWrite?
    let sealer: RowSealer
    let now: Timestamp

    /// Writes everything.
    ///
    /// - Throws: ``WriteConflict`` when a row changed since it was read.
    func commit(in store: StoreTransaction) throws {
        try store.require(suspension)
        try requireWritten(store.insert(replay))
        switch decision.fate {
        case .stays:
            try requireWritten(store.update(decision.device))
        case .ends(let reason):
            try requireWritten(store.device(before.id)?.version == before.version)
            try DeviceRevocation(sealer: sealer, now: now, reason: reason).revoke(before, in: store)
        }
        if decision.device.generation > before.generation {
            try store.append(
                AuditEntry(time: now, event: .passwordChanged, account: before.account, device: before.id))
        }
        try decision.write?(store)
        for id in decision.replacedDevices {
            // It may have been unlocked or revoked since it was read. The account of a device never changes.
            guard let replaced = try store.device(id), replaced.state == .locked else { throw WriteConflict() }
            try DeviceRevocation(sealer: sealer, now: now, reason: "replaced").revoke(replaced, in: store)
        }
        if let id = decision.movedDevice {
            guard let moved = try store.device(id) else { throw WriteConflict() }
            try DeviceRevocation(sealer: sealer, now: now, reason: "moved").revoke(moved, in: store)
            try store.append(
                AuditEntry(
                    time: now, event: .moveCompleted, account: before.account, device: before.id,
                    reason: Hex.encode(id)))
        }
        for throttle in reported { try markReported(throttle, in: store) }
        try approval?.commit(in: store)
        if let approval, approval.provesPassword, reported.isEmpty { try approval.liftCodeBlocks(in: store) }
        try deviceData?.commit(in: store, sealer: sealer, now: now)
        if decision.failedPasswords > 0 {
            try store.append(
                EventRecord(
                    event: PlatformEvent(
                        .passwordsFailed, time: now, account: before.account, device: before.id,
                        count: decision.failedPasswords)))
        }
        if let event = decision.event {
            try store.append(
                AuditEntry(
                    time: now, event: event, account: before.account, device: before.id, reason: decision.reason,
                    decision: decision.approvalEnd?.content.decisionRecord))
        }
    }

    private func markReported(_ throttle: ThrottleRecord, in store: StoreTransaction) throws {
        var reported = throttle
        reported.unreported = 0
        try requireWritten(store.update(reported))
    }
}
