internal import OrchestrationProtocol
internal import Primitives

/// A request of a device after its seal, its signature and its names were verified.
struct DeviceRequest: Sendable {
    /// The device as it was read.
    let device: DeviceRecord
    let message: RequestMessage
    let proof: ProofOutcome
    /// The generation of the password that the proof names.
    var proofGeneration: UInt64 = 0
    let now: Timestamp
    /// Whether the device is suspended since a restore.
    let isSuspended: Bool
    /// The number of wrong passwords in a row that locks the device.
    let tries: Int
    /// Whether the request has derived so many states of the key ratchet that it may not derive those to its index.
    var isRatchetSpent = false
}

/// The result of the check of the proof beside a request.
enum ProofOutcome: Sendable, Hashable {
    /// The request has no proof.
    case absent
    /// The proof was made with the secret of this instance, at the ratchet index of the request.
    case right(Instance)
    /// The proof was made with another secret.
    case wrong(Instance)
    /// The proof is of a generation that the platform never offered.
    case otherGeneration
    /// The proof is of an earlier generation than the platform has.
    case outdatedGeneration
}

extension DeviceRequest {
    /// Returns the decision on the request.
    ///
    /// The order of the checks is part of the protocol:
    /// 1. Whether the device is served at all. A revoked, locked or suspended device learns nothing else.
    /// 2. The position in the key ratchet. An index left behind shows a copied store.
    /// 3. The generation of the proof. A proof of another generation is not a wrong password. One left behind shows a
    ///    copied store.
    /// 4. Whether the state of the device allows the message.
    /// 5. The message itself, with its proof, by its handler.
    func decide(with handler: some MessageHandler) -> DeviceDecision {
        if let refusal = refusalOfUnservedDevice { return refusal }
        let ratchet = RatchetState(device)
        let position = ratchet.position(of: message.ratchetIndex, now: now)
        if let refusal = refusal(of: position, ratchet) { return refusal }
        let (moved, moveTo) = ratchet.answering(position, at: message.ratchetIndex, now: now)
        var row = device
        row.move(to: moved)
        row.lastSeenAt = now
        let served = ServedRequest(request: self, row: row, moveTo: moveTo)
        if proof == .otherGeneration { return served.refuse(.generationUnknown) }
        if proof == .outdatedGeneration { return served.refuseOutdatedGeneration() }
        guard handler.states.contains(device.state) else { return served.refuse(.notPermitted) }
        return handler.decide(served)
    }

    /// The request of a device whose row and index stay as they are.
    private var unmoved: ServedRequest {
        ServedRequest(request: self, row: device, moveTo: message.ratchetIndex)
    }

    /// The refusal of a device that is served nothing, whatever it asks.
    private var refusalOfUnservedDevice: DeviceDecision? {
        switch device.state {
        case .revoked:
            return unmoved.refuse(.revoked)
        case .locked:
            switch device.lockReason {
            case .cloneSuspected: return refuseOrDelete(.cloneSuspected)
            case .wrongPassword, .revoked, nil: return refuseOrDelete(.locked)
            }
        case .pending where now >= device.pendingUntil:
            var decision = unmoved.refuse(.pendingExpired)
            decision.fate = .ends(reason: "pendingExpired")
            return decision
        case .pending, .pendingNotification, .active:
            return isSuspended ? refuseOrDelete(.suspended) : nil
        }
    }

    /// Refuses everything but a deletion, which is always allowed: it removes rights and gives none.
    private func refuseOrDelete(_ code: RefusalCode) -> DeviceDecision {
        if case .userDelete = message.body { return UserDeleteHandler().decide(unmoved) }
        return unmoved.refuse(code)
    }

