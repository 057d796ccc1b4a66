package import Primitives

/// The row with the ``RiskState`` of an account.
package struct AccountRiskRecord: VersionedRecord, Hashable {
    /// `user@domain`, normalized; the key.
    package var account: String
    /// The encoded state, at most 64 KiB.
    package var state: [UInt8]
    /// The number of updates.
    package var version: Int64 = 0
}

/// The stored record of one decision of the policy. It never changes.
package struct PolicyDecisionRecord: Sendable, Hashable {
    /// The id that approval requests and receipts name, 16 bytes; the key.
    package var id: [UInt8]
    /// The account that it is about, `user@domain`, normalized.
    package var account: String
    /// The time of the decision.
    package var createdAt: Timestamp
    /// The encoded record: the rule that fired, and what it decided on.
    package var record: [UInt8]
    /// The time until which the row is kept.
    package var keptUntil: Timestamp
}
