public import Primitives

/// The rows of a store that describe the platform as a whole.
public struct PlatformStateRecord: VersionedRecord, Hashable {
    /// The tenant of the store: 1…64 ASCII characters. It goes into every key, so it never changes.
    public var tenant: String
    /// The time when the store was first used.
    public var createdAt: Timestamp
    /// The time when it was last restored from a backup; nil if never.
    public var restoredAt: Timestamp?
    /// The number of restores from a backup.
    public var epoch: Int64
    /// The sequence number of the last entry of the audit log at the latest restore; 0 if there was none. The store had
    /// the entries up to it in common with its earlier life.
    public var restoredSequence: Int64
    /// Devices, API keys and static passwords of a lower epoch are suspended; 0 if none is.
    public var suspendedBelow: Int64
    /// The value of ``suspendedBelow`` before the latest restore.
    public var suspendedBelowBefore: Int64
    /// The id of the master key that wraps ``dataKeys``, 1…32 ASCII characters.
    public var masterKeyID: String
    /// The keys of the store, wrapped by the master key.
    public var dataKeys: SealedValue
    /// The pruned part of the audit log; nil in a store whose log was never pruned.
    public var prunedAudit: PrunedAudit?
    /// The number of updates.
    public var version: Int64
    /// The HMAC of the row, 32 bytes. Stores keep it, and the platform makes and verifies it.
    public var authenticationCode: [UInt8]?

    /// Creates the row.
    public init(
        tenant: String, createdAt: Timestamp, masterKeyID: String, dataKeys: SealedValue,
        restoredAt: Timestamp? = nil, epoch: Int64 = 0, restoredSequence: Int64 = 0, suspendedBelow: Int64 = 0,
        suspendedBelowBefore: Int64 = 0, version: Int64 = 0, authenticationCode: [UInt8]? = nil
    ) {
        self.tenant = tenant
        self.createdAt = createdAt
        self.masterKeyID = masterKeyID
        self.dataKeys = dataKeys
        self.restoredAt = restoredAt
        self.epoch = epoch
        self.restoredSequence = restoredSequence
        self.suspendedBelow = suspendedBelow
        self.suspendedBelowBefore = suspendedBelowBefore
        self.version = version
        self.authenticationCode = authenticationCode
    }
}

/// A key of an application server or an administrator. The secret itself is not stored.
public struct APIKeyRecord: VersionedRecord, Hashable {
    /// The identifier of the key; not secret.
    public var id: String
    /// The name that the administrator chose, at most 64 characters.
    public var name: String
    /// The part of the API that it authorizes.
    public var scope: APIKeyScope
    /// A keyed hash of the secret. The secret has 256 bits, so no slow hash is needed.
    public var secretHash: [UInt8]
    /// The time of its creation.
    public var createdAt: Timestamp
    /// The time when it was revoked; nil while it is valid.
    public var revokedAt: Timestamp?
    /// The epoch of the platform when the key was created or its suspension was last lifted.
    public var epoch: Int64
    /// Whether the site of the application server shows the number that the user types in the app.
    public var showsNumbers: Bool
    /// The domains whose accounts the key may name, in lower case and in alphabetical order, at most 32; empty for all.
    /// They never change.
    public var domains: [String]
    /// The number of updates.
    public var version: Int64
    /// The HMAC of the row, 32 bytes. Stores keep it, and the platform makes and verifies it.
    public var authenticationCode: [UInt8]?

    /// Creates a row.
    public init(
        id: String, name: String, scope: APIKeyScope, secretHash: [UInt8], createdAt: Timestamp,
        revokedAt: Timestamp? = nil, epoch: Int64 = 0, showsNumbers: Bool = false, domains: [String] = [],
        version: Int64 = 0, authenticationCode: [UInt8]? = nil
    ) {
        self.id = id
        self.name = name
        self.scope = scope
        self.secretHash = secretHash
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.epoch = epoch
        self.showsNumbers = showsNumbers
        self.domains = domains
        self.version = version
        self.authenticationCode = authenticationCode
    }
}
