internal import Primitives
internal import Wire

/// Decides what a device's request does. Pure: rows and a request in, a row and an answer out.
///
/// The order of the questions is part of the protocol: is the device served at all; where does its ratchet stand; may it
/// ask this in its state; is its proof right; and only then what it asks.
struct DeviceMachine {
    let device: DeviceRecord
    let request: DeviceRequest

    /// The decision.
    func decide() -> DeviceDecision {
        if let unserved = refuseUnserved() { return unserved }
        let ratchet = RatchetState(device)
        let position = ratchet.position(of: request.message.ratchetIndex, now: request.now)
        if let refused = refuse(position) { return refused }
        let (moved, moveTo) = ratchet.answering(position, at: request.message.ratchetIndex, now: request.now)
        var row = device
        row.ratchetIndex = moved.confirmed
        row.offeredIndex = moved.offered
        row.promotedAt = moved.promotedAt
        row.lastSeenAt = request.now
        return answer(row, moveTo: moveTo)
    }

    /// Refuses a device that is served nothing, whatever it asks.
    private func refuseUnserved() -> DeviceDecision? {
        switch device.state {
        case .revoked:
            return refusal(.revoked)
        case .locked:
            // Leaving is always allowed: it takes rights away and gives none.
            if case .userDelete = request.message.body { return ended(device, moveTo: request.message.ratchetIndex) }
            return refusal(device.lockReason == .cloneSuspected ? .cloneSuspected : .locked)
        case .pending:
            guard request.now < device.pendingUntil else {
                var decision = refusal(.pendingExpired)
                decision.fate = .ends(reason: "pendingExpired")
                return decision
            }
            return nil
        case .pendingNotification, .active:
            return nil
        }
    }

    /// Refuses an index that is not accepted. None of it is a wrong password, so none of it is counted.
    private func refuse(_ position: RatchetState.Position) -> DeviceDecision? {
        switch position {
        case .current, .previous, .next, .ahead:
            return nil
        case .unknown:
            return refusal(.ratchetUnknown)
        case .outdated:
            // The first time the client may have read its store while another process moved it.
            guard request.message.reread else { return refusal(.ratchetOutdated) }
            var decision = refusal(.cloneSuspected)
            decision.device.stateBeforeLock = device.state
            decision.device.state = .locked
            decision.device.lockReason = .cloneSuspected
            decision.event = .deviceLocked
            decision.reason = LockReason.cloneSuspected.rawValue
            return decision
        }
    }

    private func answer(_ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        if request.proof == .otherGeneration { return refusal(.generationUnknown, row, moveTo: moveTo) }
        switch (device.state, request.message.body) {
        case (.pending, .activationPassword):
            return provePassword(row, moveTo: moveTo)
        case (.pending, .activationComplete(let message)):
            return complete(row, message.receiptHash, moveTo: moveTo)
        case (.pendingNotification, .activationComplete(let message)), (.active, .activationComplete(let message)):
            // Its answer was lost before the client had written that it is active.
            guard row.remembers(receipt: message.receiptHash) else {
                return refusal(.wrongReceipt, row, moveTo: moveTo)
            }
            return accepted(.activationComplete, row, moveTo: moveTo)
        case (.pendingNotification, .notificationsRegister(let message)),
            (.active, .notificationsRegister(let message)):
            var row = row
            row.state = .active
            row.notificationIdentifier = message.identifier
            return accepted(.notificationsRegister, row, moveTo: moveTo, event: .notificationsRegistered)
        case (.pendingNotification, .synchronize(let message)),
            (.active, .synchronize(let message)):
            return synchronize(row, message.generation, message.counters, moveTo: moveTo)
        case (.pendingNotification, .userDelete), (.active, .userDelete):
            return ended(row, moveTo: moveTo)
        case (.pending, .notificationsRegister), (.pending, .synchronize), (.pending, .userDelete),
            (.pendingNotification, .activationPassword), (.active, .activationPassword), (.locked, _), (.revoked, _):
            return refusal(.notPermitted, row, moveTo: moveTo)
        }
    }

