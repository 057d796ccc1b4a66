/// One consistent state of a ``PlatformStore``, to look rows up in.
///
/// Every method throws the store's own error when the store fails. Lists come in the order that their method names.
public protocol StoreReader {
    /// The one row about the platform itself; nil in a new store.
    func platformState() throws -> PlatformStateRecord?

    /// The account of that name.
    ///
    /// - Parameter name: `user@domain`, normalized.
    func account(_ name: String) throws -> AccountRecord?

    /// The latest activation password of an account, whatever became of it.
    ///
    /// - Parameter account: `user@domain`, normalized.
    func activationPassword(of account: String) throws -> ActivationPasswordRecord?

    /// The exchange of that session id (16 bytes).
    func activationSession(_ id: [UInt8]) throws -> ActivationSessionRecord?

    /// The device of that id (16 bytes), revoked ones included.
    func device(_ id: [UInt8]) throws -> DeviceRecord?

    /// All devices of an account, revoked ones included, the oldest first, ties by id.
    ///
    /// - Parameter account: `user@domain`, normalized.
    func devices(of account: String) throws -> [DeviceRecord]

    /// The code counters of a device, ordered by instance, then by application.
    func codeCounters(of device: [UInt8]) throws -> [CodeCounterRecord]

    /// The code counters of all devices of an account, ordered by device, then by instance, then by application.
    ///
    /// - Parameter account: `user@domain`, normalized.
    func codeCounters(ofAccount account: String) throws -> [CodeCounterRecord]

    /// One count of failures.
    func throttle(_ key: ThrottleKey) throws -> ThrottleRecord?

    /// All counts of failures of an account, the least recently used first, ties by kind and source.
    ///
    /// - Parameter account: `user@domain`, normalized.
    func throttles(of account: String) throws -> [ThrottleRecord]

    /// What a device was answered to a request.
    ///
    /// - Parameters:
    ///   - device: the device id, 16 bytes.
    ///   - request: the request id, 16 bytes.
    func replay(device: [UInt8], request: [UInt8]) throws -> ReplayRecord?

    /// The API key of that id, revoked ones included.
    func apiKey(_ id: String) throws -> APIKeyRecord?

    /// All API keys, revoked ones included, the oldest first, ties by id.
    func apiKeys() throws -> [APIKeyRecord]

    /// All keys of the platform, the oldest first, ties by id.
    func platformKeys() throws -> [PlatformKeyRecord]

    /// Entries of the audit log, the latest first.
    ///
    /// - Parameters:
    ///   - account: only entries about this account; nil for all.
    ///   - before: only entries with a lower sequence number; nil for the latest.
    ///   - limit: how many at most, 1 or more.
    func auditEntries(of account: String?, before: Int64?, limit: Int) throws -> [AuditEntry]

    /// What was counted instead of told, the latest hour first, ties by event and reason.
    ///
    /// - Parameter limit: how many at most, 1 or more.
    func auditTallies(limit: Int) throws -> [AuditTally]
}
