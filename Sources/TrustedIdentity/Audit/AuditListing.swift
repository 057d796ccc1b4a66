internal import Primitives

/// The kinds of events that are listed up to a bound for each account and hour, and counted beyond it.
///
/// Stores keep the raw values.
public enum AuditListing: String, Sendable, Hashable, CaseIterable {
    /// Refused logins and transactions.
    case refusal

    /// The number of entries of a kind that the log lists for an account in an hour, from the first one on.
    ///
    /// Five wrong codes in a row block an account for a minute. Unless other refusals come first, such as codes typed during
    /// a block, the first five entries of an hour show each try before the first block, with its time and its origin, which
    /// is what tells a mistyping user from an attack. The further ones of the hour add no more than their number.
    public static let limit = 5
}

extension StoreTransaction {
    /// Appends an entry about an event that a stranger can cause, or counts the event when its account has as many entries
    /// in this hour as are listed.
    ///
    /// Anybody who knows a name can type it into a login form, so that entries without a bound would fill the disk.
    ///
    /// The statements are the same for an account that does not exist. Such names share ``Decoys/throttleAccounts`` names,
    /// which bounds their entries, too. The share of a name may be used up by others, while that of an account is not: from
    /// then on an event of the name is counted where one of the account would be listed. That shows up in the last row that
    /// is written, of one kind or the other, in ``AuditListing/limit`` answers an hour at most.
    ///
    /// - Parameters:
    ///   - listing: The kind of event.
    ///   - name: The name of the account, or the name that it shares with others.
    func list(_ entry: AuditEntry, _ listing: AuditListing, of name: String) throws {
        let hour = AuditTally.hour(of: entry.time)
        let count = try countListed(listing, of: name, hour: hour)
        guard count <= AuditListing.limit else {
            return try tally(entry.event, reason: entry.reason, hour: hour)
        }
        try append(entry)
    }
}
