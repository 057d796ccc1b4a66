/// The sixth step: a replay is an answer, or the refusal of a request that had no effect.
enum RefusalSchema {
    /// The condition of a refusal. A query uses the index by the same condition.
    static let isRefusal = "refusal IS NOT NULL"

    static let statements = [
        """
        ALTER TABLE replay ADD COLUMN refusal INTEGER CHECK (refusal IS NULL OR (refusal >= 0 AND length(answer) = 0))
        """,
        """
        ALTER TABLE replay ADD COLUMN retry_after INTEGER
        CHECK (retry_after IS NULL OR (retry_after >= 0 AND refusal IS NOT NULL))
        """,
        "CREATE INDEX replay_by_refusal ON replay (device, kept_until) WHERE \(isRefusal)",
    ]
}
