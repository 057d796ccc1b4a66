internal import Primitives
internal import Wire

/// The rules for requests of devices. It is pure: from a row and a request it makes a new row and an answer.
///
/// The order of the checks is part of the protocol:
/// 1. Whether the device is served at all. A revoked, locked or suspended device learns nothing else.
/// 2. The position in the key ratchet. An index left behind shows a copied store.
/// 3. The generation of the proof. A proof of another generation is not a wrong password. One left behind shows a
///    copied store.
/// 4. Whether the state of the device allows the request.
/// 5. The request itself, with its proof.
///
/// Each family of messages has an extension in a file of its own.
struct DeviceMachine {
    let device: DeviceRecord
    let request: DeviceRequest

    /// Returns the decision on the request.
    func decide() -> DeviceDecision {
        if let refusal = refusalOfUnservedDevice { return refusal }
        let ratchet = RatchetState(device)
        let position = ratchet.position(of: request.message.ratchetIndex, now: request.now)
        if let refusal = refusal(of: position, ratchet) { return refusal }
        let (moved, moveTo) = ratchet.answering(position, at: request.message.ratchetIndex, now: request.now)
        var row = device
        row.move(to: moved)
        row.lastSeenAt = request.now
        if request.proof == .otherGeneration { return refuse(.generationUnknown, row, moveTo: moveTo) }
        if request.proof == .outdatedGeneration { return refuseOutdatedGeneration(row, moveTo: moveTo) }
        guard isPermitted else { return refuse(.notPermitted, row, moveTo: moveTo) }
        var decision = decide(row, moveTo: moveTo)
        if decision.device.generation > row.generation { decision.effects.append(.recordPasswordChange) }
        return decision
    }

    /// Returns the decision on a request that the state of the device allows.
    ///
    /// - Parameters:
    ///   - row: The device, with its ratchet moved.
    ///   - moveTo: The index that the answer moves the device to.
    private func decide(_ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        switch request.message.body {
        case .activationPassword: return provePassword(row, moveTo: moveTo)
        case .activationComplete(let message): return completeActivation(row, message, moveTo: moveTo)
        case .notificationsRegister(let message): return registerNotifications(row, message, moveTo: moveTo)
        case .synchronize(let message): return synchronize(row, message, moveTo: moveTo)
        case .userDelete: return delete(row, moveTo: moveTo)
        case .approvalList: return listApprovals(row, moveTo: moveTo)
        case .approvalFetch: return fetchApproval(row, moveTo: moveTo)
        case .approvalAnswer: return answerApproval(row, moveTo: moveTo)
        case .notificationsOpen: return openNotifications(row, moveTo: moveTo)
        case .passwordChange: return changePassword(row, moveTo: moveTo)
        case .passwordProve: return proveNewPassword(row, moveTo: moveTo)
        case .methodRegister: return registerMethod(row, moveTo: moveTo)
        case .methodRemove(let message): return removeMethod(row, message, moveTo: moveTo)
        // The data are in the extensions, as those of every message.
        case .deviceData: return accept(.deviceData, row, moveTo: moveTo)
        }
    }

    /// Whether the state of the device allows the request.
    private var isPermitted: Bool {
        switch (device.state, request.message.body) {
        case (.pending, .activationPassword), (.pending, .activationComplete): true
        case (.pending, .notificationsRegister), (.pending, .synchronize), (.pending, .userDelete): false
        case (.pending, .approvalList), (.pending, .approvalFetch), (.pending, .approvalAnswer),
            (.pending, .notificationsOpen), (.pending, .passwordChange), (.pending, .passwordProve),
            (.pending, .methodRegister), (.pending, .methodRemove), (.pending, .deviceData):
            false
        case (.pendingNotification, .activationPassword), (.active, .activationPassword): false
        // The answer of step 4 may have been lost. The client asks again and gets the same answer.
        case (.pendingNotification, _), (.active, _): true
        case (.locked, _), (.revoked, _): false
        }
    }

