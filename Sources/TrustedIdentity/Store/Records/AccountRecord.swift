public import Primitives

/// The row of an account.
public struct AccountRecord: VersionedRecord, Hashable {
    /// `user@domain`, normalized; the key.
    public var name: String
    /// The time of the first registration.
    public var createdAt: Timestamp
    /// The latest registration.
    public var registrationID: String
    /// The time when a device of the latest registration became active; nil until then.
    public var activatedAt: Timestamp?
    /// The time when a device of the latest registration first registered a notification channel; nil until then.
    public var finishedAt: Timestamp?
    /// The verifier of the static password, sealed; nil if there is none.
    public var staticPassword: SealedValue?
    /// The epoch of the platform at the latest registration.
    public var registrationEpoch: Int64
    /// The epoch of the platform when the static password was set or its suspension was last lifted.
    public var staticPasswordEpoch: Int64
    /// The random value that stands for the account in the audit log, 16 bytes. An account that is removed and
    /// registered again has another one.
    public var subject: [UInt8]?
    /// The number of updates.
    public var version: Int64
    /// The HMAC of the row, 32 bytes. Stores keep it, and the platform makes and verifies it.
    public var authenticationCode: [UInt8]?

    /// Creates a row.
    public init(
        name: String, createdAt: Timestamp, registrationID: String, activatedAt: Timestamp? = nil,
        finishedAt: Timestamp? = nil, staticPassword: SealedValue? = nil, registrationEpoch: Int64 = 0,
        staticPasswordEpoch: Int64 = 0, subject: [UInt8]? = nil, version: Int64 = 0,
        authenticationCode: [UInt8]? = nil
    ) {
        self.name = name
        self.createdAt = createdAt
        self.registrationID = registrationID
        self.activatedAt = activatedAt
        self.finishedAt = finishedAt
        self.staticPassword = staticPassword
        self.registrationEpoch = registrationEpoch
        self.staticPasswordEpoch = staticPasswordEpoch
        self.subject = subject
        self.version = version
        self.authenticationCode = authenticationCode
    }
}

/// The latest activation password of an account. There is one row for each account at most.
public struct ActivationPasswordRecord: VersionedRecord, Hashable {
    /// `user@domain`, normalized; the key.
    public var account: String
    /// The registration that created it.
    public var registrationID: String
    /// The serial number for the authenticator that it activates.
    public var serialNumber: String
    /// The first three characters, 15 bits. They identify the activation password and are not secret.
    public var handle: UInt16
    /// The eight secret characters, sealed; nil once the activation password is spent or expired.
    public var secret: SealedValue?
    /// The time of its creation.
    public var createdAt: Timestamp
    /// The time from which no exchange starts with it.
    public var expiresAt: Timestamp
    /// The number of tries that are spent.
    public var tries: Int
    /// The time when an activation with it was completed; nil until then.
    public var spentAt: Timestamp?
    /// The number of updates.
    public var version: Int64

    /// Creates a row.
    public init(
        account: String, registrationID: String, serialNumber: String, handle: UInt16, secret: SealedValue?,
        createdAt: Timestamp, expiresAt: Timestamp, tries: Int = 0, spentAt: Timestamp? = nil, version: Int64 = 0
    ) {
        self.account = account
        self.registrationID = registrationID
        self.serialNumber = serialNumber
        self.handle = handle
        self.secret = secret
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.tries = tries
        self.spentAt = spentAt
        self.version = version
    }
}
