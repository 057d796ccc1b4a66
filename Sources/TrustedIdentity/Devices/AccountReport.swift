public import Primitives

/// What may be said about an account: never a secret.
public struct AccountReport: Sendable, Hashable {
    /// A device of the account.
    public struct Device: Sendable, Hashable {
        /// 16 bytes.
        public let id: [UInt8]
        /// The serial number of its registration.
        public let serialNumber: String
        /// The name it gave itself.
        public let name: String
        /// Where it stands.
        public let state: DeviceState
        /// Why it is locked; nil when it is not.
        public let lockReason: LockReason?
        /// When its activation was completed.
        public let activatedAt: Timestamp?
        /// When a request of it was last accepted.
        public let lastSeenAt: Timestamp?
        /// Whether the key exchange was hybrid (X-Wing).
        public let isPostQuantum: Bool
        /// Wrong passwords in a row, device-proven.
        public let passwordFailures: Int
        /// Whether it has to synchronize after a restore before its codes count.
        public let awaitsSynchronization: Bool
    }

    /// A count of failures of what was typed.
    public struct Failures: Sendable, Hashable {
        /// What was typed.
        public let kind: ThrottleKey.Kind
        /// Whether it is the count of one known source.
        public let isOfKnownSource: Bool
        /// Failures in a row.
        public let consecutive: Int
        /// Failures since the last lift.
        public let total: Int
        /// Until when nothing is checked; nil when not blocked for a time.
        public let blockedUntil: Timestamp?
        /// Whether it is blocked until an administrator lifts it.
        public let isBlockedUntilLifted: Bool
    }

    /// `user@domain`.
    public let name: String
    /// When it was first registered.
    public let createdAt: Timestamp
    /// The latest registration.
    public let registrationID: String
    /// How far the latest registration is.
    public let activationStatus: ActivationStatus
    /// Whether there is a static password.
    public let hasStaticPassword: Bool
    /// The devices, the oldest first, revoked ones included.
    public let devices: [Device]
    /// The counts of failures that are not zero.
    public let failures: [Failures]
}
