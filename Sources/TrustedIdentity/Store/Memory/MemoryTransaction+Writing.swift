internal import Primitives

extension MemoryTransaction: StoreTransaction {
    func insert(_ record: PlatformStateRecord) -> Bool { insert(record, at: \.state) }

    func update(_ record: PlatformStateRecord) -> Bool { compareAndSet(record, at: \.state) }

    func insert(_ record: AccountRecord) -> Bool {
        guard insert(record, at: \.accounts[record.name]) else { return false }
        if let subject = record.subject { set(\.accountsBySubject[subject], to: record.name) }
        return true
    }

    func update(_ record: AccountRecord) -> Bool {
        let earlier = tables.accounts[record.name]?.subject
        guard compareAndSet(record, at: \.accounts[record.name]) else { return false }
        if earlier != record.subject {
            if let earlier { set(\.accountsBySubject[earlier], to: nil) }
            if let subject = record.subject { set(\.accountsBySubject[subject], to: record.name) }
        }
        return true
    }

    func removeAccount(_ name: String) {
        if let subject = tables.accounts[name]?.subject { set(\.accountsBySubject[subject], to: nil) }
        set(\.refusalCounts[name], to: nil)
        set(\.accounts[name], to: nil)
        set(\.activationPasswords[name], to: nil)
        set(\.throttles[name], to: nil)
        set(\.risks[name], to: nil)
        removeOldestChallenges(of: name, keeping: 0)
    }

    func put(_ record: ActivationPasswordRecord) { set(\.activationPasswords[record.account], to: record) }

    func update(_ record: ActivationPasswordRecord) -> Bool {
        compareAndSet(record, at: \.activationPasswords[record.account])
    }

    func spendTry(account: String, registrationID: String, limit: Int, now: Timestamp) -> Bool {
        guard var password = tables.activationPasswords[account], password.registrationID == registrationID,
            password.spentAt == nil,
            password.expiresAt > now, password.tries < limit
        else { return false }
        password.tries += 1
        return update(password)
    }

    func returnTry(account: String, registrationID: String) -> Bool {
        guard var password = tables.activationPasswords[account], password.registrationID == registrationID,
            password.tries > 0
        else {
            return false
        }
        password.tries -= 1
        return update(password)
    }

    func insert(_ record: ActivationSessionRecord) -> Bool {
        insert(record, at: \.sessions[record.id])
    }

    func update(_ record: ActivationSessionRecord) -> Bool {
        compareAndSet(record, at: \.sessions[record.id])
    }

    func insert(_ record: DeviceRecord) -> Bool {
        guard insert(record, at: \.devices[record.id]) else { return false }
        set(\.[owner: record.account, device: record.id], to: true)
        return true
    }

    func update(_ record: DeviceRecord) -> Bool { compareAndSet(record, at: \.devices[record.id]) }

    func removeDevice(_ id: [UInt8]) {
        removeDeviceData(of: id)
        guard let device = tables.devices[id] else { return }
        set(\.devices[id], to: nil)
        set(\.[owner: device.account, device: id], to: false)
        set(\.counters[id], to: nil)
    }

    func move(_ record: CodeCounterRecord, from expected: CodeCounterRecord?) -> Bool {
        let key = MemoryTables.CounterKey(
            device: record.device, instance: record.instance, application: record.application)
        guard tables[counter: key] == expected else { return false }
        set(\.[counter: key], to: record)
        return true
    }

    func removeCodeCounters(of device: [UInt8]) { set(\.counters[device], to: nil) }

    func insert(_ record: ThrottleRecord) -> Bool {
        insert(record, at: \.[throttle: record.key])
    }

    func update(_ record: ThrottleRecord) -> Bool {
        compareAndSet(record, at: \.[throttle: record.key])
    }

    func removeThrottle(_ key: ThrottleKey) { set(\.[throttle: key], to: nil) }

    func removeIdleThrottles(until time: Timestamp, limit: Int) -> Int {
        let idle = tables.throttles.values.lazy.flatMap(\.values).filter { $0.isIdleSource && $0.usedAt <= time }
        let keys = Array(idle.prefix(max(0, limit)).map(\.key))
        for key in keys { removeThrottle(key) }
        return keys.count
    }

    func insert(_ record: ChallengeRecord) -> Bool { insert(record, at: \.challenges[record.id]) }

    func update(_ record: ChallengeRecord) -> Bool { compareAndSet(record, at: \.challenges[record.id]) }

    func removeOldestChallenges(of account: String, keeping limit: Int) {
        let latest = tables.challenges.values.filter { $0.account == account }.sorted { a, b in
            a.expiresAt == b.expiresAt ? a.id.lexicographicallyPrecedes(b.id) : b.expiresAt < a.expiresAt
        }
        for challenge in latest.dropFirst(max(0, limit)) { set(\.challenges[challenge.id], to: nil) }
    }

