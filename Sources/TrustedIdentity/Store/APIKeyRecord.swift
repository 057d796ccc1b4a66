public import Primitives

/// A key of an application server or an administrator. The secret itself is stored nowhere.
public struct APIKeyRecord: Sendable, Hashable {
    /// What names the key; not secret.
    public var id: String
    /// What the administrator calls it, at most 64 characters.
    public var name: String
    /// What it opens.
    public var scope: APIKeyScope
    /// SHA-256 of the secret, which has 256 bits and so needs no slow hash.
    public var secretHash: [UInt8]
    /// When it was made.
    public var createdAt: Timestamp
    /// When it was revoked; nil while it opens.
    public var revokedAt: Timestamp?

    /// Puts a row together.
    public init(
        id: String, name: String, scope: APIKeyScope, secretHash: [UInt8], createdAt: Timestamp,
        revokedAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.scope = scope
        self.secretHash = secretHash
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }
}
