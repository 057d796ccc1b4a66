internal import Primitives

/// The one transaction that a ``MemoryPlatformStore`` runs at a time. It changes rows in place and remembers how to
/// undo each change.
final class MemoryTransaction: StoreReader {
    private(set) var tables: MemoryTables
    private var undo: [(inout MemoryTables) -> Void] = []

    init(_ tables: MemoryTables) { self.tables = tables }

    /// Undoes all changes.
    func rollBack() {
        for step in undo.reversed() { step(&tables) }
        undo = []
    }

    /// Sets one row and remembers the old one.
    func set<Value>(_ path: WritableKeyPath<MemoryTables, Value>, to value: Value) {
        let old = tables[keyPath: path]
        undo.append { $0[keyPath: path] = old }
        tables[keyPath: path] = value
    }

    /// Appends an entry to a log without copying the log.
    func appendEntry(_ entry: AuditEntry) {
        var entry = entry
        entry.subject = entry.subject ?? entry.account.flatMap { tables.accounts[$0]?.subject }
        entry.account = nil
        tables.audit.append(entry)
        undo.append { $0.audit.removeLast() }
    }

    func platformState() -> PlatformStateRecord? { tables.state }
    func account(_ name: String) -> AccountRecord? { tables.accounts[name] }

    func account(ofSubject subject: [UInt8]) -> AccountRecord? {
        tables.accountsBySubject[subject].flatMap { tables.accounts[$0] }
    }

    func accounts(after name: String?, limit: Int) -> [AccountRecord] {
        let later = tables.accounts.values.filter { account in
            name.map { $0.utf8.lexicographicallyPrecedes(account.name.utf8) } ?? true
        }
        let sorted = later.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return Array(sorted.prefix(max(0, limit)))
    }

    func activationPassword(of account: String) -> ActivationPasswordRecord? { tables.activationPasswords[account] }
    func activationSession(_ id: [UInt8]) -> ActivationSessionRecord? { tables.sessions[id] }
    func device(_ id: [UInt8]) -> DeviceRecord? { tables.devices[id] }

    func devices(after id: [UInt8]?, limit: Int) -> [DeviceRecord] {
        let later = tables.devices.values.filter { device in id?.lexicographicallyPrecedes(device.id) ?? true }
        return Array(later.sorted { $0.id.lexicographicallyPrecedes($1.id) }.prefix(max(0, limit)))
    }

    func activationSessions(after id: [UInt8]?, limit: Int) -> [ActivationSessionRecord] {
        Self.page(tables.sessions.values, key: \.id, after: id, limit: limit)
    }

    func challenges(after id: [UInt8]?, limit: Int) -> [ChallengeRecord] {
        Self.page(tables.challenges.values, key: \.id, after: id, limit: limit)
    }

    func approvals(after id: [UInt8]?, limit: Int) -> [ApprovalRecord] {
        Self.page(tables.approvals.values, key: \.id, after: id, limit: limit)
    }

    func accountRisks(after name: String?, limit: Int) -> [AccountRiskRecord] {
        Self.page(
            tables.risks.values, key: { Array($0.account.utf8) }, after: name.map { Array($0.utf8) }, limit: limit)
    }

    private static func page<Row>(
        _ rows: some Collection<Row>, key: (Row) -> [UInt8], after last: [UInt8]?, limit: Int
    ) -> [Row] {
        let later = rows.filter { last?.lexicographicallyPrecedes(key($0)) ?? true }
        return Array(later.sorted { key($0).lexicographicallyPrecedes(key($1)) }.prefix(max(0, limit)))
    }

    func activatedDevices(matching filter: DeviceFilter, offset: Int, limit: Int) -> [DeviceRecord] {
        let chosen = tables.devices.values.filter(filter.selects)
        let sorted = chosen.sorted {
            $0.serialNumber == $1.serialNumber
                ? $0.id.lexicographicallyPrecedes($1.id)
                : $0.serialNumber.utf8.lexicographicallyPrecedes($1.serialNumber.utf8)
        }
        return Array(sorted.dropFirst(max(0, offset)).prefix(max(0, limit)))
    }

    func activatedDeviceCount(matching filter: DeviceFilter) -> Int {
        tables.devices.values.count(where: filter.selects)
    }

    func devices(of account: String) -> [DeviceRecord] {
        (tables.devicesOfAccount[account] ?? []).compactMap { tables.devices[$0] }.sorted {
            $0.createdAt == $1.createdAt ? $0.id.lexicographicallyPrecedes($1.id) : $0.createdAt < $1.createdAt
        }
    }

    func codeCounters(of device: [UInt8]) -> [CodeCounterRecord] {
        (tables.counters[device] ?? [:]).values.sorted {
            ($0.instance.rawValue, $0.application) < ($1.instance.rawValue, $1.application)
        }
    }

    func codeCounters(ofAccount account: String) -> [CodeCounterRecord] {
        let devices = (tables.devicesOfAccount[account] ?? []).sorted { $0.lexicographicallyPrecedes($1) }
        return devices.flatMap { codeCounters(of: $0) }
    }

    func throttle(_ key: ThrottleKey) -> ThrottleRecord? { tables.throttles[key.account]?[key] }

    func throttles(of account: String) -> [ThrottleRecord] {
        (tables.throttles[account] ?? [:]).values.sorted {
            ($0.usedAt, $0.key.kind.rawValue, $0.key.source) < ($1.usedAt, $1.key.kind.rawValue, $1.key.source)
        }
    }

