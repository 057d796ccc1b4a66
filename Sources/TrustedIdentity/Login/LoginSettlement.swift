internal import Primitives

/// The rows that a right code changes, and its host code.
struct CodeUse: Sendable {
    let match: CodeMatch
    /// The device as it was read.
    let device: DeviceRecord
    /// The device after its ratchet or its generation moved; `nil` when the code moved neither.
    let promoted: DeviceRecord?
    /// The challenge, as it was read, that is used up instead of the counter.
    let challenge: ChallengeRecord?
    let hostCode: String?
}

/// The transaction of a login: the count of failures, the single use of the code and the audit entry change together.
struct LoginSettlement: Sendable {
    /// The purpose of typed codes.
    enum Purpose: Sendable {
        case login, transaction, seal
        /// Two successive codes measure a clock or a counter.
        case synchronization

        var accepted: AuditEvent {
            switch self {
            case .login: .loginAccepted
            case .transaction: .transactionAccepted
            case .seal: .sealAccepted
            case .synchronization: .codesSynchronized
            }
        }

        var refused: AuditEvent {
            switch self {
            case .login, .synchronization: .loginRefused
            case .transaction: .transactionRefused
            case .seal: .sealRefused
            }
        }
    }

    let account: LoginAccount
    let now: Timestamp
    /// The subject of the entries in the log; `nil` for a name that no account has.
    private var subject: [UInt8]? { account.record?.subject }

    private var scope: ThrottleScope { account.scope }

    /// Creates a settlement.
    init(_ account: LoginAccount, now: Timestamp) {
        self.account = account
        self.now = now
    }

    /// Settles typed codes. During a block the verdict has no effect. One exception: a refusal that is the same for
    /// every account comes before any decision about the account.
    func settle(
        _ verdict: CodeVerdict, _ use: CodeUse?, as purpose: Purpose, in store: StoreTransaction
    ) throws -> LoginDecision {
        try store.require(account.suspension)
        let counts = try scope.counts(in: store)
        if let reason = verdict.refusalOfEveryAccount { return try refuseUncounted(reason, as: purpose, in: store) }
        if try isBlocked(counts) { return try refuseUncounted(.blocked, as: purpose, in: store) }
        switch verdict {
        case .accepted(let match, let method):
            guard let use else { throw PlatformError(.internal) }
            try spend(use, in: store)
            let isSynchronization = purpose == .synchronization
            // The count of failures stays after a synchronization: two codes do not end a series of failed logins.
            if !isSynchronization { try requireWritten(scope.succeed(counts, in: store, now: now)) }
            try store.append(
                entry(purpose.accepted, isSynchronization ? "" : "\(method)", device: match.after.device))
            return LoginDecision(.accepted, method: method, device: match.after.device, hostCode: use.hostCode)
        case .notAllowed:
            guard let use else { throw PlatformError(.internal) }
            // The code is used up anyway: no code is right twice.
            try spend(use, in: store)
            return try refuse(.methodNotAllowed, as: purpose, in: store)
        case .refused(let reason):
            return try refuseUncounted(reason, as: purpose, in: store)
        case .wrong:
            try requireSameAccount(in: store)
            return try countFailure(counts, as: purpose, in: store)
        }
    }

