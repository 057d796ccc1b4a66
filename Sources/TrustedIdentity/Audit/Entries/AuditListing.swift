internal import Primitives

/// The limits on the refusals that the log lists. The further ones of an hour are only counted (``AuditTally``).
///
/// Anybody who knows a name can type it into a login form, so entries without a limit would fill the disk.
public enum AuditListing {
    /// The number of refused logins and transactions that the log lists for an account in an hour, from the first one
    /// on.
    ///
    /// Five wrong codes in a row block an account for a minute. Unless other refusals come first, such as codes typed
    /// during a block, the first five entries of an hour show each try before the first block, with its time and its
    /// origin. These distinguish a user who mistypes from an attack.
    public static let limit = 5

    /// The number of refusals that the log lists in an hour for all names that no account has.
    public static let unknownLimit = 100

    /// The name under which refusals of unknown names are counted. No account has it.
    static let unknownName = ""
}

extension StoreTransaction {
    /// Counts a refusal, and appends its entry to the log up to the limit of its account in this hour.
    func list(_ refusal: AuditEntry) throws {
        let hour = AuditTally.hour(of: refusal.time)
        try tally(refusal.event, reason: refusal.reason, hour: hour)
        let count = try countRefusal(of: refusal.account ?? AuditListing.unknownName, hour: hour)
        let limit = refusal.account == nil ? AuditListing.unknownLimit : AuditListing.limit
        if count <= limit { try append(refusal) }
    }
}