    func insert(_ record: ReplayRecord) -> Bool {
        let key = MemoryTables.ReplayKey(device: record.device, request: record.request)
        guard insert(record, at: \.replays[key]) else { return false }
        if record.refusal != nil { set(\.[refusal: key], to: record.keptUntil) }
        return true
    }

    func removeRefusals(of device: [UInt8]) {
        for request in (tables.refusals[device] ?? [:]).keys { removeReplay(.init(device: device, request: request)) }
    }

    private func removeReplay(_ key: MemoryTables.ReplayKey) {
        set(\.replays[key], to: nil)
        if tables[refusal: key] != nil { set(\.[refusal: key], to: nil) }
    }

    func insert(_ record: ApprovalRecord) -> Bool { insert(record, at: \.approvals[record.id]) }

    func update(_ record: ApprovalRecord) -> Bool { compareAndSet(record, at: \.approvals[record.id]) }

    func removeApproval(_ id: [UInt8]) { set(\.approvals[id], to: nil) }

    func removePolicyDecisions(of account: String, limit: Int) -> Int {
        let decisions = policyDecisions(of: account, limit: limit)
        for decision in decisions { set(\.policyDecisions[decision.id], to: nil) }
        return decisions.count
    }

    func append(_ record: EventRecord) {
        var record = record
        record.sequence = tables.lastEvent + 1
        set(\.lastEvent, to: record.sequence)
        set(\.events[record.sequence], to: record)
    }

    func update(_ record: EventRecord) -> Bool { compareAndSet(record, at: \.events[record.sequence]) }

    func removeEvent(_ sequence: Int64, id: [UInt8]) -> Bool {
        guard tables.events[sequence]?.event.id == id else { return false }
        set(\.events[sequence], to: nil)
        return true
    }

    func removeEvents(of account: String?, limit: Int) -> Int {
        let chosen = events(after: 0, limit: .max).filter { account == nil || $0.event.account == account }
        for record in chosen.prefix(max(0, limit)) { set(\.events[record.sequence], to: nil) }
        return min(chosen.count, max(0, limit))
    }

    func put(_ record: DeviceDataRecord) { set(\.deviceData[record.device], to: record) }

    func removeDeviceData(of device: [UInt8]) {
        if tables.deviceData[device] != nil { set(\.deviceData[device], to: nil) }
    }

    func insert(_ record: AccountRiskRecord) -> Bool { insert(record, at: \.risks[record.account]) }

    func update(_ record: AccountRiskRecord) -> Bool { compareAndSet(record, at: \.risks[record.account]) }

    func insert(_ record: PolicyDecisionRecord) -> Bool { insert(record, at: \.policyDecisions[record.id]) }

    func insert(_ record: StreamTokenRecord) -> Bool { insert(record, at: \.streamTokens[record.tokenHash]) }

    func removeStreamToken(_ tokenHash: [UInt8]) -> Bool {
        guard tables.streamTokens[tokenHash] != nil else { return false }
        set(\.streamTokens[tokenHash], to: nil)
        return true
    }

    func removeStreamTokens(of device: [UInt8]) {
        for token in tables.streamTokens.values where token.device == device {
            set(\.streamTokens[token.tokenHash], to: nil)
        }
    }

    func insert(_ record: APIKeyRecord) -> Bool { insert(record, at: \.apiKeys[record.id]) }

    func update(_ record: APIKeyRecord) -> Bool { compareAndSet(record, at: \.apiKeys[record.id]) }

    func insert(_ record: PlatformKeyRecord) -> Bool { insert(record, at: \.platformKeys[record.id]) }

    func update(_ record: PlatformKeyRecord) -> Bool { compareAndSet(record, at: \.platformKeys[record.id]) }

    func insert(_ record: KeyStatementRecord) -> Bool { insert(record, at: \.keyStatements[record.sequence]) }

    func append(_ entry: AuditEntry) { appendEntry(entry) }

    func put(_ record: AuditTreeRecord) { set(\.auditTree, to: record) }

    func insert(_ record: AuditCheckpointRecord) -> Bool { insert(record, at: \.auditCheckpoints[record.size]) }

    func removePrunedAudit(through size: Int64, limit: Int) throws -> Int {
        let count = min(tables.audit.position(of: size + 1), max(0, limit))
        guard count == 0 || size <= tables.state?.prunedAudit?.size ?? 0 else { throw PlatformStoreError(.other) }
        var log = tables.audit
        log.removeFirst(count)
        set(\.audit, to: log)
        return count
    }

