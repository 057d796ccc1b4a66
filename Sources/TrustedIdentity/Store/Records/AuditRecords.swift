package import Primitives

/// The tree of the audit log over the entries that have a place in it, with the checkpoint that the platform has signed.
///
/// The first ``size`` entries are in the tree, in the order of their numbers. Further ones wait for their place.
package struct AuditTreeRecord: Sendable, Hashable {
    /// The number of entries, 1 or more.
    package var size: Int64
    /// The roots of the largest complete subtrees, the smallest first: 32 bytes for each bit of the size that is set.
    package var peaks: [[UInt8]]
    /// The checkpoint, as a signed note.
    package var note: String
}

/// The pruned part of the audit log: its first entries, which are in files.
package struct PrunedAudit: Sendable, Hashable {
    /// The number of the entries, which is the sequence number of the last one; 1 or more.
    package var size: Int64
    /// The roots of the largest complete subtrees over the entries, the smallest first, as
    /// ``AuditTreeRecord/peaks``.
    package var peaks: [[UInt8]]
    /// Whether the store may still have rows of these entries, which are to be removed.
    package var hasRows: Bool
}

/// A checkpoint of the audit log that the platform has signed and keeps.
package struct AuditCheckpointRecord: Sendable, Hashable {
    /// The number of entries.
    package var size: Int64
    /// The time of the signature by the platform's clock.
    package var createdAt: Timestamp
    /// The signed note.
    package var note: String
}
