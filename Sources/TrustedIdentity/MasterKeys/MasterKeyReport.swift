/// The master keys of a store, and how far a replacement is.
public struct MasterKeyReport: Sendable, Hashable, Codable {
    /// The id of the present master key.
    public let id: String
    /// The id of the earlier master key while rows may still need it; nil when no replacement is under way.
    public let previousID: String?
    /// The number of rows that the present walk through the store has read.
    public let checkedRows: Int
    /// The number of rows that this process has renewed in the replacement: sealed or authenticated again.
    public let renewedRows: Int
}

/// The result of a request to replace the master key.
public enum MasterKeyReplacement: Sendable, Hashable {
    /// The replacement has begun.
    case begun
    /// A replacement is under way already. Nothing was changed.
    case underWay
    /// The key is the present one already. Nothing was changed.
    case unnecessary
}

/// The error below `wrongMasterKey` of a store that needs another master key.
public struct MissingMasterKey: Error, Hashable {
    /// The id of the key.
    public let id: String
}
