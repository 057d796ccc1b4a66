package import Primitives

/// The rows of a store that describe the platform as a whole.
package struct PlatformStateRecord: VersionedRecord, Hashable {
    /// The tenant of the store: 1…64 ASCII characters. It goes into every key, so it never changes.
    package var tenant: String
    /// The time when the store was first used.
    package var createdAt: Timestamp
    /// The id of the master key that wraps ``dataKeys``, 1…32 ASCII characters.
    package var masterKeyID: String
    /// The keys of the store, wrapped by the master key.
    package var dataKeys: SealedValue
    /// The time when it was last restored from a backup; nil if never.
    package var restoredAt: Timestamp?
    /// The number of restores from a backup.
    package var epoch: Int64 = 0
    /// The sequence number of the last entry of the audit log at the latest restore; 0 if there was none. The store had
    /// the entries up to it in common with its earlier life.
    package var restoredSequence: Int64 = 0
    /// Devices, API keys and static passwords of a lower epoch are suspended; 0 if none is.
    package var suspendedBelow: Int64 = 0
    /// The value of ``suspendedBelow`` before the latest restore.
    package var suspendedBelowBefore: Int64 = 0
    /// The size of the last checkpoint that was signed for the tree of the audit log; 0 for none.
    package var auditSize: Int64 = 0
    /// The pruned part of the audit log; nil in a store whose log was never pruned.
    package var prunedAudit: PrunedAudit?
    /// The revoked devices and API keys whose rows the store has.
    package var revocations = RevocationSum()
    /// The hash of the policy of all processes that share the database, 32 bytes; nil for a database of one process,
    /// which has no other policy to compare.
    package var policyHash: [UInt8]?
    /// The number of updates.
    package var version: Int64 = 0
}

/// A key of an application server or an administrator. The secret itself is not stored.
package struct APIKeyRecord: VersionedRecord, Hashable {
    /// The identifier of the key; not secret.
    package var id: String
    /// The name that the administrator chose and that users see, 1 to 64 characters.
    package var name: String
    /// The part of the API that it authorizes.
    package var scope: APIKeyScope
    /// A keyed hash of the secret. The secret has 256 bits, so no slow hash is needed.
    package var secretHash: [UInt8]
    /// The time of its creation.
    package var createdAt: Timestamp
    /// The time when it was revoked; nil while it is valid.
    package var revokedAt: Timestamp?
    /// The epoch of the platform when the key was created or its suspension was last lifted.
    package var epoch: Int64
    /// Whether the site of the application server shows the number that the user types in the app.
    package var showsNumbers: Bool
    /// The domains whose accounts the key may name, in lower case and in alphabetical order, at most 32; empty for all.
    /// They never change.
    package var domains: [String]
    /// The number of updates.
    package var version: Int64

    /// Creates a row.
    package init(
        id: String, name: String, scope: APIKeyScope, secretHash: [UInt8], createdAt: Timestamp,
        revokedAt: Timestamp? = nil, epoch: Int64 = 0, showsNumbers: Bool = false, domains: [String] = [],
        version: Int64 = 0
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
    }
}
