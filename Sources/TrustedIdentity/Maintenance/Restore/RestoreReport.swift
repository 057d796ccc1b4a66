/// The result of a restore that applied an exported audit log.
public struct RestoreReport: Sendable, Hashable {
    /// Whether the platform had been marked as restored before, so that the call lifted what was suspended then.
    public internal(set) var isLater = false
    /// The number of devices that were revoked again, without those of removed accounts.
    public internal(set) var devices = 0
    /// The number of API keys that were revoked again.
    public internal(set) var apiKeys = 0
    /// The number of static passwords that were ended again.
    public internal(set) var staticPasswords = 0
    /// The number of accounts that were removed again.
    public internal(set) var accounts = 0
    /// The revocations of what the backup does not contain, such as a device that was activated later. They need
    /// nothing.
    public internal(set) var unknown: [AuditEntry] = []

    init() {}
}
