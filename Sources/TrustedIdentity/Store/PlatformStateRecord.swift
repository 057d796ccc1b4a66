public import Primitives

/// What a store says about the platform as a whole.
public struct PlatformStateRecord: Sendable, Hashable {
    /// The tenant whose store this is: 1…64 ASCII characters. It goes into every key, so it never changes.
    public var tenant: String
    /// When the store was first used.
    public var createdAt: Timestamp
    /// When it was last restored from a backup; nil when never.
    public var restoredAt: Timestamp?
    /// Counts the updates.
    public var version: Int64

    /// Puts the row together.
    public init(tenant: String, createdAt: Timestamp, restoredAt: Timestamp? = nil, version: Int64 = 0) {
        self.tenant = tenant
        self.createdAt = createdAt
        self.restoredAt = restoredAt
        self.version = version
    }
}
