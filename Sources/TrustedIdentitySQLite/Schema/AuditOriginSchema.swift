/// The nineteenth step: accounts have a random subject, which the audit log has in place of their names, and entries of
/// the log have an actor, a correlation id, an address and a decision.
///
/// Each name of the log gets one subject: that of its account, or of its own where the account was removed. The
/// platform authenticates the subjects of accounts when it first starts on the database.
enum AuditOriginSchema {
    static let statements = [
        "ALTER TABLE account ADD COLUMN subject BLOB CHECK (subject IS NULL OR length(subject) = 16)",
        "UPDATE account SET subject = randomblob(16)",
        "CREATE UNIQUE INDEX account_by_subject ON account (subject)",
        "CREATE TABLE audit_name (name TEXT NOT NULL PRIMARY KEY, subject BLOB NOT NULL) STRICT, WITHOUT ROWID",
        "INSERT INTO audit_name SELECT name, subject FROM account",
        """
        INSERT INTO audit_name SELECT account, randomblob(16)
        FROM (SELECT DISTINCT account FROM audit WHERE account IS NOT NULL)
        WHERE account NOT IN (SELECT name FROM audit_name)
        """,
        """
        CREATE TABLE audit_with_subject (
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
        """
        INSERT INTO audit_with_subject (sequence, time, event, subject, device, reason)
        SELECT sequence, time, event, audit_name.subject, device, reason
        FROM audit LEFT JOIN audit_name ON audit_name.name = audit.account ORDER BY sequence
        """,
        "DROP TABLE audit_name",
        "DROP TABLE audit",
        "ALTER TABLE audit_with_subject RENAME TO audit",
        "CREATE INDEX audit_by_subject ON audit (subject, sequence)",
        """
        CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END
        """,
        """
        CREATE TRIGGER audit_is_never_shortened BEFORE DELETE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END
        """,
        """
        CREATE VIEW named_audit AS
        SELECT audit.*, account.name AS account FROM audit LEFT JOIN account ON account.subject = audit.subject
        """,
        """
        CREATE TABLE audit_listing (
            name TEXT NOT NULL,
            listing TEXT NOT NULL,
            hour INTEGER NOT NULL CHECK (hour % 3600000 = 0),
            count INTEGER NOT NULL CHECK (count >= 1),
            PRIMARY KEY (name, listing)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX audit_listing_by_hour ON audit_listing (hour)",
    ]
}
