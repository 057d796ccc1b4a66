public import Primitives

/// An activated (or pending) authenticator: two instances, one device key.
public struct DeviceRecord: Sendable, Hashable {
    /// 16 bytes; the key.
    public var id: [UInt8]
    /// The account it belongs to.
    public var account: String
    /// The registration whose code activated it.
    public var registrationID: String
    /// The serial number of the registration.
    public var serialNumber: String
    /// Where it stands.
    public var state: DeviceState
    /// Why it is locked; nil when it is not.
    public var lockReason: LockReason?
    /// The state to return to when a lock is lifted; nil when it is not locked.
    public var stateBeforeLock: DeviceState?
    /// When the key exchange began that made it.
    public var createdAt: Timestamp
    /// Until when a pending device may complete its activation.
    public var pendingUntil: Timestamp
    /// When its activation was completed.
    public var activatedAt: Timestamp?
    /// When it was revoked.
    public var revokedAt: Timestamp?
    /// The name that the device gave itself.
    public var name: String
    /// The version of the SDK that activated it.
    public var sdkVersion: String
    /// The codes of the methods it said it has.
    public var methods: [UInt64]
    /// The device's public key: P-256, compressed, 33 bytes.
    public var deviceKey: [UInt8]
    /// The best suite it ever used; lower ones are refused.
    public var suite: UInt8
    /// Where notifications go; an address that opens nothing.
    public var notificationIdentifier: String?
    /// K₁, K₂n and the channel's pre-shared key, sealed; nil once revoked.
    public var secrets: SealedValue?
    /// The ratchet's key at the confirmed index and at the one before, sealed; nil once revoked.
    public var ratchet: SealedValue?
    /// The confirmed ratchet index. Below 2^63.
    public var ratchetIndex: UInt64
    /// The highest index offered; the confirmed one or the next. Below 2^63.
    public var offeredIndex: UInt64
    /// When the confirmed index became so.
    public var promotedAt: Timestamp
    /// The generation of the password.
    public var generation: UInt64
    /// Consecutive wrong passwords that came with a valid device signature.
    public var passwordFailures: Int
    /// SHA-256 of the latest receipts of step 3, 32 bytes each, at most four; empty until the password was proven.
    public var receiptHashes: [UInt8]
    /// Whether the platform was restored and the device has not synchronized since.
    public var isRestored: Bool
    /// When a request of the device was last accepted.
    public var lastSeenAt: Timestamp?
    /// Counts the updates.
    public var version: Int64

    /// A pending device, as step 2 makes it. The other fields are set as it moves on.
    public init(
        id: [UInt8], account: String, registrationID: String, serialNumber: String, createdAt: Timestamp,
        pendingUntil: Timestamp, name: String, sdkVersion: String, methods: [UInt64], deviceKey: [UInt8], suite: UInt8,
        secrets: SealedValue?, ratchet: SealedValue?
    ) {
        self.id = id
        self.account = account
        self.registrationID = registrationID
        self.serialNumber = serialNumber
        self.state = .pending
        self.createdAt = createdAt
        self.pendingUntil = pendingUntil
        self.name = name
        self.sdkVersion = sdkVersion
        self.methods = methods
        self.deviceKey = deviceKey
        self.suite = suite
        self.secrets = secrets
        self.ratchet = ratchet
        ratchetIndex = 0
        offeredIndex = 0
        promotedAt = createdAt
        generation = 0
        passwordFailures = 0
        receiptHashes = []
        isRestored = false
        version = 0
    }
}
