internal import Primitives

/// What an accepted code writes.
struct CodeAcceptance: Sendable {
    let match: CodeMatch
    /// The device as it was read.
    let device: DeviceRecord
    /// The device with its ratchet moved, when the code was the first at its index.
    let promoted: DeviceRecord?
    let hostCode: String?
}

/// A login in its transaction: the throttle, the single use, the failure and the audit entry take effect together.
struct LoginAttempt: Sendable {
    let name: String
    let subject: LoginSubject
    let scope: ThrottleScope
    let now: Timestamp

    /// Settles a typed code. In a block nothing was checked, whatever was found.
    func settle(
        _ verdict: CodeVerdict, _ acceptance: CodeAcceptance?, in store: any StoreTransaction
    ) throws -> LoginDecision {
        let throttle = try scope.record(in: store)
        if Throttle.isBlocked(throttle, now: now) { return try refuse(.blocked, in: store) }
        switch verdict {
        case .accepted(let match, let method):
            guard let acceptance else { throw PlatformError(.internal) }
            try use(acceptance, in: store)
            try must(scope.succeed(throttle, in: store, now: now))
            try audit(.loginAccepted, "\(method)", device: match.origin.device, in: store)
            return LoginDecision(
                .accepted, method: method, device: match.origin.device, hostCode: acceptance.hostCode)
        case .notAllowed:
            guard let acceptance else { throw PlatformError(.internal) }
            // Used up all the same: a right code is never right twice.
            try use(acceptance, in: store)
            return try refuse(.methodNotAllowed, in: store)
        case .refused(let reason):
            return try refuse(reason, in: store)
        case .wrong:
            return try countFailure(throttle, in: store)
        }
    }

    /// Settles a static password.
    func settle(isPasswordRight: Bool, in store: any StoreTransaction) throws -> LoginDecision {
        let throttle = try scope.record(in: store)
        if Throttle.isBlocked(throttle, now: now) { return try refuse(.blocked, in: store) }
        guard isPasswordRight, let account = subject.account else { return try countFailure(throttle, in: store) }
        // The password may have been replaced while it was being hashed.
        try must(store.account(name)?.version == account.version)
        try must(scope.succeed(throttle, in: store, now: now))
        try audit(.loginAccepted, "staticPassword", in: store)
        return LoginDecision(.accepted)
    }

    /// Moves the counter, and the ratchet where it moves. Whoever comes second finds another counter.
    func use(_ acceptance: CodeAcceptance, in store: any StoreTransaction) throws {
        let device = acceptance.device
        if let promoted = acceptance.promoted {
            try must(store.update(promoted))
        } else {
            // Revoked, locked or moved on meanwhile: decide again.
            try must(store.device(device.id)?.version == device.version)
        }
        try must(store.move(acceptance.match.after, from: acceptance.match.before))
    }

    /// Counts a failure; one of nobody where there is no such account.
    func countFailure(_ throttle: ThrottleRecord?, in store: any StoreTransaction) throws -> LoginDecision {
        // Registered or removed meanwhile: a count of failures must not outlive its account, or miss it.
        try must((store.account(name) == nil) == (subject.account == nil))
        guard subject.account != nil else {
            // One row for all who do not exist: the same write as for one who does, and no memory for a stranger to
            // fill. It never blocks, so that it never saves work.
            try store.removeThrottle(ThrottleKey(account: Decoys.account, kind: scope.kind))
            try must(scope.fail(nil, in: store, now: now))
            return try refuse(.unknownAccount, in: store)
        }
        try must(scope.fail(throttle, in: store, now: now))
        return try refuse(.wrongCredential, in: store)
    }

    func refuse(_ reason: LoginDecision.Reason, in store: any StoreTransaction) throws -> LoginDecision {
        try audit(.loginRefused, reason.rawValue, in: store)
        return LoginDecision(reason)
    }

    private func audit(
        _ event: AuditEvent, _ reason: String, device: [UInt8]? = nil, in store: any StoreTransaction
    ) throws {
        try store.append(
            AuditEntry(time: now, event: event, account: subject.account?.name, device: device, reason: reason))
    }
}
