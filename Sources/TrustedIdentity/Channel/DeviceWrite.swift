internal import Primitives
internal import Wire

/// The transaction of a device's request: effect, answer and audit entry take place together, once.
struct DeviceWrite: Sendable {
    let decision: DeviceDecision
    /// The device as it was read.
    let before: DeviceRecord
    let replay: ReplayRecord
    /// The counts of failures that the answer tells of.
    let told: [ThrottleRecord]
    let now: Timestamp

    /// Writes everything, or throws ``WriteConflict`` when a row changed since it was read.
    func commit(in store: any StoreTransaction) throws {
        try must(store.insert(replay))
        switch decision.fate {
        case .stays:
            try must(store.update(decision.device))
        case .ends(let reason):
            try must(store.device(before.id)?.version == before.version)
            try DeviceRevocation.revoke(before, in: store, now: now, reason: reason)
        }
        for effect in decision.effects { try apply(effect, in: store) }
        if let event = decision.event {
            try store.append(
                AuditEntry(
                    time: now, event: event, account: before.account, device: before.id, reason: decision.reason))
        }
    }

    private func apply(_ effect: DeviceDecision.Effect, in store: any StoreTransaction) throws {
        switch effect {
        case .completeActivation:
            try completeActivation(in: store)
        case .raiseCounters(let counters):
            let stored = try store.codeCounters(of: before.id)
            for move in CounterRaise.moves(counters, of: before.id, stored: stored, now: now) {
                try must(store.move(move.to, from: move.from))
            }
        case .tellFailures:
            for var throttle in told {
                throttle.untold = 0
                try must(store.update(throttle))
            }
        case .rememberReceipt:
            // In the row already: the receipt had to be made first.
            break
        }
    }

    private func completeActivation(in store: any StoreTransaction) throws {
        guard try ChannelContext.otherDevices(of: before, in: store) < DeviceLimits.maximumDevices else {
            throw WriteConflict()
        }
        if var account = try store.account(before.account), account.registrationID == before.registrationID {
            account.activatedAt = now
            try must(store.update(account))
        }
        if var code = try store.activationPassword(of: before.account), code.registrationID == before.registrationID {
            code.spentAt = now
            code.secret = nil
            try must(store.update(code))
        }
    }
}