    /// Settles a static password.
    ///
    /// A suspended password is hashed, and counted as a failure, whether it is right or not.
    ///
    /// - Parameter isAllowed: Whether the policy accepts static passwords. Otherwise the right password is refused, and
    ///   counted neither as a failure nor as a success.
    /// - Throws: ``OutdatedInput`` when the verifier that the password was compared with was replaced meanwhile or its
    ///   suspension was lifted, the account was created or removed, or the platform was restored.
    func settle(
        isPasswordRight: Bool, isAllowed: Bool, in store: StoreTransaction
    ) throws -> LoginDecision {
        guard try store.currentState().suspension == account.suspension else { throw OutdatedInput() }
        let counts = try scope.counts(in: store)
        // The hash takes the same time for every password. A block that has ended meanwhile therefore needs no new
        // hash.
        if counts.isBlocked(now: now) { return try refuseUncounted(.blocked, in: store) }
        let current = try currentAccount(in: store)
        guard (current == nil) == (account.record == nil), current?.staticPassword == account.record?.staticPassword
        else { throw OutdatedInput() }
        let isAccepted = isPasswordRight && !account.isPasswordSuspended
        guard isAccepted, current != nil else {
            return try countFailure(
                counts, because: account.isPasswordSuspended ? .suspended : .wrongCredential, in: store)
        }
        guard isAllowed else { return try refuse(.methodNotAllowed, in: store) }
        try requireWritten(scope.succeed(counts, in: store, now: now))
        try store.append(entry(.loginAccepted, "staticPassword"))
        return LoginDecision(.accepted)
    }

    /// Returns whether credentials are blocked.
    ///
    /// - Throws: ``WriteConflict`` when a block that prevented the comparison was lifted meanwhile.
    private func isBlocked(_ counts: ThrottleCounts) throws -> Bool {
        let isBlocked = counts.isBlocked(now: now)
        try requireWritten(isBlocked || !account.isBlocked)
        return isBlocked
    }

    /// Moves the counter or uses up the challenge, and moves the ratchet if needed. This compare-and-set makes a code
    /// single-use.
    private func spend(_ use: CodeUse, in store: StoreTransaction) throws {
        if let promoted = use.promoted {
            try requireWritten(store.update(promoted))
            if promoted.generation != use.device.generation {
                try store.append(
                    AuditEntry(
                        time: now, event: .passwordChanged, account: account.name.text,
                        subject: subject, device: promoted.id))
            }
        } else {
            // The device may have been revoked or locked, or its ratchet may have moved.
            let device = try ifUnaltered { try store.device(use.device.id) }
            try requireWritten(device?.version == use.device.version)
        }
        if var challenge = use.challenge {
            challenge.usedAt = now
            try requireWritten(store.update(challenge))
        } else {
            try requireWritten(store.move(use.match.after, from: use.match.before))
        }
    }

    /// Requires that the account was neither created nor removed since it was read. A count of failures or of entries
    /// must not remain after its account is removed, and must not be missing for an account that was created.
    private func requireSameAccount(in store: StoreTransaction) throws {
        try requireWritten((currentAccount(in: store) == nil) == (account.record == nil))
    }

    /// Returns the account as it is now; `nil` when it does not exist.
    private func currentAccount(in store: StoreTransaction) throws -> AccountRecord? {
        try store.account(account.name.text)
    }

    /// Counts a failure. A name that no account has is not counted.
    private func countFailure(
        _ counts: ThrottleCounts, because reason: LoginDecision.Reason = .wrongCredential, as purpose: Purpose = .login,
        in store: StoreTransaction
    ) throws -> LoginDecision {
        guard account.record != nil else { return try refuse(.unknownAccount, as: purpose, in: store) }
        try requireWritten(scope.fail(counts, in: store, now: now))
        return try refuse(reason, as: purpose, in: store)
    }

    /// Refuses a credential that is not counted as a failure.
    private func refuseUncounted(
        _ reason: LoginDecision.Reason, as purpose: Purpose = .login, in store: StoreTransaction
    ) throws -> LoginDecision {
        try requireSameAccount(in: store)
        return try refuse(reason, as: purpose, in: store)
    }

    private func refuse(
        _ reason: LoginDecision.Reason, as purpose: Purpose = .login, in store: StoreTransaction
    ) throws -> LoginDecision {
        try store.list(entry(purpose.refused, reason.rawValue))
        return LoginDecision(reason)
    }

    private func entry(_ event: AuditEvent, _ reason: String, device: [UInt8]? = nil) -> AuditEntry {
        AuditEntry(
            time: now, event: event, account: account.record?.name, subject: subject, device: device,
            reason: reason)
    }
}
