internal import OrchestrationProtocol
internal import Primitives

/// A device request after its seal, its signature and its names were verified.
struct DeviceRequest: Sendable {
    /// The device as it was read.
    let device: DeviceRecord
    let message: RequestMessage
    let proof: ProofOutcome
    /// The generation of the password that the proof names.
    var proofGeneration: UInt64 = 0
    /// Whether an unlock has offered that generation.
    var provesUnlock = false
    let now: Timestamp
    /// Whether the device is suspended since a restore.
    let isSuspended: Bool
    /// The number of wrong passwords in a row that locks the device.
    let tries: Int
    /// The number of wrong passwords, less one every three days, that locks the device.
    let cumulativeTries: Int
    /// The comparison with the key ratchet.
    let ratchet: RatchetCheck
}

/// The result of checking the proof of a request.
enum ProofOutcome: Sendable, Hashable {
    /// The request contains no proof.
    case absent
    /// The proof was made with the secret of this instance, at the ratchet index of the request.
    case right(Instance)
    /// The proof was made with another secret.
    case wrong(Instance)
    /// The proof belongs to a generation that the platform never offered.
    case otherGeneration
    /// The proof belongs to an earlier generation than the platform's.
    case outdatedGeneration
}

extension DeviceRequest {
    /// Returns the decision on the request.
    ///
    /// The order of the checks is part of the protocol:
    /// 1. Whether the device is served at all. A revoked, locked or suspended device gets no other information.
    /// 2. The key ratchet. Another history, or an index left behind, shows a copied store.
    /// 3. The generation of the proof. A proof of another generation is not a wrong password. A generation left behind
    ///    shows a copied store.
    /// 4. Whether the state of the device allows the message.
    /// 5. The message itself, with its proof, by its handler.
    func decide(with handler: some MessageHandler) -> DeviceDecision {
        if let refusal = refusalOfUnservedDevice ?? refusalByRatchet { return refusal }
        var row = device
        row.lastSeenAt = now
        if ratchet.outcome == .accepted || takesRatchetOver { row.move(to: ratchet.state) }
        let served = ServedRequest(request: self, row: row)
        if proof == .otherGeneration { return served.refuse(.generationUnknown) }
        if proof == .outdatedGeneration { return served.refuseOutdatedGeneration() }
        guard handler.states.contains(device.state) else { return served.refuse(.notPermitted) }
        return handler.decide(served)
    }

    /// The request of a device whose row stays as it is.
    private var unmoved: ServedRequest { ServedRequest(request: self, row: device) }

    /// Whether the request brings its ratchet state to a restored platform, and proves another instance than the
    /// password. With the password, ``ServedRequest/proving(_:_:)`` takes the state over, because it counts wrong
    /// passwords.
    private var takesRatchetOver: Bool {
        guard ratchet.outcome == .brought, case .right(let instance) = proof else { return false }
        return instance != .password
    }

    /// The refusal for a device that is not served, whatever it asks.
    private var refusalOfUnservedDevice: DeviceDecision? {
        switch device.state {
        case .revoked:
            return unmoved.refuse(.revoked)
        case .locked:
            switch device.lockReason {
            case .cloneSuspected: return refuseOrDelete(.cloneSuspected)
            case .wrongPassword, .revoked, nil:
                guard isStepOfUnlock else { return refuseOrDelete(.locked) }
                return isSuspended ? refuseOrDelete(.suspended) : nil
            }
        case .pending where now >= device.pendingUntil:
            var decision = unmoved.refuse(.pendingExpired)
            decision.fate = .ends(reason: "pendingExpired")
            return decision
        case .pending, .pendingNotification, .active:
            return isSuspended ? refuseOrDelete(.suspended) : nil
        }
    }

    /// Whether the request is a step of an unlock. A device that is locked after wrong passwords may send it.
    private var isStepOfUnlock: Bool {
        switch message.body {
        case .unlock: true
        case .passwordProve: provesUnlock && remainingTries(of: device) > 0
        default: false
        }
    }

