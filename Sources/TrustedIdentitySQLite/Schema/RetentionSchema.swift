/// The second step: what bounds what strangers can cause, and finds what is to be forgotten.
enum RetentionSchema {
    /// Which devices never completed their activation. The index is used by a query with the same words.
    static let unfinished = "(state = 'pending' OR (state = 'locked' AND state_before_lock = 'pending'))"

    static let statements = [
        "ALTER TABLE activation_session ADD COLUMN source TEXT NOT NULL DEFAULT ''",
        "CREATE INDEX activation_session_by_source ON activation_session (source)",
        """
        CREATE INDEX activation_session_by_expires_at ON activation_session (expires_at) WHERE keys IS NOT NULL
        """,
        "CREATE INDEX activation_code_by_expires_at ON activation_code (expires_at) WHERE secret IS NOT NULL",
        "CREATE INDEX device_by_pending_until ON device (pending_until) WHERE \(unfinished)",
        """
        CREATE TABLE audit_tally (
            hour INTEGER NOT NULL CHECK (hour % 3600000 = 0),
            event TEXT NOT NULL,
            reason TEXT NOT NULL,
            count INTEGER NOT NULL CHECK (count >= 1),
            PRIMARY KEY (hour, event, reason)
        ) STRICT, WITHOUT ROWID
        """,
    ]
}
