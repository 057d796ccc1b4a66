package import Primitives

/// The kind of a credential that is typed. The database has the raw values.
public enum CredentialKind: String, Sendable, Hashable, CaseIterable {
    /// One-time passwords.
    case code
    /// Static passwords.
    case staticPassword
}

/// The failures that are counted together.
package struct ThrottleKey: Sendable, Hashable {
    /// `user@domain`, normalized.
    package var account: String
    /// The kind of what was typed.
    package var kind: CredentialKind
    /// A hash of the source that the application server named; empty for all other sources of the account.
    package var source: String = ""
}

/// The count of wrong codes or passwords for an account that came without the proof of a device.
package struct ThrottleRecord: VersionedRecord, Hashable {
    /// The key.
    package var key: ThrottleKey
    /// Failures since the last success or block.
    package var consecutive: Int
    /// Failures since the last lift.
    package var total: Int
    /// The number of blocks. Each doubles the length of the next one.
    package var level: Int
    /// The time when the level last changed. It falls by one a day.
    package var levelSince: Timestamp
    /// The time until which nothing is checked or counted; nil if there was no block since the last lift.
    package var blockedUntil: Timestamp?
    /// Failures that no device was informed of yet.
    package var unreported: Int
    /// The time of the last use. A new source replaces the one with the earliest.
    package var usedAt: Timestamp
    /// The number of updates.
    package var version: Int64

    /// Creates a count of zero.
    package init(key: ThrottleKey, now: Timestamp) {
        self.key = key
        consecutive = 0
        total = 0
        level = 0
        levelSince = now
        unreported = 0
        usedAt = now
        version = 0
    }
}
