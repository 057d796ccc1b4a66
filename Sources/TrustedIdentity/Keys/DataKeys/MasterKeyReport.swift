/// The master key that a store needs.
public struct MasterKeyReport: Sendable, Hashable, Codable {
    /// The id of the key.
    public let id: String
}

/// The result of replacing the keys that seal and authenticate rows.
public struct DataKeysReport: Sendable, Hashable, Codable {
    /// The number of rows that were sealed or authenticated again.
    public let rows: Int
    /// The number of rows that another program had changed. They stay refused.
    public let refusedRows: Int
}

/// The underlying error of `wrongMasterKey` for a store that needs another master key.
public struct MissingMasterKey: Error, Hashable {
    /// The id of the key.
    public let id: String
}
