/// The places in a store that a refused credential may change: those of an account, and those of the names that accounts
/// share that do not exist.
///
/// A refusal changes one of each kind and reads all of them, so that they are in the memory of the database in any case.
/// The shared ones are used more often than those of an account, and the log is larger than the entries that it does not
/// list.
public struct RefusalPlaces: Sendable, Hashable {
    /// The account whose rows are read: `user@domain`, normalized.
    public var account: String
    /// The name whose counts of failures are changed for an account that does not exist.
    public var sharedCounts: String
    /// The name whose entries are counted for an account that does not exist.
    public var sharedListing: String
    /// The subject of the entry.
    public var subject: [UInt8]

    /// Creates places.
    public init(account: String, sharedCounts: String, sharedListing: String, subject: [UInt8]) {
        self.account = account
        self.sharedCounts = sharedCounts
        self.sharedListing = sharedListing
        self.subject = subject
    }
}
