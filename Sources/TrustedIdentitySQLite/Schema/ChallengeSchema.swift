/// The twelfth step: challenges for logins.
///
/// The rows of an account are found by the index, the latest first. The other index finds what has expired.
enum ChallengeSchema {
    static let statements = [
        """
        CREATE TABLE challenge (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            account TEXT NOT NULL,
            principal TEXT NOT NULL,
            challenge TEXT NOT NULL CHECK (length(challenge) BETWEEN 4 AND 16 AND challenge NOT GLOB '*[^0-9]*'),
            expires_at INTEGER NOT NULL,
            used_at INTEGER,
            version INTEGER NOT NULL CHECK (version >= 0),
            authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX challenge_by_account ON challenge (account, expires_at DESC, id)",
        "CREATE INDEX challenge_by_expires_at ON challenge (expires_at)",
    ]
}