    func challenge(_ id: [UInt8]) -> ChallengeRecord? { tables.challenges[id] }

    func replay(device: [UInt8], request: [UInt8]) -> ReplayRecord? {
        tables.replays[.init(device: device, request: request)]
    }

    func refusalCount(of device: [UInt8], after time: Timestamp) -> Int {
        tables.refusals[device]?.values.count { $0 > time } ?? 0
    }

    func approval(_ id: [UInt8]) -> ApprovalRecord? { tables.approvals[id] }

    func approval(requestHash: [UInt8]) -> ApprovalRecord? {
        tables.approvals.values.first { $0.requestHash == requestHash }
    }

    func approval(requestID: String, of principal: String) -> ApprovalRecord? {
        let named = tables.approvals.values.filter { $0.requestID == requestID && $0.principal == principal }
        return named.max(by: Self.isEarlier)
    }

    func pendingApprovals(of account: String) -> [ApprovalRecord] {
        let pending = tables.approvals.values.filter { $0.account == account && $0.state == .pending }
        return pending.sorted(by: Self.isEarlier)
    }

    func pendingApprovals(named name: String, limit: Int) -> [ApprovalRecord] {
        let named = tables.approvals.values.filter {
            $0.state == .pending && ($0.requestID == name || $0.sessionID == name)
        }
        return Array(named.sorted { $0.id.lexicographicallyPrecedes($1.id) }.prefix(max(0, limit)))
    }

    private static func isEarlier(_ a: ApprovalRecord, _ b: ApprovalRecord) -> Bool {
        a.createdAt == b.createdAt ? a.id.lexicographicallyPrecedes(b.id) : a.createdAt < b.createdAt
    }

    func deviceData(of device: [UInt8]) -> DeviceDataRecord? { tables.deviceData[device] }
    func accountRisk(_ account: String) -> AccountRiskRecord? { tables.risks[account] }
    func policyDecision(_ id: [UInt8]) -> PolicyDecisionRecord? { tables.policyDecisions[id] }

    func policyDecisions(of account: String, limit: Int) -> [PolicyDecisionRecord] {
        let sorted = tables.policyDecisions.values.filter { $0.account == account }.sorted {
            $0.createdAt == $1.createdAt ? $1.id.lexicographicallyPrecedes($0.id) : $1.createdAt < $0.createdAt
        }
        return Array(sorted.prefix(max(0, limit)))
    }

    func streamToken(_ tokenHash: [UInt8]) -> StreamTokenRecord? { tables.streamTokens[tokenHash] }

    func apiKey(_ id: String) -> APIKeyRecord? { tables.apiKeys[id] }

    func apiKeys() -> [APIKeyRecord] {
        tables.apiKeys.values.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    func platformKeys() -> [PlatformKeyRecord] {
        tables.platformKeys.values.sorted {
            $0.createdAt == $1.createdAt ? $0.id.lexicographicallyPrecedes($1.id) : $0.createdAt < $1.createdAt
        }
    }

    func keyStatements(after sequence: UInt64) -> [KeyStatementRecord] {
        tables.keyStatements.values.filter { $0.sequence > sequence }.sorted { $0.sequence < $1.sequence }
    }

    func event(_ sequence: Int64) -> EventRecord? { tables.events[sequence] }

    func events(after sequence: Int64, limit: Int) -> [EventRecord] {
        let later = tables.events.values.filter { $0.sequence > sequence }
        return Array(later.sorted { $0.sequence < $1.sequence }.prefix(max(0, limit)))
    }

    func eventCount() -> Int { tables.events.count }

    func auditTallies(limit: Int) -> [AuditTally] {
        let all = tables.tallies.map { key, count in
            AuditTally(hour: key.hour, event: key.event, reason: key.reason, count: count)
        }
        let sorted = all.sorted {
            ($1.hour, $0.event.rawValue, $0.reason) < ($0.hour, $1.event.rawValue, $1.reason)
        }
        return Array(sorted.prefix(max(0, limit)))
    }

    func auditEntries(from first: Int64, limit: Int) -> [AuditEntry] {
        tables.audit.entries[tables.audit.position(of: first)...].prefix(max(0, limit)).map(named)
    }

    func auditRows(from first: Int64, limit: Int) -> [AuditEntry] {
        Array(tables.audit.entries[tables.audit.position(of: first)...].prefix(max(0, limit)))
    }

    func auditTree() -> AuditTreeRecord? { tables.auditTree }

    func auditCheckpoints(before size: Int64?, limit: Int) -> [AuditCheckpointRecord] {
        let earlier = tables.auditCheckpoints.values.filter { $0.size < size ?? .max }
        return Array(earlier.sorted { $0.size > $1.size }.prefix(max(0, limit)))
    }

    func auditEntries(of account: String?, before: Int64?, limit: Int) -> [AuditEntry] {
        let subject = account.flatMap { tables.accounts[$0]?.subject }
        guard account == nil || subject != nil else { return [] }
        let end = before.map(tables.audit.position) ?? tables.audit.entries.count
        let entries = tables.audit.entries[..<end].reversed().lazy.filter { account == nil || $0.subject == subject }
        return entries.prefix(max(0, limit)).map(named)
    }

    /// Returns an entry with the name of the account that has its subject.
    private func named(_ entry: AuditEntry) -> AuditEntry {
        var entry = entry
        entry.account = entry.subject.flatMap { tables.accountsBySubject[$0] }
        return entry
    }
}