    /// The refusal of a device that is served nothing, whatever it asks.
    private var refusalOfUnservedDevice: DeviceDecision? {
        switch device.state {
        case .revoked:
            return refuse(.revoked)
        case .locked:
            switch device.lockReason {
            case .cloneSuspected: return refuseOrDelete(.cloneSuspected)
            case .wrongPassword, .revoked, nil: return refuseOrDelete(.locked)
            }
        case .pending where request.now >= device.pendingUntil:
            var decision = refuse(.pendingExpired)
            decision.fate = .ends(reason: "pendingExpired")
            return decision
        case .pending, .pendingNotification, .active:
            return request.isSuspended ? refuseOrDelete(.suspended) : nil
        }
    }

    /// Refuses everything but a deletion, which is always allowed: it removes rights and gives none.
    private func refuseOrDelete(_ code: RefusalCode) -> DeviceDecision {
        if case .userDelete = request.message.body { return delete(device, moveTo: request.message.ratchetIndex) }
        return refuse(code)
    }

    /// Returns the refusal of an index that is not accepted. It is not a wrong password, and it is not counted.
    private func refusal(of position: RatchetState.Position, _ ratchet: RatchetState) -> DeviceDecision? {
        switch position {
        case .ahead where request.isRatchetSpent, .farAhead where request.isRatchetSpent:
            // Another request moved the ratchet meanwhile. The next one goes on from there.
            return refuse(.ratchetBehind)
        case .current, .previous, .next, .ahead:
            return nil
        case .farAhead:
            // The index is signed by the device. The device stays there, and its next requests move the rest.
            var row = device
            row.move(to: ratchet.stepping(now: request.now))
            return refuse(.ratchetBehind, row, moveTo: request.message.ratchetIndex)
        case .unknown:
            return refuse(.ratchetUnknown)
        case .outdated:
            // The client may have read its store while another process moved it. It reads again and asks once more.
            guard request.message.reread else { return refuse(.ratchetOutdated) }
            var decision = refuse(.cloneSuspected)
            decision.lock(.cloneSuspected)
            return decision
        }
    }

    /// Returns the refusal of a generation left behind. It is not a wrong password, and it is not counted.
    func refuseOutdatedGeneration(_ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        // Another process may have changed the password. The client reads its store again and asks once more.
        guard request.message.reread else { return refuse(.generationOutdated, row, moveTo: moveTo) }
        var decision = refuse(.cloneSuspected, row, moveTo: moveTo)
        decision.lock(.cloneSuspected)
        return decision
    }

    /// Returns the row of a device that has proven its password: without failures, and at the generation of the proof.
    ///
    /// Only a decision that counts a wrong proof may call this method. Anywhere else a right proof would differ from a
    /// wrong one in what the platform does, without a count, and a thief could test passwords.
    func proven(_ row: DeviceRecord) -> DeviceRecord {
        var row = row
        row.passwordFailures = 0
        row.promote(toGeneration: request.proofGeneration)
        return row
    }

    func accept(
        _ body: AnswerBody, _ row: DeviceRecord, moveTo: UInt64, event: AuditEvent? = nil
    ) -> DeviceDecision {
        var decision = DeviceDecision(device: row, result: .accepted(body), moveTo: moveTo, event: event)
        if row.isLoginDevice { decision.effects.append(.reportFailures) }
        return decision
    }

    /// Refuses, and leaves the row as it was read and the device at its index.
    func refuse(_ code: RefusalCode) -> DeviceDecision {
        refuse(code, device, moveTo: request.message.ratchetIndex)
    }

    func refuse(_ code: RefusalCode, _ row: DeviceRecord, moveTo: UInt64) -> DeviceDecision {
        DeviceDecision(device: row, result: .refused(Refusal(code)), moveTo: moveTo)
    }
}

extension DeviceDecision {
    /// Locks the device.
    mutating func lock(_ lockReason: LockReason) {
        device.lock(lockReason)
        event = .deviceLocked
        reason = lockReason.rawValue
    }
}
