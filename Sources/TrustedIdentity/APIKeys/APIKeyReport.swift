public import Primitives

/// What may be said about an API key.
public struct APIKeyReport: Sendable, Hashable {
    /// What names the key.
    public let id: String
    /// What the administrator calls it.
    public let name: String
    /// What it opens.
    public let scope: APIKeyScope
    /// When it was made.
    public let createdAt: Timestamp
    /// When it was revoked; nil while it opens.
    public let revokedAt: Timestamp?

    init(_ record: APIKeyRecord) {
        id = record.id
        name = record.name
        scope = record.scope
        createdAt = record.createdAt
        revokedAt = record.revokedAt
    }
}
