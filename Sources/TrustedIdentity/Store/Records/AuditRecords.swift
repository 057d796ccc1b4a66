public import Primitives

/// The part of an entry of the audit log in the tree of the log. Each row has the seal that the platform made with it.
public struct AuditSeal: Sendable, Hashable {
    /// The root of the largest complete subtree that ends with the entry, 32 bytes: for entry n, the tree over as many
    /// entries as the lowest bit of n that is set.
    public var subtree: [UInt8]
    /// The HMAC under a key of the platform over the number of the entry and ``subtree``, 32 bytes.
    public var code: [UInt8]

    /// Creates a seal.
    public init(subtree: [UInt8], code: [UInt8]) {
        self.subtree = subtree
        self.code = code
    }
}

/// A row of the audit log, as the tree needs it.
public struct AuditRow: Sendable, Hashable {
    /// The entry as it is stored: without the name of the account.
    public var entry: AuditEntry
    /// The seal; `nil` in a row that the platform did not write.
    public var seal: AuditSeal?

    /// Creates a row.
    public init(entry: AuditEntry, seal: AuditSeal?) {
        self.entry = entry
        self.seal = seal
    }
}

/// An entry at the end of the tree of the audit log.
public struct AuditPeak: Sendable, Hashable {
    /// The number of the entry.
    public var sequence: Int64
    /// The seal; `nil` when the row is missing or has none.
    public var seal: AuditSeal?

    /// Creates an entry.
    public init(sequence: Int64, seal: AuditSeal?) {
        self.sequence = sequence
        self.seal = seal
    }
}

/// The pruned part of the audit log: its first entries, which are in files.
public struct PrunedAudit: Sendable, Hashable {
    /// The number of the entries, which is the sequence number of the last one; 1 or more.
    public var size: Int64
    /// The root of the tree over the entries, 32 bytes.
    public var root: [UInt8]
    /// Whether the store may still have rows of these entries, which are to be removed.
    public var hasRows: Bool

    /// Creates the description of a part.
    public init(size: Int64, root: [UInt8], hasRows: Bool) {
        self.size = size
        self.root = root
        self.hasRows = hasRows
    }
}

/// A checkpoint of the audit log that the platform has signed and keeps.
public struct AuditCheckpointRecord: Sendable, Hashable {
    /// The number of entries.
    public var size: Int64
    /// The time of the signature by the platform's clock.
    public var createdAt: Timestamp
    /// The signed note.
    public var note: String

    /// Creates a row.
    public init(size: Int64, createdAt: Timestamp, note: String) {
        self.size = size
        self.createdAt = createdAt
        self.note = note
    }
}
