/// The tenth step: keys of the platform have an algorithm, a validity and an HMAC, statements list them, and devices
/// confirm statements and capabilities.
///
/// The keys of an earlier version are in use from their creation on and have no successor. The platform seals and
/// authenticates them and makes their first statement when it first starts on the database.
enum PlatformKeySchema {
    static let statements = [
        """
        CREATE TABLE platform_key_with_validity (
            id BLOB NOT NULL PRIMARY KEY,
            purpose TEXT NOT NULL CHECK (purpose IN ('signing', 'sealing')),
            algorithm INTEGER NOT NULL,
            public_key BLOB NOT NULL,
            private_key BLOB,
            created_at INTEGER NOT NULL,
            not_before INTEGER NOT NULL,
            retired_at INTEGER CHECK (retired_at >= not_before),
            not_after INTEGER CHECK (not_after >= retired_at),
            replaced_in INTEGER CHECK (replaced_in >= 1),
            version INTEGER NOT NULL CHECK (version >= 0),
            authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32)
        ) STRICT, WITHOUT ROWID
        """,
        """
        INSERT INTO platform_key_with_validity
        SELECT id, purpose, CASE purpose WHEN 'signing' THEN -19 ELSE suite END, public_key, private_key, created_at,
            created_at, NULL, NULL, NULL, 0, NULL
        FROM platform_key
        """,
        "DROP TABLE platform_key",
        "ALTER TABLE platform_key_with_validity RENAME TO platform_key",
        """
        CREATE TABLE key_statement (
            sequence INTEGER PRIMARY KEY CHECK (sequence >= 1),
            statement BLOB NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT
        """,
        "ALTER TABLE device ADD COLUMN device_key_algorithm INTEGER NOT NULL DEFAULT -9",
        "ALTER TABLE device ADD COLUMN key_statement INTEGER NOT NULL DEFAULT 0 CHECK (key_statement >= 0)",
        "ALTER TABLE device ADD COLUMN capabilities TEXT",
    ]
}