    /// The number of wrong passwords before a device is locked.
    fileprivate func remainingTries(of device: DeviceRecord) -> Int {
        max(0, min(tries - device.passwordFailures, cumulativeTries - device.countedFailures(at: now)))
    }

    /// Refuses everything except a deletion, which is always allowed: it removes rights and grants none.
    private func refuseOrDelete(_ code: RefusalCode) -> DeviceDecision {
        if case .userDelete = message.body { return UserDeleteHandler().decide(unmoved) }
        return unmoved.refuse(code)
    }

    /// The refusal of a request that does not fit the key ratchet. It is not a wrong password, and it is not counted.
    private var refusalByRatchet: DeviceDecision? {
        switch ratchet.outcome {
        case .accepted: return nil
        case .brought:
            // Without a proof, the state would not be taken over. A message after which the device counts as
            // synchronized would then leave the state behind permanently.
            switch (proof, message.body) {
            case (.right(.password), .synchronize), (.wrong, .synchronize), (.absent, _):
                return unmoved.refuse(.ratchetBehind)
            case (.right, _), (.wrong, _), (.otherGeneration, _), (.outdatedGeneration, _): return nil
            }
        case .behind: return unmoved.refuse(.ratchetBehind)
        case .unknown: return unmoved.refuse(.ratchetUnknown)
        case .outdated: return unmoved.refuse(.ratchetOutdated, suspectingClone: message.reread)
        case .forked: return unmoved.refuse(.cloneSuspected, suspectingClone: true)
        }
    }
}

/// A request of a device that is served, with its row at the index of the request.
struct ServedRequest: Sendable {
    let request: DeviceRequest
    /// The device, with its ratchet moved.
    let row: DeviceRecord

    /// The device as it was read.
    var device: DeviceRecord { request.device }
    var message: RequestMessage { request.message }
    var now: Timestamp { request.now }

    func accept(_ body: AnswerBody, _ row: DeviceRecord? = nil, event: AuditEvent? = nil) -> DeviceDecision {
        let row = row ?? self.row
        return DeviceDecision(
            device: row, result: .accepted(body), event: event, reportsFailures: row.isLoginDevice)
    }

    func refuse(_ code: RefusalCode, _ row: DeviceRecord? = nil) -> DeviceDecision {
        DeviceDecision(device: row ?? self.row, result: .refused(Refusal(code)))
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

    /// Decides on a message that needs the proof of an instance. A wrong password is counted. Any other wrong proof is
    /// malformed.
    ///
    /// The right password ends the count and promotes its generation. That happens only here, where a wrong one is
    /// counted. Otherwise the platform would act differently on a right proof than on a wrong one without counting, and
    /// a thief could test passwords.
    ///
    /// - Parameter accept: Decides with the row after the proof.
    func proving(_ instance: Instance, _ accept: (DeviceRecord) -> DeviceDecision) -> DeviceDecision {
        switch request.proof {
        case .right(instance):
            guard instance == .password else { return accept(row) }
            var proven = row
            proven.passwordFailures = 0
            proven.promote(toGeneration: request.proofGeneration)
            if request.ratchet.outcome == .brought { proven.move(to: request.ratchet.state) }
            var decision = accept(proven)
            if decision.device.passwordFailures == 0 { decision.failedPasswords = row.passwordFailures }
            return decision
        case .wrong(.password) where instance == .password:
            return countFailure()
        case .absent, .right, .wrong, .otherGeneration, .outdatedGeneration:
            return refuse(.malformed)
        }
    }

    /// Returns the number of wrong passwords that lock the device.
    func remainingTries(of row: DeviceRecord) -> Int { request.remainingTries(of: row) }

    /// Counts a wrong password with a valid device signature. Too many in a row end a pending device and lock others.
    private func countFailure() -> DeviceDecision {
        var row = row
        row.countFailure(at: now)
        let remaining = remainingTries(of: row)
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
