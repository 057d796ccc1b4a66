public import Primitives

/// A challenge for one login. It is not secret: the site shows it.
public struct ChallengeRecord: VersionedRecord, Hashable {
    /// The request id by which the login names the challenge, 16 bytes; the key.
    public var id: [UInt8]
    /// The name under which the challenge is counted: `user@domain`, normalized.
    public var account: String
    /// The caller for which it was made: the id of an API key, or a text of the embedding program.
    public var principal: String
    /// The decimal digits.
    public var challenge: String
    /// The time until which a code for it is accepted. The row is removed then.
    public var expiresAt: Timestamp
    /// The time when a code for it was accepted; nil while it is open.
    public var usedAt: Timestamp?
    /// The number of updates.
    public var version: Int64
    /// The HMAC of the row, 32 bytes. Stores keep it, and the platform makes and verifies it.
    public var authenticationCode: [UInt8]?

    /// Creates a row.
    public init(
        id: [UInt8], account: String, principal: String, challenge: String, expiresAt: Timestamp,
        usedAt: Timestamp? = nil, version: Int64 = 0, authenticationCode: [UInt8]? = nil
    ) {
        self.id = id
        self.account = account
        self.principal = principal
        self.challenge = challenge
        self.expiresAt = expiresAt
        self.usedAt = usedAt
        self.version = version
        self.authenticationCode = authenticationCode
    }
}
