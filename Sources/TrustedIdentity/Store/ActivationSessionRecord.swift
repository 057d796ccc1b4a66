public import Primitives

/// The platform's side of a key exchange between request 1 and answer 2.
///
/// An exchange for an unknown user or a wrong handle has a row like any other, of the same size.
public struct ActivationSessionRecord: Sendable, Hashable {
    /// The session id that the authenticator chose, 16 bytes; the key.
    public var id: [UInt8]
    /// The account that request 1 names, known or not.
    public var account: String
    /// The registration whose code is tried; of a decoy one that exists nowhere.
    public var registrationID: String
    /// SHA-256 of request 1.
    public var firstRequestHash: [UInt8]
    /// Answer 1, for a repeat.
    public var firstAnswer: [UInt8]
    /// The derived keys, sealed; nil once answer 2 is made.
    public var keys: SealedValue?
    /// Until when request 2 may come.
    public var expiresAt: Timestamp
    /// SHA-256 of request 2; nil until it was accepted.
    public var secondRequestHash: [UInt8]?
    /// Answer 2, for a repeat; nil until it was made.
    public var secondAnswer: [UInt8]?
    /// Until when the row is kept for repeats.
    public var keptUntil: Timestamp
    /// What stands for the address that began it; empty where none is known. At most so many of one source are kept.
    public var source: String
    /// Counts the updates.
    public var version: Int64

    /// Puts a row together.
    public init(
        id: [UInt8], account: String, registrationID: String, firstRequestHash: [UInt8], firstAnswer: [UInt8],
        keys: SealedValue?, expiresAt: Timestamp, secondRequestHash: [UInt8]? = nil, secondAnswer: [UInt8]? = nil,
        keptUntil: Timestamp, source: String = "", version: Int64 = 0
    ) {
        self.id = id
        self.account = account
        self.registrationID = registrationID
        self.firstRequestHash = firstRequestHash
        self.firstAnswer = firstAnswer
        self.keys = keys
        self.expiresAt = expiresAt
        self.secondRequestHash = secondRequestHash
        self.secondAnswer = secondAnswer
        self.keptUntil = keptUntil
        self.source = source
        self.version = version
    }
}