    /// Step 3: the password's instance is proven, or a failure is counted and the fifth drops the device.
    private func provePassword(_ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        switch request.proof {
        case .right(.password):
            var row = row
            row.passwordFailures = 0
            var decision = accepted(.activationPassword, row, moveTo: moveTo, event: .activationProven)
            decision.effects.append(.rememberReceipt)
            return decision
        case .wrong(.password):
            return countFailure(row, moveTo: moveTo)
        case .absent, .right, .wrong, .otherGeneration:
            return refusal(.malformed, row, moveTo: moveTo)
        }
    }

    /// Step 4: both instances become active and the code is burned.
    private func complete(_ row: DeviceRecord, _ hash: [UInt8], moveTo: UInt64) -> DeviceDecision {
        guard request.proof == .right(.possession) else { return refusal(.malformed, row, moveTo: moveTo) }
        guard row.remembers(receipt: hash) else { return refusal(.wrongReceipt, row, moveTo: moveTo) }
        guard request.otherDevices < DeviceLimits.maximumDevices else {
            return refusal(.notPermitted, row, moveTo: moveTo)
        }
        var row = row
        row.state = .pendingNotification
        row.activatedAt = request.now
        var decision = accepted(.activationComplete, row, moveTo: moveTo, event: .activationCompleted)
        decision.effects.append(.completeActivation)
        return decision
    }

    /// Counter (a): failures with a valid device signature, in a row.
    private func countFailure(_ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        var row = row
        row.passwordFailures += 1
        let remaining = max(0, request.tries - row.passwordFailures)
        var decision = refusal(.wrongPassword, row, moveTo: moveTo)
        decision.result = .refused(Refusal(.wrongPassword, remainingTries: UInt64(remaining)))
        decision.event = .proofRefused
        guard remaining == 0 else { return decision }
        if device.state == .pending {
            decision.fate = .ends(reason: LockReason.wrongPassword.rawValue)
        } else {
            decision.device.stateBeforeLock = device.state
            decision.device.state = .locked
            decision.device.lockReason = .wrongPassword
            decision.event = .deviceLocked
            decision.reason = LockReason.wrongPassword.rawValue
        }
        return decision
    }

    private func synchronize(
        _ row: DeviceRecord, _ generation: UInt64, _ counters: [ApplicationCounter], moveTo: UInt64
    ) -> DeviceDecision {
        guard generation == row.generation else { return refusal(.generationUnknown, row, moveTo: moveTo) }
        guard row.isRestored else { return accepted(.synchronize(generation: generation), row, moveTo: moveTo) }
        // After a restore the higher wins. Without one the platform's own count stands: the device asks this right
        // after it showed a code, which is still to be typed.
        var row = row
        row.isRestored = false
        var decision = accepted(
            .synchronize(generation: generation), row, moveTo: moveTo, event: .deviceSynchronized)
        decision.effects.append(.raiseCounters(counters))
        return decision
    }

    private func ended(_ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        var decision = accepted(.userDelete, row, moveTo: moveTo)
        decision.fate = .ends(reason: "userDelete")
        return decision
    }

    private func accepted(
        _ body: AnswerBody, _ row: DeviceRecord, moveTo: UInt64, event: AuditEvent? = nil
    ) -> DeviceDecision {
        var decision = DeviceDecision(device: row, result: .accepted(body), moveTo: moveTo, event: event)
        if row.isLoginDevice { decision.effects.append(.tellFailures) }
        return decision
    }

    /// A refusal that leaves the row as it was read, and the device where it stands.
    private func refusal(_ code: RefusalCode) -> DeviceDecision {
        refusal(code, device, moveTo: request.message.ratchetIndex)
    }

    private func refusal(_ code: RefusalCode, _ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        DeviceDecision(device: row, result: .refused(Refusal(code)), moveTo: moveTo)
    }
}

extension DeviceRecord {
    /// Whether a receipt of step 3 is one of the latest.
    func remembers(receipt hash: [UInt8]) -> Bool {
        guard hash.count == 32 else { return false }
        return stride(from: 0, to: receiptHashes.count, by: 32).contains { start in
            receiptHashes[start...].prefix(32).elementsEqual(hash)
        }
    }

    /// Remembers a receipt of step 3, and forgets the oldest of too many.
    mutating func remember(receipt hash: [UInt8]) {
        receiptHashes = (receiptHashes + hash).suffix(32 * DeviceLimits.rememberedReceipts)
    }
}
