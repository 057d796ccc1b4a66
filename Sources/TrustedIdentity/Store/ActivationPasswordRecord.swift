public import Primitives

/// An activation password: one per account, the latest.
public struct ActivationPasswordRecord: Sendable, Hashable {
    /// `user@domain`, normalized; the key.
    public var account: String
    /// The registration that made it.
    public var registrationID: String
    /// The serial number that the activated authenticator gets.
    public var serialNumber: String
    /// What names the code: the first three characters, 15 bits.
    public var handle: UInt16
    /// The eight secret characters, sealed; nil once the code is spent.
    public var secret: SealedValue?
    /// When it was made.
    public var createdAt: Timestamp
    /// From when on no exchange starts with it.
    public var expiresAt: Timestamp
    /// How many tries are spent.
    public var tries: Int
    /// When an activation with it was completed; nil until then.
    public var spentAt: Timestamp?
    /// Counts the updates.
    public var version: Int64

    /// Puts a row together.
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
