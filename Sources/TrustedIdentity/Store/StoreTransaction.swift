public import Primitives

/// A transaction of a ``PlatformStore``: everything a ``StoreReader`` can do, and writes that take effect together.
///
/// Three forms of write, all of them one statement each:
/// - `insert` stores a new row and answers false, changing nothing, when a row with its key exists.
/// - `update` is the compare-and-set: it replaces the row with the same key **if and only if** the stored `version`
///   still equals the record's `version`, and stores the record with `version + 1`. It answers false, changing nothing,
///   when the row is gone or has another version. Whoever decided on a row that changed meanwhile decides again.
/// - `remove` deletes and does not mind when there is nothing.
///
/// A transaction sees its own writes.
public protocol StoreTransaction: StoreReader {
    /// Stores the row about the platform. False when there is one.
    func insert(_ record: PlatformStateRecord) throws -> Bool
    /// Compare-and-set of the row about the platform, on its version.
    func update(_ record: PlatformStateRecord) throws -> Bool

    /// Stores an account. False when the name is taken.
    func insert(_ record: AccountRecord) throws -> Bool
    /// Compare-and-set of an account, on its version.
    func update(_ record: AccountRecord) throws -> Bool
    /// Deletes an account with its activation password and its counts of failures. Devices stay.
    func removeAccount(_ name: String) throws

    /// Stores the code of an account, in the place of an earlier one.
    func put(_ record: ActivationPasswordRecord) throws
    /// Compare-and-set of a code, on its version.
    func update(_ record: ActivationPasswordRecord) throws -> Bool
    /// Spends one try: `tries + 1` if and only if the code of that account still is that registration's, is not spent,
    /// expires after `now`, and has fewer than `limit` tries; its version goes up too. False, changing nothing,
    /// otherwise.
    func spendTry(account: String, registrationID: String, limit: Int, now: Timestamp) throws -> Bool
    /// Gives one try back: `tries - 1` if and only if the code of that account still is that registration's and has a
    /// try to give back; its version goes up too. It does not matter whether the code expired. False otherwise.
    func returnTry(account: String, registrationID: String) throws -> Bool

    /// Stores an exchange. False when the session id is known.
    func insert(_ record: ActivationSessionRecord) throws -> Bool
    /// Compare-and-set of an exchange, on its version.
    func update(_ record: ActivationSessionRecord) throws -> Bool

    /// Stores a device. False when the id is taken.
    func insert(_ record: DeviceRecord) throws -> Bool
    /// Compare-and-set of a device, on its version.
    func update(_ record: DeviceRecord) throws -> Bool
    /// Deletes a device and its code counters.
    func removeDevice(_ id: [UInt8]) throws
    /// Sets `isRestored` on every device that is not revoked, and moves the version of each.
    ///
    /// - Parameter locking: whether to lock, with the reason ``/Primitives/LockReason/restored``, those that are not locked yet.
    /// - Returns: how many devices were marked.
    func markDevicesRestored(locking: Bool) throws -> Int

    /// Moves a code counter: stores `record` if and only if the stored counter of its device, instance and application
    /// equals `expected` in every field (nil: there is none). False, changing nothing, otherwise. This statement is what
    /// makes a code single-use.
    func move(_ record: CodeCounterRecord, from expected: CodeCounterRecord?) throws -> Bool
    /// Deletes the code counters of a device.
    func removeCodeCounters(of device: [UInt8]) throws

    /// Stores a count of failures. False when there is one for its key.
    func insert(_ record: ThrottleRecord) throws -> Bool
    /// Compare-and-set of a count of failures, on its version.
    func update(_ record: ThrottleRecord) throws -> Bool
    /// Deletes a count of failures.
    func removeThrottle(_ key: ThrottleKey) throws

    /// Stores what a device was answered. False when the request id of that device is known.
    func insert(_ record: ReplayRecord) throws -> Bool

    /// Stores an API key. False when the id is taken.
    func insert(_ record: APIKeyRecord) throws -> Bool
    /// Sets the time of revocation if the key exists and is not revoked. False otherwise.
    func revokeAPIKey(_ id: String, at time: Timestamp) throws -> Bool

    /// Stores a key of the platform. False when the id is taken.
    func insert(_ record: PlatformKeyRecord) throws -> Bool

    /// Appends to the audit log. The store gives the entry the next sequence number, from 1, without a gap in what is
    /// committed; the entry's own is ignored.
    func append(_ entry: AuditEntry) throws

    /// Adds one to the tally of an hour, an event and a reason; the first makes it.
    func tally(_ event: AuditEvent, reason: String, hour: Timestamp) throws

    /// Forgets what expired: deletes the exchanges and the replays with `keptUntil <= now`, and erases the keys of the
    /// exchanges and the secrets of the activation passwords with `expiresAt <= now`, moving the version of each.
    ///
    /// - Parameters:
    ///   - now: the platform's time.
    ///   - limit: how many rows of each of the four kinds at most, so that a transaction stays short.
    /// - Returns: how many rows were deleted or changed.
    func removeExpired(now: Timestamp, limit: Int) throws -> Int
    /// The devices that never completed their activation and whose time for it is over: those in the state `pending`,
    /// or locked in it, with `pendingUntil <= time`; the earliest first.
    ///
    /// - Parameters:
    ///   - time: how late is too late.
    ///   - limit: how many at most.
    func unfinishedDevices(until time: Timestamp, limit: Int) throws -> [DeviceRecord]

    /// How many exchanges are stored: the platform bounds them.
    func activationSessionCount() throws -> Int
    /// How many exchanges of one source are stored.
    func activationSessionCount(of source: String) throws -> Int
    /// The source with the most exchanges, ties by name; nil when there is none.
    func busiestActivationSource() throws -> String?
    /// Deletes exchanges of a source: those without an answer 2 first, of these the earliest `expiresAt` first.
    ///
    /// - Parameters:
    ///   - source: whose.
    ///   - limit: how many at most.
    func removeOldestActivationSessions(of source: String, limit: Int) throws
}
