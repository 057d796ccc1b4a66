public import Primitives

/// A transaction of a ``PlatformStore``: reads, and writes that take effect together.
///
/// There are three forms of write, each of them one statement:
/// - `insert` stores a new row. It returns false and changes nothing when there is a row with its key.
/// - `update` is the compare-and-set of a ``VersionedRecord``: it replaces the row with the same key **if and only if**
///   the stored `version` still equals the record's `version`, and stores the record with `version + 1`. It returns
///   false and changes nothing when the row is gone or has another version. Code that decided on a row that changed
///   meanwhile has to decide again.
/// - `remove` deletes a row. A row that does not exist is no error.
///
/// A transaction sees its own writes.
public protocol StoreTransaction: StoreReader {
    /// Stores the row about the platform. Returns false if there is one.
    func insert(_ record: PlatformStateRecord) throws -> Bool
    /// Replaces the row about the platform by compare-and-set.
    func update(_ record: PlatformStateRecord) throws -> Bool

    /// Stores an account. Returns false if the name is taken.
    func insert(_ record: AccountRecord) throws -> Bool
    /// Replaces an account by compare-and-set.
    func update(_ record: AccountRecord) throws -> Bool
    /// Deletes an account with its activation password, its challenges, its counts of failures and of
    /// entries, and its risk state. Its devices, approval requests and records of decisions stay.
    func removeAccount(_ name: String) throws

    /// Stores the activation password of an account, in the place of an earlier one.
    func put(_ record: ActivationPasswordRecord) throws
    /// Replaces an activation password by compare-and-set.
    func update(_ record: ActivationPasswordRecord) throws -> Bool
    /// Spends one try: `tries + 1` if and only if the activation password of the account still is that of the
    /// registration, is not spent, expires after `now`, and has fewer than `limit` tries. Its version is counted up
    /// too. Otherwise returns false and changes nothing.
    func spendTry(account: String, registrationID: String, limit: Int, now: Timestamp) throws -> Bool
    /// Returns one try: `tries - 1` if and only if the activation password of the account still is that of the
    /// registration and has a try to return. Its version is counted up too. Whether it expired does not matter.
    /// Otherwise returns false.
    func returnTry(account: String, registrationID: String) throws -> Bool

    /// Stores an exchange. Returns false if the session id is known.
    func insert(_ record: ActivationSessionRecord) throws -> Bool
    /// Replaces an exchange by compare-and-set.
    func update(_ record: ActivationSessionRecord) throws -> Bool

    /// Stores a device. Returns false if the id is taken.
    func insert(_ record: DeviceRecord) throws -> Bool
    /// Replaces a device by compare-and-set.
    func update(_ record: DeviceRecord) throws -> Bool
    /// Deletes a device, its code counters and its device data.
    func removeDevice(_ id: [UInt8]) throws

    /// Stores the device data of a device, in the place of earlier ones.
    func put(_ record: DeviceDataRecord) throws
    /// Deletes the device data of a device.
    func removeDeviceData(of device: [UInt8]) throws

    /// Moves a code counter: stores `record` if and only if the stored counter of its device, instance and application
    /// equals `expected` in every field (nil: there is none). Otherwise returns false and changes nothing. This
    /// statement is what makes a code single-use.
    func move(_ record: CodeCounterRecord, from expected: CodeCounterRecord?) throws -> Bool
    /// Deletes the code counters of a device.
    func removeCodeCounters(of device: [UInt8]) throws

    /// Stores a count of failures. Returns false if there is one with its key.
    func insert(_ record: ThrottleRecord) throws -> Bool
    /// Replaces a count of failures by compare-and-set.
    func update(_ record: ThrottleRecord) throws -> Bool
    /// Deletes a count of failures.
    func removeThrottle(_ key: ThrottleKey) throws
    /// Deletes counts of failures of sources that are idle: `usedAt <= time`, without a failure, a level, a block, or an
    /// unreported failure. They only remember a source. The common count of a kind, and the one over all sources, stay
    /// while their account exists.
    ///
    /// - Parameters:
    ///   - time: The latest `usedAt`.
    ///   - limit: The most counts to delete.
    /// - Returns: The number of counts that were deleted.
    func removeIdleThrottles(until time: Timestamp, limit: Int) throws -> Int

