public import Primitives

/// The failures that are counted together.
public struct ThrottleKey: Sendable, Hashable {
    /// The kind of what was typed. Stores keep the raw values.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// One-time passwords.
        case code
        /// Static passwords.
        case staticPassword
    }

    /// `user@domain`, normalized.
    public var account: String
    /// The kind of what was typed.
    public var kind: Kind
    /// A hash of the source that the application server named; empty for all other sources of the account.
    public var source: String

    /// Creates a key.
    public init(account: String, kind: Kind, source: String = "") {
        self.account = account
        self.kind = kind
        self.source = source
    }
}

/// The count of wrong codes or passwords for an account that came without the proof of a device.
public struct ThrottleRecord: VersionedRecord, Hashable {
    /// The key.
    public var key: ThrottleKey
    /// Failures since the last success or block.
    public var consecutive: Int
    /// Failures since the last lift.
    public var total: Int
    /// The number of blocks. Each doubles the length of the next one.
    public var level: Int
    /// The time when the level last changed. It falls by one a day.
    public var levelSince: Timestamp
    /// The time until which nothing is checked or counted; nil if there was no block since the last lift.
    public var blockedUntil: Timestamp?
    /// Failures that no device was informed of yet.
    public var unreported: Int
    /// The time of the last use. A new source replaces the one with the earliest.
    public var usedAt: Timestamp
    /// The number of updates.
    public var version: Int64

    /// Creates a count of zero.
    public init(key: ThrottleKey, now: Timestamp) {
        self.key = key
        consecutive = 0
        total = 0
        level = 0
        levelSince = now
        unreported = 0
        usedAt = now
        version = 0
    }

    /// Whether the row limits nothing and only remembers its source.
    package var isIdleSource: Bool {
        consecutive == 0 && total == 0 && level == 0 && unreported == 0 && blockedUntil == nil
            && !["", ThrottleScope.overallSource].contains(key.source)
    }
}
