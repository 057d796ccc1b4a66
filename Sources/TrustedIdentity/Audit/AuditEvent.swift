/// What an ``AuditEntry`` is about: a dotted word. Words are added, never renamed.
public struct AuditEvent: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
    /// The word, as stores keep it.
    public let rawValue: String

    /// An event of this or a later version.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A literal word.
    public init(stringLiteral value: String) { rawValue = value }

    /// An account was registered, or registered anew.
    public static let registered: AuditEvent = "account.registered"
    /// An account was removed with all its devices.
    public static let unregistered: AuditEvent = "account.unregistered"
    /// A try of an activation password was spent; tallied where there was no such code.
    public static let activationTried: AuditEvent = "activation.tried"
    /// A device proved that it knows the code and exchanged keys.
    public static let activationKeyed: AuditEvent = "activation.keyed"
    /// A device proved its password for the first time.
    public static let activationProven: AuditEvent = "activation.proven"
    /// A device was activated.
    public static let activationCompleted: AuditEvent = "activation.completed"
    /// A pending device was dropped.
    public static let activationDropped: AuditEvent = "activation.dropped"
    /// A device named where notifications go.
    public static let notificationsRegistered: AuditEvent = "device.notifications"
    /// A device brought its counters.
    public static let deviceSynchronized: AuditEvent = "device.synchronized"
    /// A device was locked; the reason says why.
    public static let deviceLocked: AuditEvent = "device.locked"
    /// A device was unlocked by an administrator.
    public static let deviceUnlocked: AuditEvent = "device.unlocked"
    /// A device was revoked; its keys are erased.
    public static let deviceRevoked: AuditEvent = "device.revoked"
    /// A device sent a wrong password.
    public static let proofRefused: AuditEvent = "proof.refused"
    /// A login was accepted; the reason says by which method.
    public static let loginAccepted: AuditEvent = "login.accepted"
    /// A login was refused; the reason says why.
    public static let loginRefused: AuditEvent = "login.refused"
    /// An authenticator was resynchronized from two codes.
    public static let codesSynchronized: AuditEvent = "codes.synchronized"
    /// Blocks were lifted by an administrator.
    public static let throttleLifted: AuditEvent = "throttle.lifted"
    /// An API key was made.
    public static let apiKeyCreated: AuditEvent = "api-key.created"
    /// An API key was revoked.
    public static let apiKeyRevoked: AuditEvent = "api-key.revoked"
    /// The platform was restored from a backup.
    public static let platformRestored: AuditEvent = "platform.restored"
}
