/// The kind of an event in the audit log, as a dotted word. New words are added; existing words keep their meaning.
public struct AuditEvent: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    /// The word that stores keep.
    public let rawValue: String

    /// Creates an event of this or a later version.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates an event from a literal word.
    public init(stringLiteral value: String) { rawValue = value }

    /// An account was registered, or registered again.
    public static let registered: AuditEvent = "account.registered"
    /// An account was removed with all its devices.
    public static let unregistered: AuditEvent = "account.unregistered"
    /// A try of an activation password was spent. The reason is `code`. If no such activation password exists, the try
    /// is counted by the hour with the reason `unknownCode`.
    public static let activationTried: AuditEvent = "activation.tried"
    /// A device proved that it knows the activation password and exchanged keys.
    public static let activationKeyed: AuditEvent = "activation.keyed"
    /// A device proved its password for the first time.
    public static let activationProven: AuditEvent = "activation.proven"
    /// A device was activated.
    public static let activationCompleted: AuditEvent = "activation.completed"
    /// A pending device was removed.
    public static let activationDropped: AuditEvent = "activation.dropped"
    /// A device registered its notification identifier.
    public static let notificationsRegistered: AuditEvent = "device.notifications"
    /// The notification identifier of a device was removed, because its push service no longer knows it. The
    /// reason is its scheme.
    public static let notificationsUnregistered: AuditEvent = "device.notifications-unregistered"
    /// A device sent its counters.
    public static let deviceSynchronized: AuditEvent = "device.synchronized"
    /// A device was locked. The reason is the raw value of a `LockReason`.
    public static let deviceLocked: AuditEvent = "device.locked"
    /// A device that was locked after wrong passwords was unlocked: its user has proven a new password.
    public static let deviceUnlocked: AuditEvent = "device.unlocked"
    /// An unlock code was issued for a device. The reason is the scope of the caller.
    public static let unlockIssued: AuditEvent = "unlock.issued"
    /// A device sent its unlock code, and may set a new password.
    public static let unlockUsed: AuditEvent = "unlock.used"
    /// A device sent a wrong unlock code.
    public static let unlockRefused: AuditEvent = "unlock.refused"
    /// A device was revoked, and its keys were erased.
    public static let deviceRevoked: AuditEvent = "device.revoked"
    /// A device proved its password and got an activation password for its successor.
    public static let moveStarted: AuditEvent = "move.started"
    /// A device took the place of the one that moved, which is revoked. The reason is the id of the revoked device, 32
    /// hexadecimal digits.
    public static let moveCompleted: AuditEvent = "move.completed"
    /// A device sent a wrong password.
    public static let proofRefused: AuditEvent = "proof.refused"
    /// A device proved its password, and began to change it.
    public static let passwordChangeOffered: AuditEvent = "password.offered"
    /// A device began to change its password while three changes were open. The oldest one has ended. It may be the
    /// user's own change, because a copy of the store may have asked.
    public static let passwordOfferReplaced: AuditEvent = "password.offer-replaced"
    /// A device used its new password for the first time. The previous one is no longer valid.
    public static let passwordChanged: AuditEvent = "password.changed"
    /// A device registered the keys of a method. The reason is the method and what releases its keys on the device,
    /// such as `biometric system`.
    public static let methodRegistered: AuditEvent = "method.registered"
    /// The registration of a method ended. The reason is the method.
    public static let methodRemoved: AuditEvent = "method.removed"
    /// A login was accepted. The reason is the method.
    public static let loginAccepted: AuditEvent = "login.accepted"
    /// A login was refused. The reason is the raw value of a ``LoginDecision/Reason-swift.enum``.
    public static let loginRefused: AuditEvent = "login.refused"
    /// A transaction was accepted by its signature. The reason is the method.
    public static let transactionAccepted: AuditEvent = "transaction.accepted"
    /// A transaction was refused. The reason is the raw value of a ``LoginDecision/Reason-swift.enum``.
    public static let transactionRefused: AuditEvent = "transaction.refused"
    /// A seal was accepted. The reason is the method.
    public static let sealAccepted: AuditEvent = "seal.accepted"
    /// A seal was refused. The reason is the raw value of a ``LoginDecision/Reason-swift.enum``.
    public static let sealRefused: AuditEvent = "seal.refused"
    /// A user was asked to approve something. The reason is the kind.
    public static let approvalRequested: AuditEvent = "approval.requested"
    /// The policy accepted something without an approval. The reason is the rule.
    public static let approvalAccepted: AuditEvent = "approval.accepted"
    /// A user was not asked. The reason is the raw value of an ``ApprovalReport/DeclineReason``.
    public static let approvalRefused: AuditEvent = "approval.refused"
    /// A device answered an approval request. The reason is the outcome.
    public static let approvalAnswered: AuditEvent = "approval.answered"
    /// An approval request ended without an answer. The reason is the state: `expired`, `replaced` or `canceled`.
    public static let approvalEnded: AuditEvent = "approval.ended"
    /// An authenticator was resynchronized from two codes.
    public static let codesSynchronized: AuditEvent = "codes.synchronized"
    /// Everything that names an account was removed. The subject is the account's subject; none after an interrupted
    /// erasure.
    public static let accountErased: AuditEvent = "account.erased"
    /// The blocks of an account were lifted: by an administrator, or, with the reason `approval`, the blocks of typed
    /// codes by an approval with the password.
    public static let throttleLifted: AuditEvent = "throttle.lifted"
    /// An API key was created.
    public static let apiKeyCreated: AuditEvent = "api-key.created"
    /// An API key was revoked. The reason is its id.
    public static let apiKeyRevoked: AuditEvent = "api-key.revoked"
    /// Platform keys were replaced. The reason is the raw value of a ``PlatformKeyUse``.
    public static let platformKeysRotated: AuditEvent = "platform-key.rotated"
    /// The private half of a replaced platform key was erased. The reason is the key id.
    public static let platformKeyErased: AuditEvent = "platform-key.erased"
    /// The keys that seal and authenticate the rows were replaced. The reason is `sources` when the hash keys of
    /// sources and browsers were also replaced.
    public static let dataKeysReplaced: AuditEvent = "data-keys.replaced"
    /// The master key was replaced. The reason is the id of the previous one, `>` and the id of the new one.
    public static let masterKeyReplaced: AuditEvent = "master-key.replaced"
    /// The policy was replaced. The reason is the hash of its text, the SHA-256 of the policy file at a server, in
    /// hexadecimal.
    public static let policyReplaced: AuditEvent = "policy.replaced"
    /// A static password was replaced, or removed with its account. The reason identifies it: the first 16 hexadecimal
    /// digits of the random nonce under which it was sealed.
    public static let staticPasswordEnded: AuditEvent = "static-password.ended"
    /// The platform was restored from a backup. The reason states what is known of the revocations since the backup:
    /// `revocationsUnknown`, `nothingRevoked`, or `auditLog` when a log is being applied.
    public static let platformRestored: AuditEvent = "platform.restored"
    /// A restore began a new audit log with the entries of the backup. The reason is the number of entries before this
    /// one, a space, and the root of the tree over them in hexadecimal.
    public static let auditContinued: AuditEvent = "audit.continued"
    /// An administrator lifted all suspensions of a restore.
    public static let suspensionsLifted: AuditEvent = "suspensions.lifted"
    /// The revocations of an exported audit log were applied after a restore, and the other suspensions of the restore
    /// were lifted.
    public static let auditApplied: AuditEvent = "audit.applied"
    /// The audit log was exported, up to this entry.
    public static let auditExported: AuditEvent = "audit.exported"
    /// The first entries of the audit log were pruned: they are in a file. The reason is the number of the last of
    /// them.
    public static let auditPruned: AuditEvent = "audit.pruned"
}
