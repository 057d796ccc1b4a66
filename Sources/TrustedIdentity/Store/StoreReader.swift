/// One consistent state of a ``PlatformStore``, for reading.
///
/// Each method throws ``PlatformStoreError`` when the store fails. Each method names the order of its list.
public protocol StoreReader {
    /// Returns the one row about the platform itself; nil in a new store.
    func platformState() throws -> PlatformStateRecord?

    /// Returns an account.
    ///
    /// - Parameter name: `user@domain`, normalized.
    func account(_ name: String) throws -> AccountRecord?

    /// Returns accounts in the order of the UTF-8 of their names, for walks over all of them.
    ///
    /// - Parameters:
    ///   - name: The name before the first account to return; nil for the start.
    ///   - limit: The most accounts to return, 1 or more.
    func accounts(after name: String?, limit: Int) throws -> [AccountRecord]

    /// Returns the account that a subject of the audit log stands for; nil if there is none.
    ///
    /// - Parameter subject: ``AccountRecord/subject``, 16 bytes.
    func account(ofSubject subject: [UInt8]) throws -> AccountRecord?

    /// Returns the latest activation password of an account, spent and expired ones included.
    ///
    /// - Parameter account: `user@domain`, normalized.
    func activationPassword(of account: String) throws -> ActivationPasswordRecord?

    /// Returns the exchange of a session id (16 bytes).
    func activationSession(_ id: [UInt8]) throws -> ActivationSessionRecord?

    /// Returns exchanges in the order of their session ids, for walks over all of them.
    ///
    /// - Parameters:
    ///   - id: The session id before the first exchange to return; nil for the start.
    ///   - limit: The most exchanges to return, 1 or more.
    func activationSessions(after id: [UInt8]?, limit: Int) throws -> [ActivationSessionRecord]

    /// Returns the device of an id (16 bytes), revoked ones included.
    func device(_ id: [UInt8]) throws -> DeviceRecord?

    /// Returns devices in the order of their ids, revoked ones included, for walks over all of them.
    ///
    /// - Parameters:
    ///   - id: The id before the first device to return; nil for the start.
    ///   - limit: The most devices to return, 1 or more.
    func devices(after id: [UInt8]?, limit: Int) throws -> [DeviceRecord]

    /// Returns devices that were ever activated, in the order of the UTF-8 of their serial numbers, ties by id.
    ///
    /// - Parameters:
    ///   - filter: The choice of devices.
    ///   - offset: The number of chosen devices to skip, 0 or more.
    ///   - limit: The most devices to return, 1 or more.
    func activatedDevices(matching filter: DeviceFilter, offset: Int, limit: Int) throws -> [DeviceRecord]

    /// Returns the number of devices that were ever activated and that a filter selects.
    func activatedDeviceCount(matching filter: DeviceFilter) throws -> Int

    /// Returns all devices of an account, revoked ones included, the oldest first, ties by id.
    ///
    /// - Parameter account: `user@domain`, normalized.
    func devices(of account: String) throws -> [DeviceRecord]

    /// Returns the device data of a device (16 bytes); nil if there are none. Their time may be over.
    func deviceData(of device: [UInt8]) throws -> DeviceDataRecord?

    /// Returns the code counters of a device, ordered by instance, then by application.
    func codeCounters(of device: [UInt8]) throws -> [CodeCounterRecord]

    /// Returns the code counters of all devices of an account, ordered by device, then by instance, then by
    /// application.
    ///
    /// - Parameter account: `user@domain`, normalized.
    func codeCounters(ofAccount account: String) throws -> [CodeCounterRecord]

    /// Returns one count of failures.
    func throttle(_ key: ThrottleKey) throws -> ThrottleRecord?

    /// Returns all counts of failures of an account, the least recently used first, ties by kind and source.
    ///
    /// - Parameter account: `user@domain`, normalized.
    func throttles(of account: String) throws -> [ThrottleRecord]

    /// Returns the challenge of a request id (16 bytes), used and expired ones included.
    func challenge(_ id: [UInt8]) throws -> ChallengeRecord?

    /// Returns challenges in the order of their request ids, used and expired ones included, for walks over all of
    /// them.
    ///
    /// - Parameters:
    ///   - id: The request id before the first challenge to return; nil for the start.
    ///   - limit: The most challenges to return, 1 or more.
    func challenges(after id: [UInt8]?, limit: Int) throws -> [ChallengeRecord]

    /// Returns the answer to a request of a device, or its refusal.
    ///
    /// - Parameters:
    ///   - device: The device id, 16 bytes.
    ///   - request: The request id, 16 bytes.
    func replay(device: [UInt8], request: [UInt8]) throws -> ReplayRecord?

    /// Returns the number of replays of a device that are refusals, with `keptUntil > time`.
    ///
    /// - Parameters:
    ///   - device: The device id, 16 bytes.
    ///   - time: The platform's time.
    func refusalCount(of device: [UInt8], after time: Timestamp) throws -> Int

    /// Returns an approval request.
    ///
    /// - Parameter id: The id, 16 bytes.
    func approval(_ id: [UInt8]) throws -> ApprovalRecord?

    /// Returns approval requests in the order of their ids, answered and expired ones included, for walks over all of
    /// them.
    ///
    /// - Parameters:
    ///   - id: The id before the first approval request to return; nil for the start.
    ///   - limit: The most approval requests to return, 1 or more.
    func approvals(after id: [UInt8]?, limit: Int) throws -> [ApprovalRecord]