    /// Returns the refusal of an index that is not accepted. It is not a wrong password, and it is not counted.
    private func refusal(of position: RatchetState.Position, _ ratchet: RatchetState) -> DeviceDecision? {
        switch position {
        case .ahead where isRatchetSpent, .farAhead where isRatchetSpent:
            // Another request moved the ratchet meanwhile. The next one continues from there.
            return unmoved.refuse(.ratchetBehind)
        case .current, .previous, .next, .ahead:
            return nil
        case .farAhead:
            // The index is signed by the device. The device stays there, and its next requests move the rest.
            var row = device
            row.move(to: ratchet.stepping(now: now))
            return unmoved.refuse(.ratchetBehind, row)
        case .unknown:
            return unmoved.refuse(.ratchetUnknown)
        case .outdated:
            return unmoved.refuse(.ratchetOutdated, suspectingClone: message.reread)
        }
    }
}

/// A request of a device that is served, with its row at the index of the request.
struct ServedRequest: Sendable {
    let request: DeviceRequest
    /// The device, with its ratchet moved.
    let row: DeviceRecord
    /// The index that the answer moves the device to.
    let moveTo: UInt64

    /// The device as it was read.
    var device: DeviceRecord { request.device }
    var message: RequestMessage { request.message }
    var now: Timestamp { request.now }

    func accept(_ body: AnswerBody, _ row: DeviceRecord? = nil, event: AuditEvent? = nil) -> DeviceDecision {
        let row = row ?? self.row
        return DeviceDecision(
            device: row, result: .accepted(body), moveTo: moveTo, event: event, reportsFailures: row.isLoginDevice)
    }

    func refuse(_ code: RefusalCode, _ row: DeviceRecord? = nil) -> DeviceDecision {
        DeviceDecision(device: row ?? self.row, result: .refused(Refusal(code)), moveTo: moveTo)
    }

    /// Returns the refusal of a generation left behind. It is not a wrong password, and it is not counted.
    func refuseOutdatedGeneration() -> DeviceDecision {
        refuse(.generationOutdated, suspectingClone: message.reread)
    }

    /// Refuses an index or a generation left behind. Another process of the client may have moved it: the client reads
    /// its store again and asks once more. After that, its store is a copy, and the device is locked.
    fileprivate func refuse(_ code: RefusalCode, suspectingClone: Bool) -> DeviceDecision {
        guard suspectingClone else { return refuse(code) }
        var decision = refuse(.cloneSuspected)
        decision.lock(.cloneSuspected)
        return decision
    }

    /// Decides on a message that needs the proof of an instance. A wrong password is counted, and everything else that
    /// is not the right proof is malformed.
    ///
    /// The right password ends the count and promotes its generation. That happens here only, where a wrong one is
    /// counted: otherwise a right proof would differ from a wrong one in what the platform does, without a count, and a
    /// thief could test passwords.
    ///
    /// - Parameter accept: Decides with the row after the proof.
    func proving(_ instance: Instance, _ accept: (DeviceRecord) -> DeviceDecision) -> DeviceDecision {
        switch request.proof {
        case .right(instance):
            guard instance == .password else { return accept(row) }
            var proven = row
            proven.passwordFailures = 0
            proven.promote(toGeneration: request.proofGeneration)
            return accept(proven)
        case .wrong(.password) where instance == .password:
            return countFailure()
        case .absent, .right, .wrong, .otherGeneration, .outdatedGeneration:
            return refuse(.malformed)
        }
    }

    /// Counts a wrong password with a valid device signature. Too many in a row end a pending device and lock others.
    private func countFailure() -> DeviceDecision {
        var row = row
        row.passwordFailures += 1
        let remaining = max(0, request.tries - row.passwordFailures)
        var decision = refuse(.wrongPassword, row)
        decision.result = .refused(Refusal(.wrongPassword, remainingTries: UInt64(remaining)))
        decision.event = .proofRefused
        guard remaining == 0 else { return decision }
        if device.state == .pending {
            decision.fate = .ends(reason: LockReason.wrongPassword.rawValue)
        } else {
            decision.lock(.wrongPassword)
        }
        return decision
    }
}

extension DeviceDecision {
    /// Locks the device.
    fileprivate mutating func lock(_ lockReason: LockReason) {
        device.lock(lockReason)
        event = .deviceLocked
        reason = lockReason.rawValue
    }
}
