/// The twenty-fifth step: entries of the audit log have seals, and the platform has keys that sign checkpoints of the
/// log.
///
/// The platform makes the key, and the seals of the entries that are there, when it first starts on the database.
enum AuditTreeSchema {
    static let statements = [
        "ALTER TABLE audit ADD COLUMN subtree BLOB CHECK (subtree IS NULL OR length(subtree) = 32)",
        "ALTER TABLE audit ADD COLUMN \(AuthenticationSchema.column)",
        // A row in either table has the same form.
        "ALTER TABLE unlisted_audit ADD COLUMN subtree BLOB CHECK (subtree IS NULL OR length(subtree) = 32)",
        "ALTER TABLE unlisted_audit ADD COLUMN \(AuthenticationSchema.column)",
        "DROP TRIGGER audit_is_never_changed",
        """
        CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
        WHEN old.authentication_code IS NOT NULL
            OR (new.sequence, new.time, new.event, new.subject, new.device, new.reason, new.actor, new.correlation_id,
                new.address, new.decision)
            IS NOT (old.sequence, old.time, old.event, old.subject, old.device, old.reason, old.actor,
                old.correlation_id, old.address, old.decision)
        BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END
        """,
        """
        CREATE TABLE platform_key_of_three_purposes (
            id BLOB NOT NULL PRIMARY KEY,
            purpose TEXT NOT NULL CHECK (purpose IN ('signing', 'sealing', 'audit')),
            algorithm INTEGER NOT NULL,
            public_key BLOB NOT NULL,
            private_key BLOB,
            created_at INTEGER NOT NULL,
            not_before INTEGER NOT NULL,
            retired_at INTEGER CHECK (retired_at >= not_before),
            not_after INTEGER CHECK (not_after >= retired_at),
            replaced_in INTEGER CHECK (replaced_in >= 1),
            version INTEGER NOT NULL CHECK (version >= 0),
            \(AuthenticationSchema.column)
        ) STRICT, WITHOUT ROWID
        """,
        """
        INSERT INTO platform_key_of_three_purposes
        SELECT id, purpose, algorithm, public_key, private_key, created_at, not_before, retired_at, not_after,
            replaced_in, version, authentication_code
        FROM platform_key
        """,
        "DROP TABLE platform_key",
        "ALTER TABLE platform_key_of_three_purposes RENAME TO platform_key",
    ]
}
