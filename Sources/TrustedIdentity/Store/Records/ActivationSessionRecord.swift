package import Primitives

/// The platform's side of a key exchange between request 1 and answer 2.
///
/// An exchange for an unknown user or with a wrong handle has a row of the same size as any other.
package struct ActivationSessionRecord: VersionedRecord, Hashable {
    /// The session id that the authenticator chose, 16 bytes; the key.
    package var id: [UInt8]
    /// The account that request 1 names, known or not.
    package var account: String
    /// The registration whose activation password is tried. That of a decoy does not exist.
    package var registrationID: String
    /// SHA-256 of request 1.
    package var firstRequestHash: [UInt8]
    /// Answer 1, for a repeated request.
    package var firstAnswer: [UInt8]
    /// The derived keys, sealed; nil once answer 2 is made.
    package var keys: SealedValue?
    /// The time until which request 2 is accepted.
    package var expiresAt: Timestamp
    /// SHA-256 of request 2; nil until it was accepted.
    package var secondRequestHash: [UInt8]?
    /// Answer 2, for a repeated request; nil until it was made.
    package var secondAnswer: [UInt8]?
    /// The time until which the row is kept for repeated requests.
    package var keptUntil: Timestamp
    /// A keyed hash of the address that began the exchange; empty if no address is known. The number of exchanges of an
    /// address is bounded.
    package var source: String = ""
    /// The number of updates.
    package var version: Int64 = 0
}
