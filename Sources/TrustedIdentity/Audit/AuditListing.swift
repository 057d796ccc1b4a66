internal import Primitives

/// The kinds of events that are listed up to a bound for each account and hour, and counted beyond it.
///
/// Stores keep the raw values.
public enum AuditListing: String, Sendable, Hashable, CaseIterable {
    /// Refused logins and transactions.
    case refusal

    /// The number of entries of a kind that the log lists for an account in an hour, from the first one on.
    ///
    /// Five wrong codes in a row block an account for a minute. Unless other refusals come first, such as codes typed
    /// during a block, the first five entries of an hour show each try before the first block, with its time and its
    /// origin, which is what tells a mistyping user from an attack. The further ones of the hour are only counted.
    public static let limit = 5

    /// The number of entries beyond the bound that are kept for administrators, the latest of all accounts.
    ///
    /// They show where an attack that goes on comes from. They are not in the log.
    public static let unlistedLimit = 4_096
}

extension StoreTransaction {
    /// Counts an event that a stranger can cause, and appends its entry to the log until its account has as many
    /// entries in this hour as are listed.
    ///
    /// Anybody who knows a name can type it into a login form, so that entries without a bound would fill the disk. The
    /// further entries go to another table, which keeps the latest ones only.
    ///
    /// The statements are the same for an account that does not exist. Such names share ``Decoys/listedAccounts``
    /// names, which bounds their entries, too. The share of a name may be used up by others, while that of an account
    /// is not, and a blocked account has used up its own. An entry of either kind is one row of the same form, with the
    /// same index. That of the log is larger, and its parts often are not in memory. So a refusal reads the places of
    /// either first (``RefusalPlaces``): without it, an entry in the log took about 11 µs longer.
    ///
    /// - Parameters:
    ///   - listing: The kind of event.
    ///   - name: The name of the account, or the name that it shares with others.
    func list(_ entry: AuditEntry, _ listing: AuditListing, of name: String) throws {
        let hour = AuditTally.hour(of: entry.time)
        let count = try countListed(listing, of: name, hour: hour)
        try tally(entry.event, reason: entry.reason, hour: hour)
        guard count <= AuditListing.limit else { return try appendUnlisted(entry) }
        try append(entry)
    }
}