    /// Returns an approval request by what was signed.
    ///
    /// - Parameter requestHash: SHA-256 of the signed approval request, 32 bytes.
    func approval(requestHash: [UInt8]) throws -> ApprovalRecord?

    /// Returns the latest approval request with a request id, ties by id; nil if there is none.
    ///
    /// - Parameters:
    ///   - requestID: The request id, 1…256 bytes.
    ///   - principal: The id of the API key that asked; empty for code that embeds the platform.
    func approval(requestID: String, of principal: String) throws -> ApprovalRecord?

    /// Returns the approval requests of an account whose state is `pending`, expired ones included, the oldest first,
    /// ties by id.
    ///
    /// - Parameter account: `user@domain`, normalized.
    func pendingApprovals(of account: String) throws -> [ApprovalRecord]

    /// Returns the approval requests of all principals whose state is `pending`, expired ones included, and whose
    /// request id or session id is a text, in the order of their ids.
    ///
    /// - Parameters:
    ///   - name: The request id or session id, 1…256 bytes.
    ///   - limit: The most requests to return, 1 or more.
    func pendingApprovals(named name: String, limit: Int) throws -> [ApprovalRecord]

    /// Returns the risk state of an account; nil if there is none.
    ///
    /// - Parameter account: `user@domain`, normalized.
    func accountRisk(_ account: String) throws -> AccountRiskRecord?

    /// Returns the risk states of accounts in the order of the UTF-8 of their names, for walks over all of them. No
    /// account needs to have the name.
    ///
    /// - Parameters:
    ///   - name: The name before the first one to return; nil for the start.
    ///   - limit: The most risk states to return, 1 or more.
    func accountRisks(after name: String?, limit: Int) throws -> [AccountRiskRecord]

    /// Returns the record of a decision of the policy.
    ///
    /// - Parameter id: The id, 16 bytes.
    func policyDecision(_ id: [UInt8]) throws -> PolicyDecisionRecord?

    /// Returns records of decisions about an account, the latest first, ties by id in descending order.
    ///
    /// - Parameters:
    ///   - account: `user@domain`, normalized.
    ///   - limit: The most records to return, 1 or more.
    func policyDecisions(of account: String, limit: Int) throws -> [PolicyDecisionRecord]

    /// Returns the row of a stream token, expired ones included.
    ///
    /// - Parameter tokenHash: SHA-256 of the token, 32 bytes.
    func streamToken(_ tokenHash: [UInt8]) throws -> StreamTokenRecord?

    /// Returns the API key of an id, revoked ones included.
    func apiKey(_ id: String) throws -> APIKeyRecord?

    /// Returns all API keys, revoked ones included, the oldest first, ties by id.
    func apiKeys() throws -> [APIKeyRecord]

    /// Returns all keys of the platform, the oldest first, ties by id.
    func platformKeys() throws -> [PlatformKeyRecord]

    /// Returns the key statements with a higher number, in ascending order.
    ///
    /// - Parameter sequence: The number before the first statement to return; 0 for all.
    func keyStatements(after sequence: UInt64) throws -> [KeyStatementRecord]

    /// Returns entries of the audit log, the latest first. Each has the name of the account that has its subject, if
    /// there is one.
    ///
    /// - Parameters:
    ///   - account: Only entries with the subject of this account; nil for all.
    ///   - before: Only entries with a lower sequence number; nil for the latest.
    ///   - limit: The most entries to return, 1 or more.
    func auditEntries(of account: String?, before: Int64?, limit: Int) throws -> [AuditEntry]

    /// Returns entries of the audit log, the earliest first, for walks over all of them. Each has the name of the
    /// account that has its subject, if there is one.
    ///
    /// - Parameters:
    ///   - first: The lowest sequence number to return.
    ///   - limit: The most entries to return, 1 or more.
    func auditEntries(from first: Int64, limit: Int) throws -> [AuditEntry]

    /// Returns entries of the audit log without names of accounts, the earliest first, for the tree of the log. An entry
    /// with a number below 1, which only another program writes, is returned, too.
    ///
    /// - Parameters:
    ///   - first: The lowest sequence number to return.
    ///   - limit: The maximum number of entries to return, 1 or more.
    func auditRows(from first: Int64, limit: Int) throws -> [AuditEntry]

    /// Returns the row about the tree of the audit log; nil before the first entry got its place.
    func auditTree() throws -> AuditTreeRecord?

    /// Returns checkpoints of the audit log that are kept, the one with the most entries first.
    ///
    /// - Parameters:
    ///   - size: Only checkpoints of fewer entries; nil for all.
    ///   - limit: The most checkpoints to return, 1 or more.
    func auditCheckpoints(before size: Int64?, limit: Int) throws -> [AuditCheckpointRecord]

    /// Returns the tallies of events that strangers can cause, the latest hour first, ties by event and reason.
    ///
    /// - Parameter limit: The most tallies to return, 1 or more.
    func auditTallies(limit: Int) throws -> [AuditTally]

    /// Returns the event with a sequence number.
    func event(_ sequence: Int64) throws -> EventRecord?

    /// Returns events that wait for their delivery, the earliest first.
    ///
    /// - Parameters:
    ///   - sequence: The number before the first event to return; 0 for all.
    ///   - limit: The most events to return, 1 or more.
    func events(after sequence: Int64, limit: Int) throws -> [EventRecord]

    /// Returns the number of events that wait for their delivery.
    func eventCount() throws -> Int
}
