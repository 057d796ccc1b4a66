internal import Primitives

/// A transaction that makes the HMAC of each account, device, challenge, API key, approval request and key of the
/// platform that it writes, of each risk state of an account, and of the row about the platform.
struct AuthenticatedTransaction: AuthenticatingReader, StoreTransaction {
    let transaction: any StoreTransaction
    let rows: RowCheck
    let random: any RandomSource
    /// The origin of what the transaction writes to the audit log.
    var origin = AuditOrigin.platform
    /// The events that the transaction records; nil for a platform that records none.
    var outbox: EventOutbox.Write?

    var reader: any StoreReader { transaction }

    private var authenticator: RowAuthenticator { rows.authenticator }

    func insert(_ record: PlatformStateRecord) throws -> Bool {
        try transaction.insert(authenticator.authenticated(record))
    }
    func update(_ record: PlatformStateRecord) throws -> Bool {
        try transaction.update(authenticator.authenticatedForUpdate(record))
    }

    func insert(_ record: AccountRecord) throws -> Bool { try transaction.insert(authenticator.authenticated(record)) }
    func update(_ record: AccountRecord) throws -> Bool {
        try transaction.update(authenticator.authenticatedForUpdate(record))
    }

    func insert(_ record: DeviceRecord) throws -> Bool { try transaction.insert(authenticator.authenticated(record)) }
    func update(_ record: DeviceRecord) throws -> Bool {
        try transaction.update(authenticator.authenticatedForUpdate(record))
    }
    func unfinishedDevices(until time: Timestamp, limit: Int) throws -> [DeviceRecord] {
        try rows.firstAuthentic(limit) { try transaction.unfinishedDevices(until: time, limit: $0) }
    }

    func insert(_ record: ChallengeRecord) throws -> Bool {
        try transaction.insert(authenticator.authenticated(record))
    }
    func update(_ record: ChallengeRecord) throws -> Bool {
        try transaction.update(authenticator.authenticatedForUpdate(record))
    }

    func insert(_ record: APIKeyRecord) throws -> Bool { try transaction.insert(authenticator.authenticated(record)) }
    func update(_ record: APIKeyRecord) throws -> Bool {
        try transaction.update(authenticator.authenticatedForUpdate(record))
    }

    func insert(_ record: ApprovalRecord) throws -> Bool { try transaction.insert(authenticator.authenticated(record)) }
    func update(_ record: ApprovalRecord) throws -> Bool {
        try transaction.update(authenticator.authenticatedForUpdate(record))
    }
    func expiredApprovals(until time: Timestamp, limit: Int) throws -> [ApprovalRecord] {
        try rows.firstAuthentic(limit) { try transaction.expiredApprovals(until: time, limit: $0) }
    }

    func insert(_ record: AccountRiskRecord) throws -> Bool {
        try transaction.insert(authenticator.authenticated(record))
    }
    func update(_ record: AccountRiskRecord) throws -> Bool {
        try transaction.update(authenticator.authenticatedForUpdate(record))
    }

    func insert(_ record: PlatformKeyRecord) throws -> Bool {
        try transaction.insert(authenticator.authenticated(record))
    }
    func update(_ record: PlatformKeyRecord) throws -> Bool {
        try transaction.update(authenticator.authenticatedForUpdate(record))
    }
}

// The audit log and its tree.
extension AuthenticatedTransaction {
    /// Appends an entry with its origin and its id, which this method adds.
    func append(_ entry: AuditEntry) throws {
        var entry = entry.caused(by: origin)
        entry.id = random.bytes(16)
        try transaction.append(entry)
        if outbox != nil, let event = PlatformEvent(entry) { try append(EventRecord(event: event)) }
    }

    func put(_ record: AuditTreeRecord) throws { try transaction.put(record) }
    func insert(_ record: AuditCheckpointRecord) throws -> Bool { try transaction.insert(record) }
    func removePrunedAudit(through size: Int64, limit: Int) throws -> Int {
        try transaction.removePrunedAudit(through: size, limit: limit)
    }
}

