/// The twenty-first step: the latest entries about events that the audit log does not list.
///
/// The table has the columns and the index of the audit log, so that a row in either takes the same time to write. Its
/// rows may be deleted. The tallies of refusals include those that the log lists from here on.
enum UnlistedAuditSchema {
    static let statements = [
        """
        CREATE TABLE unlisted_audit (
            sequence INTEGER PRIMARY KEY,
            time INTEGER NOT NULL,
            event TEXT NOT NULL,
            subject BLOB CHECK (subject IS NULL OR length(subject) = 16),
            device BLOB,
            reason TEXT NOT NULL,
            actor TEXT,
            correlation_id TEXT CHECK (correlation_id IS NULL OR length(correlation_id) BETWEEN 1 AND 64),
            address TEXT CHECK (address IS NULL OR length(address) BETWEEN 1 AND 45),
            decision BLOB CHECK (decision IS NULL OR length(decision) = 16)
        ) STRICT
        """,
        "CREATE INDEX unlisted_audit_by_subject ON unlisted_audit (subject, sequence)",
        """
        CREATE VIEW named_unlisted_audit AS
        SELECT unlisted_audit.*, account.name AS account
        FROM unlisted_audit LEFT JOIN account ON account.subject = unlisted_audit.subject
        """,
    ]
}
