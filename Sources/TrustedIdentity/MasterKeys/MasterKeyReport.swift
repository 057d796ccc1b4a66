/// The master key that a store needs.
public struct MasterKeyReport: Sendable, Hashable, Codable {
    /// The id of the key.
    public let id: String
}

/// The error below `wrongMasterKey` of a store that needs another master key.
public struct MissingMasterKey: Error, Hashable {
    /// The id of the key.
    public let id: String
}