// The events that wait for their delivery.
extension AuthenticatedTransaction {
    /// Records an event, whose id and HMAC this method makes. A platform that records none writes nothing.
    func append(_ record: EventRecord) throws { try outbox?.append(record.event, in: transaction, authenticator) }
    func update(_ record: EventRecord) throws -> Bool {
        try transaction.update(authenticator.authenticatedForUpdate(record))
    }
    func removeEvent(_ sequence: Int64, id: [UInt8]) throws -> Bool {
        try transaction.removeEvent(sequence, id: id)
    }
    func removeEvents(of account: String?, limit: Int) throws -> Int {
        try transaction.removeEvents(of: account, limit: limit)
    }
}

// The other writes pass unchanged.
extension AuthenticatedTransaction {
    func removeAccount(_ name: String) throws { try transaction.removeAccount(name) }
    func removeDevice(_ id: [UInt8]) throws { try transaction.removeDevice(id) }
    func put(_ record: DeviceDataRecord) throws { try transaction.put(record) }
    func removeDeviceData(of device: [UInt8]) throws { try transaction.removeDeviceData(of: device) }
    // The ids are read in order to delete the rows, which an altered row must not prevent.
    func revokedDevices(until time: Timestamp, limit: Int) throws -> [[UInt8]] {
        try transaction.revokedDevices(until: time, limit: limit)
    }

    func put(_ record: ActivationPasswordRecord) throws { try transaction.put(record) }
    func update(_ record: ActivationPasswordRecord) throws -> Bool { try transaction.update(record) }
    func spendTry(account: String, registrationID: String, limit: Int, now: Timestamp) throws -> Bool {
        try transaction.spendTry(account: account, registrationID: registrationID, limit: limit, now: now)
    }
    func returnTry(account: String, registrationID: String) throws -> Bool {
        try transaction.returnTry(account: account, registrationID: registrationID)
    }

    func insert(_ record: ActivationSessionRecord) throws -> Bool { try transaction.insert(record) }
    func update(_ record: ActivationSessionRecord) throws -> Bool { try transaction.update(record) }
    func activationSessionCount(of source: String?) throws -> Int {
        try transaction.activationSessionCount(of: source)
    }
    func removeOldestActivationSessions(of source: String?, limit: Int) throws {
        try transaction.removeOldestActivationSessions(of: source, limit: limit)
    }
    func move(_ record: CodeCounterRecord, from expected: CodeCounterRecord?) throws -> Bool {
        try transaction.move(record, from: expected)
    }
    func removeCodeCounters(of device: [UInt8]) throws { try transaction.removeCodeCounters(of: device) }

    func insert(_ record: ThrottleRecord) throws -> Bool { try transaction.insert(record) }
    func update(_ record: ThrottleRecord) throws -> Bool { try transaction.update(record) }
    func removeThrottle(_ key: ThrottleKey) throws { try transaction.removeThrottle(key) }
    func removeIdleThrottles(until time: Timestamp, limit: Int) throws -> Int {
        try transaction.removeIdleThrottles(until: time, limit: limit)
    }

    // An altered row is removed as any other.
    func removeOldestChallenges(of account: String, keeping limit: Int) throws {
        try transaction.removeOldestChallenges(of: account, keeping: limit)
    }
    func insert(_ record: ReplayRecord) throws -> Bool { try transaction.insert(record) }
    func removeRefusals(of device: [UInt8]) throws { try transaction.removeRefusals(of: device) }
    func insert(_ record: KeyStatementRecord) throws -> Bool { try transaction.insert(record) }

    func removeApproval(_ id: [UInt8]) throws { try transaction.removeApproval(id) }
    func removePolicyDecisions(of account: String, limit: Int) throws -> Int {
        try transaction.removePolicyDecisions(of: account, limit: limit)
    }
    func insert(_ record: PolicyDecisionRecord) throws -> Bool { try transaction.insert(record) }
    func insert(_ record: StreamTokenRecord) throws -> Bool { try transaction.insert(record) }
    func removeStreamToken(_ tokenHash: [UInt8]) throws -> Bool { try transaction.removeStreamToken(tokenHash) }
    func removeStreamTokens(of device: [UInt8]) throws { try transaction.removeStreamTokens(of: device) }

    func countRefusal(of account: String, hour: Timestamp) throws -> Int {
        try transaction.countRefusal(of: account, hour: hour)
    }
    func tally(_ event: AuditEvent, reason: String, hour: Timestamp) throws {
        try transaction.tally(event, reason: reason, hour: hour)
    }
    func removeExpired(now: Timestamp, limit: Int) throws -> Int {
        try transaction.removeExpired(now: now, limit: limit)
    }
}
