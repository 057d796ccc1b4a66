public import Primitives

/// A report on an account. It contains no secret.
public struct AccountReport: Sendable, Hashable {
    /// A device of the account.
    public struct Device: Sendable, Hashable {
        /// The id, 16 bytes.
        public let id: [UInt8]
        /// The serial number of the registration.
        public let serialNumber: String
        /// The name that the device sent.
        public let name: String
        /// The state of the device.
        public let state: DeviceState
        /// The reason of the lock; `nil` for a device that is not locked.
        public let lockReason: LockReason?
        /// The time when the activation was completed.
        public let activatedAt: Timestamp?
        /// The time of the revocation; `nil` for a device that is not revoked.
        public let revokedAt: Timestamp?
        /// The time of the latest accepted request.
        public let lastSeenAt: Timestamp?
        /// Whether the key exchange was hybrid (X-Wing).
        public let isPostQuantum: Bool
        /// The methods that the user has enrolled on the device.
        public let enrolledMethods: [EnrolledMethod]
        /// The number of wrong passwords in a row that came with a valid device signature.
        public let passwordFailures: Int
        /// Whether the device has to synchronize before its codes are accepted: after a restore, or after codes that
        /// were used ahead of the clock were released.
        public let awaitsSynchronization: Bool
        /// The time until which the device's codes are used up, because they were used while the platform's clock was
        /// ahead; `nil` for none. ``Platform/liftBlocks(of:)`` ends it.
        public let codesUsedUntil: Timestamp?
        /// Whether the device is suspended since a restore, until an administrator lifts it.
        public let isSuspended: Bool
    }

    /// A count of failed codes or passwords.
    public struct Failures: Sendable, Hashable {
        /// The kind of credential.
        public let kind: CredentialKind
        /// Whether the count belongs to one known source.
        public let isOfKnownSource: Bool
        /// The number of failures in a row.
        public let consecutive: Int
        /// The number of failures since blocks were last lifted.
        public let total: Int
        /// The end of the block; `nil` without a block of limited time.
        public let blockedUntil: Timestamp?
        /// Whether the block lasts until an administrator lifts it.
        public let isBlockedUntilLifted: Bool
    }

    /// The account as `user@domain`.
    public let name: String
    /// The time of the first registration.
    public let createdAt: Timestamp
    /// The id of the latest registration.
    public let registrationID: String
    /// The progress of the latest registration.
    public let activationStatus: ActivationStatus
    /// Whether the account has a static password.
    public let hasStaticPassword: Bool
    /// Whether the static password is suspended since a restore, until an administrator lifts it.
    public let isStaticPasswordSuspended: Bool
    /// The devices, the oldest first, including devices that are still known as revoked (``Retention/revokedDevices``),
    /// at most 20.
    public let devices: [Device]
    /// The counts of failures that are not zero.
    public let failures: [Failures]
    /// The number of failures in a row over all sources: of codes or of static passwords, whichever is higher.
    public let consecutiveFailures: Int
    /// Whether the failures over all sources block that kind of credential until an administrator lifts the block.
    public let isBlockedUntilLifted: Bool
    /// The end of the strict mode (``StrictMode``), which refuses unknown sources; `nil` outside of it.
    public let strictUntil: Timestamp?
    /// The end of the step-up, in which approvals require the method and the number of ``StrictMode``; `nil` outside of
    /// it.
    public let stepUpUntil: Timestamp?
    /// The time until which no notification is pushed, after a rejection with the reason `notMe`; `nil` for none.
    public let mutedUntil: Timestamp?

    init(
        _ account: AccountRecord, status: ActivationStatus, devices: [DeviceRecord], state: PlatformStateRecord,
        counters: [CodeCounterRecord], throttles: [ThrottleRecord], risk: RiskState, now: Timestamp
    ) {
        strictUntil = risk.strictUntil.flatMap { now < $0 ? $0 : nil }
        stepUpUntil = risk.stepUpUntil.flatMap { now < $0 ? $0 : nil }
        mutedUntil = risk.mutedUntil.flatMap { now < $0 ? $0 : nil }
        name = account.name
        createdAt = account.createdAt
        registrationID = account.registrationID
        activationStatus = status
        hasStaticPassword = account.staticPassword != nil
        isStaticPasswordSuspended =
            account.staticPassword != nil && state.suspends(epoch: account.staticPasswordEpoch)
        self.devices = devices.map { device in
            let counters = counters.filter { $0.device == device.id }
            return Device(
                id: device.id, serialNumber: device.serialNumber, name: device.name, state: device.state,
                lockReason: device.lockReason, activatedAt: device.activatedAt,
                revokedAt: device.revokedAt, lastSeenAt: device.lastSeenAt,
                isPostQuantum: device.suite >= 2, enrolledMethods: device.enrolledMethods,
                passwordFailures: device.passwordFailures,
                awaitsSynchronization: state.current(device).isRestored
                    || counters.contains { device.ratchetIndex < $0.firstIndex },
                codesUsedUntil: CodesAhead.end(of: counters, now: now),
                isSuspended: device.isSuspended(by: state))
        }
        let overall = throttles.filter { $0.key.source == ThrottleScope.overallSource }
        consecutiveFailures = overall.map(\.consecutive).max() ?? 0
        isBlockedUntilLifted = consecutiveFailures >= Throttle.overallLimit
        failures = throttles.filter { $0.total > 0 }.map { throttle in
            Failures(
                kind: throttle.key.kind, isOfKnownSource: !throttle.key.source.isEmpty,
                consecutive: throttle.consecutive, total: throttle.total, blockedUntil: throttle.blockedUntil,
                isBlockedUntilLifted: Throttle.isBlockedUntilLifted(throttle))
        }
    }
}
