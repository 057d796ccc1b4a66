/// The thirtieth step: the rows that a refused code changes are there before its account is refused for the first
/// time. A new row takes more time than a change of one, and would show that an account exists.
enum RefusalRowSchema {
    /// The condition of a count that limits nothing and only remembers a source. A query uses the index by the same
    /// condition.
    ///
    /// The counts of each refusal are not in the index, so that their changes take the same time, whatever they hold.
    static let isIdleSource = "source <> '' AND source <> 'overall' AND \(IdleThrottleSchema.isIdle)"

    static let statements = [
        "DROP INDEX throttle_by_used_at",
        "CREATE INDEX throttle_by_used_at ON throttle (used_at) WHERE \(isIdleSource)",
        "DROP INDEX audit_listing_by_hour",
        // Rows are removed with their account from here on, and not after an hour.
        "DELETE FROM audit_listing WHERE instr(name, '@') AND name NOT IN (SELECT name FROM account)",
        counts(of: ""),
        counts(of: "overall"),
        """
        INSERT INTO audit_listing (name, listing, hour, count)
        SELECT name, 'refusal', 0, 1 FROM account WHERE true ON CONFLICT DO NOTHING
        """,
    ]

    /// Stores the count of codes of each account that has none.
    private static func counts(of source: String) -> String {
        """
        INSERT INTO throttle (account, kind, source, consecutive, total, level, level_since, unreported, used_at, version)
        SELECT name, 'code', '\(source)', 0, 0, 0, created_at, 0, created_at, 0 FROM account
        WHERE true ON CONFLICT DO NOTHING
        """
    }
}
