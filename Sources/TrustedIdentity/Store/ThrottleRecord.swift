public import Primitives

/// Which failures are counted together.
public struct ThrottleKey: Sendable, Hashable {
    /// What was typed. The raw values are what stores keep.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// One-time passwords.
        case code
        /// Static passwords.
        case staticPassword
    }

    /// `user@domain`, normalized.
    public var account: String
    /// What was typed.
    public var kind: Kind
    /// A hash of the source that the application server named; empty for everybody else of the account.
    public var source: String

    /// Puts a key together.
    public init(account: String, kind: Kind, source: String = "") {
        self.account = account
        self.kind = kind
        self.source = source
    }
}

/// The failures of what somebody typed for an account, without the proof of a device.
public struct ThrottleRecord: Sendable, Hashable {
    /// The key.
    public var key: ThrottleKey
    /// Failures since the last success or block.
    public var consecutive: Int
    /// Failures since the last lift.
    public var total: Int
    /// How many blocks there were; doubles the length of the next one.
    public var level: Int
    /// When the level last changed; it falls by one a day.
    public var levelSince: Timestamp
    /// Until when nothing is checked or counted; nil when there was no block since the last lift.
    public var blockedUntil: Timestamp?
    /// Failures that the user was not told of yet.
    public var untold: Int
    /// When it was last used: the least recently used source gives way to a new one.
    public var usedAt: Timestamp
    /// Counts the updates.
    public var version: Int64

    /// A count that stands at zero.
    public init(key: ThrottleKey, now: Timestamp) {
        self.key = key
        consecutive = 0
        total = 0
        level = 0
        levelSince = now
        untold = 0
        usedAt = now
        version = 0
    }
}
