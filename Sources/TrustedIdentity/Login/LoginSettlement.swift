internal import Primitives

/// The rows that a right code changes, and its host code.
struct CodeUse: Sendable {
    let match: CodeMatch
    /// The device as it was read.
    let device: DeviceRecord
    /// The device after its ratchet moved; `nil` when the code was not the first at its index.
    let promoted: DeviceRecord?
    let hostCode: String?
}

/// The transaction of a login: the count of failures, the single use of the code and the audit entry change together.
struct LoginSettlement: Sendable {
    let account: LoginAccount
    let now: Timestamp
    private let scope: ThrottleScope

    /// Creates a settlement.
    ///
    /// - Parameters:
    ///   - kind: The kind of credential, which has a count of failures of its own.
    ///   - source: The source that the application server named.
    init(_ account: LoginAccount, kind: ThrottleKey.Kind, source: String?, now: Timestamp) {
        self.account = account
        self.now = now
        scope = ThrottleScope(account: account.record?.name ?? Decoys.account, kind: kind, source: source)
    }

    /// Settles a typed code. During a block the verdict has no effect.
    func settle(_ verdict: CodeVerdict, _ use: CodeUse?, in store: any StoreTransaction) throws -> LoginDecision {
        let throttle = try scope.record(in: store)
        if Throttle.isBlocked(throttle, now: now) { return try refuse(.blocked, in: store) }
        switch verdict {
        case .accepted(let match, let method):
            guard let use else { throw PlatformError(.internal) }
            try spend(use, in: store)
            try requireWritten(scope.succeed(throttle, in: store, now: now))
            try audit(.loginAccepted, "\(method)", device: match.after.device, in: store)
            return LoginDecision(.accepted, method: method, device: match.after.device, hostCode: use.hostCode)
        case .notAllowed:
            guard let use else { throw PlatformError(.internal) }
            // The code is used up nevertheless: no code is right twice.
            try spend(use, in: store)
            return try refuse(.methodNotAllowed, in: store)
        case .refused(let reason):
            return try refuse(reason, in: store)
        case .wrong:
            try requireSameAccount(in: store)
            return try countFailure(throttle, in: store)
        }
    }

    /// Settles two successive codes. They are used up, and the count of failures stays: two codes do not end a row of
    /// failed logins.
    ///
    /// - Returns: Whether the codes were accepted.
    func settleResynchronization(
        _ verdict: CodeVerdict, _ use: CodeUse?, in store: any StoreTransaction
    ) throws -> Bool {
        let throttle = try scope.record(in: store)
        if Throttle.isBlocked(throttle, now: now) {
            _ = try refuse(.blocked, in: store)
            return false
        }
        switch verdict {
        case .accepted(let match, _), .notAllowed(let match):
            guard let use else { throw PlatformError(.internal) }
            try spend(use, in: store)
            try store.append(
                AuditEntry(time: now, event: .codesSynchronized, account: account.name.text, device: match.after.device)
            )
            return true
        case .refused(let reason):
            _ = try refuse(reason, in: store)
            return false
        case .wrong:
            try requireSameAccount(in: store)
            _ = try countFailure(throttle, in: store)
            return false
        }
    }

    /// Settles a static password.
    ///
    /// - Throws: ``OutdatedInput`` when the verifier that the password was compared with was replaced meanwhile, or the
    ///   account was created or removed.
    func settle(isPasswordRight: Bool, in store: any StoreTransaction) throws -> LoginDecision {
        let throttle = try scope.record(in: store)
        if Throttle.isBlocked(throttle, now: now) { return try refuse(.blocked, in: store) }
        let current = try store.account(account.name.text)
        guard (current == nil) == (account.record == nil), current?.staticPassword == account.record?.staticPassword
        else { throw OutdatedInput() }
        guard isPasswordRight, current != nil else { return try countFailure(throttle, in: store) }
        try requireWritten(scope.succeed(throttle, in: store, now: now))
        try audit(.loginAccepted, "staticPassword", in: store)
        return LoginDecision(.accepted)
    }

    /// Moves the counter, and the ratchet where it moves. This compare-and-set makes a code single-use.
    private func spend(_ use: CodeUse, in store: any StoreTransaction) throws {
        if let promoted = use.promoted {
            try requireWritten(store.update(promoted))
        } else {
            // The device may have been revoked or locked, or its ratchet may have moved.
            try requireWritten(store.device(use.device.id)?.version == use.device.version)
        }
        try requireWritten(store.move(use.match.after, from: use.match.before))
    }

    /// Requires that the account was neither created nor removed since it was read. A count of failures must not
    /// outlive its account, nor miss it.
    private func requireSameAccount(in store: any StoreTransaction) throws {
        try requireWritten((store.account(account.name.text) == nil) == (account.record == nil))
    }

    /// Counts a failure; for an account that does not exist, a failure of the decoy account.
    private func countFailure(_ throttle: ThrottleRecord?, in store: any StoreTransaction) throws -> LoginDecision {
        guard account.record != nil else {
            // All accounts that do not exist share one row. The write is the same as for an existing account, and
            // strangers cannot fill the store. The row never blocks, so that it never saves work.
            try store.removeThrottle(ThrottleKey(account: Decoys.account, kind: scope.kind))
            try requireWritten(scope.fail(nil, in: store, now: now))
            return try refuse(.unknownAccount, in: store)
        }
        try requireWritten(scope.fail(throttle, in: store, now: now))
        return try refuse(.wrongCredential, in: store)
    }

    private func refuse(_ reason: LoginDecision.Reason, in store: any StoreTransaction) throws -> LoginDecision {
        try audit(.loginRefused, reason.rawValue, in: store)
        return LoginDecision(reason)
    }

    private func audit(
        _ event: AuditEvent, _ reason: String, device: [UInt8]? = nil, in store: any StoreTransaction
    ) throws {
        try store.append(
            AuditEntry(time: now, event: event, account: account.record?.name, device: device, reason: reason))
    }
}