    /// Stores a challenge. Returns false if the request id is taken.
    func insert(_ record: ChallengeRecord) throws -> Bool
    /// Replaces a challenge by compare-and-set. This statement is what makes a challenge single-use.
    func update(_ record: ChallengeRecord) throws -> Bool
    /// Deletes the challenges of an account but those with the latest `expiresAt`, ties by id.
    ///
    /// - Parameters:
    ///   - account: ``ChallengeRecord/account``.
    ///   - limit: The number of challenges that stay.
    func removeOldestChallenges(of account: String, keeping limit: Int) throws

    /// Stores the answer to a request of a device, or its refusal. Returns false if the request id of that device is
    /// known.
    func insert(_ record: ReplayRecord) throws -> Bool
    /// Deletes the replays of a device that are refusals.
    func removeRefusals(of device: [UInt8]) throws

    /// Stores an approval request. Returns false if the id is taken. Two requests never have one hash, because the id
    /// is part of what is signed.
    func insert(_ record: ApprovalRecord) throws -> Bool
    /// Replaces an approval request by compare-and-set. This statement is what makes one answer count.
    func update(_ record: ApprovalRecord) throws -> Bool
    /// Deletes an approval request.
    func removeApproval(_ id: [UInt8]) throws
    /// Returns the approval requests with the state `pending` and `expiresAt <= time`, the earliest first.
    ///
    /// - Parameters:
    ///   - time: The latest `expiresAt`.
    ///   - limit: The most requests to return.
    func expiredApprovals(until time: Timestamp, limit: Int) throws -> [ApprovalRecord]

    /// Stores the risk state of an account. Returns false if there is a row of the account.
    func insert(_ record: AccountRiskRecord) throws -> Bool
    /// Replaces the risk state of an account by compare-and-set.
    func update(_ record: AccountRiskRecord) throws -> Bool

    /// Stores the record of a decision. Returns false if the id is taken.
    func insert(_ record: PolicyDecisionRecord) throws -> Bool

    /// Deletes records of decisions about an account.
    ///
    /// - Parameters:
    ///   - account: `user@domain`, normalized.
    ///   - limit: The most records to delete.
    /// - Returns: The number of records that were deleted.
    func removePolicyDecisions(of account: String, limit: Int) throws -> Int

    /// Stores a stream token. Returns false if there is a row with its hash.
    func insert(_ record: StreamTokenRecord) throws -> Bool
    /// Deletes a stream token. Returns whether there was one: this statement is what makes a token single-use.
    func removeStreamToken(_ tokenHash: [UInt8]) throws -> Bool
    /// Deletes the stream tokens of a device.
    func removeStreamTokens(of device: [UInt8]) throws

    /// Stores an API key. Returns false if the id is taken.
    func insert(_ record: APIKeyRecord) throws -> Bool
    /// Replaces an API key by compare-and-set.
    func update(_ record: APIKeyRecord) throws -> Bool

    /// Stores a key of the platform. Returns false if the id is taken.
    func insert(_ record: PlatformKeyRecord) throws -> Bool
    /// Replaces a key of the platform by compare-and-set.
    func update(_ record: PlatformKeyRecord) throws -> Bool
    /// Stores a key statement. Returns false if there is one with its number.
    func insert(_ record: KeyStatementRecord) throws -> Bool

    /// Appends an entry to the audit log.
    ///
    /// The store does not keep the name of the account. It keeps the entry's subject; without one, the subject of the
    /// account that the entry names, which the same statement reads.
    ///
    /// - Parameter entry: The entry. The store gives it the next number, from 1, and ignores the entry's own one.
    func append(_ entry: AuditEntry) throws

    /// Stores the row about the tree of the audit log, which replaces the previous one.
    func put(_ record: AuditTreeRecord) throws

