/// What is known of the revocations between a backup and its restore.
public enum Revocations: Sendable, Hashable {
    /// The entries of a copy of the audit log since the backup: devices revoked and accounts unregistered in them are
    /// revoked again. An empty list says that nothing was revoked.
    case reapply([AuditEntry])
    /// There is no copy: every device is locked until an administrator unblocks its account.
    case unknown
}
