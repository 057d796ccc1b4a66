internal import Primitives

/// Reads that verify the HMAC of accounts, devices, challenges, API keys, approval requests, risk states of accounts,
/// events, keys of the platform and of the row about the platform.
///
/// A single row that fails is an error. In a list it is left out. Both are logged.
protocol AuthenticatingReader: StoreReader {
    /// The reader below.
    var reader: any StoreReader { get }
    var rows: RowCheck { get }
}

/// One consistent state of the store.
struct AuthenticatedReader: AuthenticatingReader {
    let base: any StoreReader
    let rows: RowCheck

    var reader: any StoreReader { base }
}

extension AuthenticatingReader {
    func platformState() throws -> PlatformStateRecord? { try rows.verified(reader.platformState()) }
    func account(_ name: String) throws -> AccountRecord? { try rows.verified(reader.account(name)) }

    func account(ofSubject subject: [UInt8]) throws -> AccountRecord? {
        try rows.verified(reader.account(ofSubject: subject))
    }

    func accounts(after name: String?, limit: Int) throws -> [AccountRecord] {
        try page(after: name, key: \.name) { try reader.accounts(after: $0, limit: limit) }
    }

    func device(_ id: [UInt8]) throws -> DeviceRecord? { try rows.verified(reader.device(id)) }

    func devices(after id: [UInt8]?, limit: Int) throws -> [DeviceRecord] {
        try page(after: id, key: \.id) { try reader.devices(after: $0, limit: limit) }
    }

    func activatedDevices(matching filter: DeviceFilter, offset: Int, limit: Int) throws -> [DeviceRecord] {
        rows.authentic(try reader.activatedDevices(matching: filter, offset: offset, limit: limit))
    }

    func devices(of account: String) throws -> [DeviceRecord] {
        rows.authentic(try reader.devices(of: account))
    }

    func challenge(_ id: [UInt8]) throws -> ChallengeRecord? { try rows.verified(reader.challenge(id)) }

    func challenges(after id: [UInt8]?, limit: Int) throws -> [ChallengeRecord] {
        try page(after: id, key: \.id) { try reader.challenges(after: $0, limit: limit) }
    }

    func apiKey(_ id: String) throws -> APIKeyRecord? { try rows.verified(reader.apiKey(id)) }
    func apiKeys() throws -> [APIKeyRecord] { rows.authentic(try reader.apiKeys()) }

    func approval(_ id: [UInt8]) throws -> ApprovalRecord? { try rows.verified(reader.approval(id)) }

    func approvals(after id: [UInt8]?, limit: Int) throws -> [ApprovalRecord] {
        try page(after: id, key: \.id) { try reader.approvals(after: $0, limit: limit) }
    }

    func approval(requestHash: [UInt8]) throws -> ApprovalRecord? {
        try rows.verified(reader.approval(requestHash: requestHash))
    }

    func approval(requestID: String, of principal: String) throws -> ApprovalRecord? {
        try rows.verified(reader.approval(requestID: requestID, of: principal))
    }

    func pendingApprovals(of account: String) throws -> [ApprovalRecord] {
        rows.authentic(try reader.pendingApprovals(of: account))
    }

    func pendingApprovals(named name: String, limit: Int) throws -> [ApprovalRecord] {
        rows.authentic(try reader.pendingApprovals(named: name, limit: limit))
    }

    func accountRisk(_ account: String) throws -> AccountRiskRecord? {
        try rows.verified(reader.accountRisk(account))
    }

    func accountRisks(after name: String?, limit: Int) throws -> [AccountRiskRecord] {
        try page(after: name, key: \.account) { try reader.accountRisks(after: $0, limit: limit) }
    }

    func event(_ sequence: Int64) throws -> EventRecord? { try rows.verified(reader.event(sequence)) }

    func events(after sequence: Int64, limit: Int) throws -> [EventRecord] {
        try page(after: sequence, key: \.sequence) { try reader.events(after: $0 ?? 0, limit: limit) }
    }

    func platformKeys() throws -> [PlatformKeyRecord] {
        // Without one of its keys the platform would go on with others: an altered row ends the read.
        try reader.platformKeys().compactMap { try rows.verified($0) }
    }

    /// Returns the next page that is not empty: an empty one would end a walk over all rows.
    private func page<Row: AuthenticatedRecord, Key>(
        after key: Key?, key path: KeyPath<Row, Key>, _ read: (Key?) throws -> [Row]
    ) throws -> [Row] {
        var last = key
        while true {
            let rows = try read(last)
            let authentic = self.rows.authentic(rows)
            guard authentic.isEmpty, let next = rows.last else { return authentic }
            last = next[keyPath: path]
        }
    }
}

// The other rows pass unchanged.
extension AuthenticatingReader {
    func keyStatements(after sequence: UInt64) throws -> [KeyStatementRecord] {
        try reader.keyStatements(after: sequence)
    }
    func activatedDeviceCount(matching filter: DeviceFilter) throws -> Int {
        try reader.activatedDeviceCount(matching: filter)
    }
    func activationPassword(of account: String) throws -> ActivationPasswordRecord? {
        try reader.activationPassword(of: account)
    }
    func activationSession(_ id: [UInt8]) throws -> ActivationSessionRecord? { try reader.activationSession(id) }
    func activationSessions(after id: [UInt8]?, limit: Int) throws -> [ActivationSessionRecord] {
        try reader.activationSessions(after: id, limit: limit)
    }
    func deviceData(of device: [UInt8]) throws -> DeviceDataRecord? { try reader.deviceData(of: device) }
    func codeCounters(of device: [UInt8]) throws -> [CodeCounterRecord] { try reader.codeCounters(of: device) }
    func codeCounters(ofAccount account: String) throws -> [CodeCounterRecord] {
        try reader.codeCounters(ofAccount: account)
    }
    func throttle(_ key: ThrottleKey) throws -> ThrottleRecord? { try reader.throttle(key) }
    func throttles(of account: String) throws -> [ThrottleRecord] { try reader.throttles(of: account) }
    func replay(device: [UInt8], request: [UInt8]) throws -> ReplayRecord? {
        try reader.replay(device: device, request: request)
    }
    func refusalCount(of device: [UInt8], after time: Timestamp) throws -> Int {
        try reader.refusalCount(of: device, after: time)
    }
    func policyDecision(_ id: [UInt8]) throws -> PolicyDecisionRecord? { try reader.policyDecision(id) }
    func policyDecisions(of account: String, limit: Int) throws -> [PolicyDecisionRecord] {
        try reader.policyDecisions(of: account, limit: limit)
    }
    func streamToken(_ tokenHash: [UInt8]) throws -> StreamTokenRecord? { try reader.streamToken(tokenHash) }
    func auditEntries(of account: String?, before: Int64?, limit: Int) throws -> [AuditEntry] {
        try reader.auditEntries(of: account, before: before, limit: limit)
    }
    func auditEntries(from first: Int64, limit: Int) throws -> [AuditEntry] {
        try reader.auditEntries(from: first, limit: limit)
    }
    func auditRows(from first: Int64, limit: Int) throws -> [AuditEntry] {
        try reader.auditRows(from: first, limit: limit)
    }
    // The tree and a checkpoint have a signature.
    func auditTree() throws -> AuditTreeRecord? { try reader.auditTree() }
    func auditCheckpoints(before size: Int64?, limit: Int) throws -> [AuditCheckpointRecord] {
        try reader.auditCheckpoints(before: size, limit: limit)
    }
    func auditTallies(limit: Int) throws -> [AuditTally] { try reader.auditTallies(limit: limit) }
    func eventCount() throws -> Int { try reader.eventCount() }
}
