/// The result of a restore that applied an exported audit log.
public struct RestoreReport: Sendable, Hashable {
    /// Whether the platform had been marked as restored before. The call then lifted the suspensions of that restore.
    public internal(set) var isLater = false
    /// The number of devices that were revoked again, without the devices of removed accounts.
    public internal(set) var devices = 0
    /// The number of API keys that were revoked again.
    public internal(set) var apiKeys = 0
    /// The number of static passwords that were ended again.
    public internal(set) var staticPasswords = 0
    /// The number of accounts that were removed again.
    public internal(set) var accounts = 0
    /// The number of revocations of rows that the backup does not contain, such as a device that was activated later.
    /// They need no action.
    public internal(set) var unknown: [AuditEntry] = []

    init() {}
}