    func countRefusal(of account: String, hour: Timestamp) -> Int {
        let earlier = tables.refusalCounts[account]
        let count = earlier?.hour == hour ? (earlier?.count ?? 0) + 1 : 1
        set(\.refusalCounts[account], to: .init(hour: hour, count: count))
        return count
    }

    func tally(_ event: AuditEvent, reason: String, hour: Timestamp) {
        let key = MemoryTables.TallyKey(hour: hour, event: event, reason: reason)
        set(\.tallies[key], to: (tables.tallies[key] ?? 0) + 1)
    }

    private func insert<Row>(_ row: Row, at path: WritableKeyPath<MemoryTables, Row?>) -> Bool {
        guard tables[keyPath: path] == nil else { return false }
        set(path, to: row)
        return true
    }

    /// Replaces a row if its version still is the record's, and counts the version up.
    ///
    /// - Returns: Whether it was.
    private func compareAndSet<Row: VersionedRecord>(
        _ row: Row, at path: WritableKeyPath<MemoryTables, Row?>
    ) -> Bool {
        guard tables[keyPath: path]?.version == row.version else { return false }
        var row = row
        row.version += 1
        set(path, to: row)
        return true
    }
}

// Rows that expire, and rows that give way to others.
extension MemoryTransaction {
    func removeExpired(now: Timestamp, limit: Int) -> Int {
        let limit = max(0, limit)
        let sessions = Array(tables.sessions.values.lazy.filter { $0.keptUntil <= now }.prefix(limit))
        let replays = Array(tables.replays.lazy.filter { $0.value.keptUntil <= now }.prefix(limit).map(\.key))
        let approvals = Array(tables.approvals.lazy.filter { $0.value.keptUntil <= now }.prefix(limit).map(\.key))
        let decisions = Array(
            tables.policyDecisions.lazy.filter { $0.value.keptUntil <= now }.prefix(limit).map(\.key))
        let tokens = Array(tables.streamTokens.lazy.filter { $0.value.expiresAt <= now }.prefix(limit).map(\.key))
        let data = Array(tables.deviceData.lazy.filter { $0.value.keptUntil <= now }.prefix(limit).map(\.key))
        let challenges = Array(tables.challenges.lazy.filter { $0.value.expiresAt <= now }.prefix(limit).map(\.key))
        for session in sessions { set(\.sessions[session.id], to: nil) }
        for key in replays { removeReplay(key) }
        for id in approvals { set(\.approvals[id], to: nil) }
        for id in decisions { set(\.policyDecisions[id], to: nil) }
        for hash in tokens { set(\.streamTokens[hash], to: nil) }
        for device in data { set(\.deviceData[device], to: nil) }
        for id in challenges { set(\.challenges[id], to: nil) }
        let closed = Array(
            tables.sessions.values.lazy.filter { $0.keys != nil && $0.expiresAt <= now }.prefix(limit))
        let passwords = Array(
            tables.activationPasswords.values.lazy.filter { $0.secret != nil && $0.expiresAt <= now }.prefix(limit))
        for var session in closed {
            session.keys = nil
            _ = update(session)
        }
        for var password in passwords {
            password.secret = nil
            _ = update(password)
        }
        return sessions.count + replays.count + closed.count + passwords.count + approvals.count + decisions.count
            + tokens.count + challenges.count + data.count
    }

    func expiredApprovals(until time: Timestamp, limit: Int) -> [ApprovalRecord] {
        let late = tables.approvals.values.filter { $0.state == .pending && $0.expiresAt <= time }
        return Array(late.sorted { $0.expiresAt < $1.expiresAt }.prefix(max(0, limit)))
    }

    func unfinishedDevices(until time: Timestamp, limit: Int) -> [DeviceRecord] {
        let late = tables.devices.values.filter { $0.isUnfinished && $0.pendingUntil <= time }
        return Array(late.sorted { $0.pendingUntil < $1.pendingUntil }.prefix(max(0, limit)))
    }

    func revokedDevices(until time: Timestamp, limit: Int) -> [[UInt8]] {
        let old = tables.devices.values.compactMap { device in
            device.state == .revoked ? device.revokedAt.map { (at: $0, device.id) } : nil
        }
        return Array(old.filter { $0.at <= time }.sorted { $0.at < $1.at }.prefix(max(0, limit)).map(\.1))
    }

    func activationSessionCount(of source: String?) -> Int {
        source.map { source in tables.sessions.values.count { $0.source == source } } ?? tables.sessions.count
    }

    func removeOldestActivationSessions(of source: String?, limit: Int) {
        let oldest = tables.sessions.values.filter { source == nil || $0.source == source }
            .sorted { $0.expiresAt < $1.expiresAt }
        for session in oldest.prefix(max(0, limit)) { set(\.sessions[session.id], to: nil) }
    }
}
