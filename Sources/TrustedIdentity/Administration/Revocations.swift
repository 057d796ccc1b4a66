/// What is known of the revocations between a backup and its restore.
public enum Revocations: Sendable, Hashable {
    /// The entries of a copy of the audit log since the backup: devices and API keys revoked, devices locked and accounts
    /// unregistered in them are so again. An empty list says that there was nothing of the kind.
    case reapply([AuditEntry])
    /// There is no copy: every device is locked until an administrator unblocks its account. API keys that were revoked
    /// since the backup open again, and are to be revoked again by hand.
    case unknown
}