    /// Deletes entries of the pruned part of the audit log, the earliest first. A store refuses the
    /// deletion of every other entry, whatever the caller asks for.
    ///
    /// - Parameters:
    ///   - size: The size of the pruned part, as the row about the platform has it:
    ///     ``PlatformStateRecord/prunedAudit``.
    ///   - limit: The most entries to delete.
    /// - Returns: The number of entries that were deleted. Entries with a number below 1 stay.
    /// - Throws: ``PlatformStoreError`` when an entry is not pruned; then nothing is deleted.
    func removePrunedAudit(through size: Int64, limit: Int) throws -> Int

    /// Stores a checkpoint of the audit log. Returns false if there is one of this number of entries.
    func insert(_ record: AuditCheckpointRecord) throws -> Bool

    /// Adds one to the tally of an hour, an event and a reason. The first call creates it.
    func tally(_ event: AuditEvent, reason: String, hour: Timestamp) throws

    /// Adds one to the number of refusals of an account in an hour, and returns it. In another hour than that of the last
    /// call it begins at 1. There is one row for each name, and no account needs to have the name. The row of an account
    /// stays until the account is removed.
    ///
    /// - Parameters:
    ///   - account: `user@domain`, normalized, or another name.
    ///   - hour: The beginning of the hour.
    func countRefusal(of account: String, hour: Timestamp) throws -> Int

    /// Appends an event to those that wait for their delivery.
    ///
    /// The store gives it a number, one above the highest that it ever gave, from 1.
    ///
    /// - Parameter record: The event. Its own number is ignored.
    func append(_ record: EventRecord) throws
    /// Replaces an event by compare-and-set.
    func update(_ record: EventRecord) throws -> Bool
    /// Deletes the event with a number and an id. Returns whether there was one.
    func removeEvent(_ sequence: Int64, id: [UInt8]) throws -> Bool
    /// Deletes the events of an account, the earliest first.
    ///
    /// - Parameters:
    ///   - account: `user@domain`, normalized; nil for all events, those without an account among them.
    ///   - limit: The most events to delete.
    /// - Returns: The number of events that were deleted.
    func removeEvents(of account: String?, limit: Int) throws -> Int

    /// Removes what expired: deletes the exchanges, replays, approval requests, records of decisions and device data
    /// with `keptUntil <= now` and the challenges and stream tokens with `expiresAt <= now`, and erases the keys of the
    /// exchanges and the secrets of the activation passwords with `expiresAt <= now`, whose versions are counted up.
    ///
    /// - Parameters:
    ///   - now: The platform's time.
    ///   - limit: The most rows of each kind, so that a transaction stays short.
    /// - Returns: The number of rows that were deleted or changed.
    func removeExpired(now: Timestamp, limit: Int) throws -> Int
    /// Returns the devices that did not complete their activation in time: those in the state `pending`, or locked in
    /// it, with `pendingUntil <= time`; the earliest first.
    ///
    /// - Parameters:
    ///   - time: The latest `pendingUntil`.
    ///   - limit: The most devices to return.
    func unfinishedDevices(until time: Timestamp, limit: Int) throws -> [DeviceRecord]
    /// Returns the ids of the revoked devices with `revokedAt <= time`, the earliest first. No other column is read.
    ///
    /// - Parameters:
    ///   - time: The latest `revokedAt`.
    ///   - limit: The most devices to return.
    func revokedDevices(until time: Timestamp, limit: Int) throws -> [[UInt8]]

    /// Returns the number of exchanges that are stored.
    ///
    /// - Parameter source: The hash of an address, ``ActivationSessionRecord/source``; nil for all exchanges.
    func activationSessionCount(of source: String?) throws -> Int
    /// Deletes exchanges, the earliest `expiresAt` first.
    ///
    /// - Parameters:
    ///   - source: The hash of an address; nil for all exchanges.
    ///   - limit: The maximum number of exchanges to delete.
    func removeOldestActivationSessions(of source: String?, limit: Int) throws
}

/// A record that counts its updates, so that a store can replace it by compare-and-set.
public protocol VersionedRecord: Sendable {
    /// The number of updates, 0 in a new row. A store compares it and counts it up; other code leaves it alone.
    var version: Int64 { get set }
}
