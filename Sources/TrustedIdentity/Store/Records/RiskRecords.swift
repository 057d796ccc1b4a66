public import Primitives

/// The row with the ``RiskState`` of an account.
public struct AccountRiskRecord: VersionedRecord, Hashable {
    /// `user@domain`, normalized; the key.
    public var account: String
    /// The encoded state, at most 64 KiB.
    public var state: [UInt8]
    /// The number of updates.
    public var version: Int64
    /// The HMAC of the row, 32 bytes. Stores keep it, and the platform makes and verifies it.
    public var authenticationCode: [UInt8]?

    /// Creates a row.
    public init(account: String, state: [UInt8], version: Int64 = 0, authenticationCode: [UInt8]? = nil) {
        self.account = account
        self.state = state
        self.version = version
        self.authenticationCode = authenticationCode
    }
}

/// The stored record of one decision of the policy. It never changes.
public struct PolicyDecisionRecord: Sendable, Hashable {
    /// The id that approval requests and receipts name, 16 bytes; the key.
    public var id: [UInt8]
    /// The account that it is about, `user@domain`, normalized.
    public var account: String
    /// The time of the decision.
    public var createdAt: Timestamp
    /// The encoded record: the rule that fired, and what it decided on.
    public var record: [UInt8]
    /// The time until which the row is kept.
    public var keptUntil: Timestamp

    /// Creates a row.
    public init(id: [UInt8], account: String, createdAt: Timestamp, record: [UInt8], keptUntil: Timestamp) {
        self.id = id
        self.account = account
        self.createdAt = createdAt
        self.record = record
        self.keptUntil = keptUntil
    }
}
