package import Primitives

/// A challenge for one login. It is not secret: the site shows it.
package struct ChallengeRecord: VersionedRecord, Hashable {
    /// The request id by which the login names the challenge, 16 bytes; the key.
    package var id: [UInt8]
    /// The name under which the challenge is counted: `user@domain`, normalized.
    package var account: String
    /// The caller for which it was made: the id of an API key, or a text of the embedding program.
    package var principal: String
    /// The decimal digits.
    package var challenge: String
    /// The time until which a code for it is accepted. The row is removed then.
    package var expiresAt: Timestamp
    /// The time when a code for it was accepted; nil while it is open.
    package var usedAt: Timestamp?
    /// The number of updates.
    package var version: Int64 = 0
}
