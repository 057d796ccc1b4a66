/// The first step of the schema. It constrains what a column may hold, independently of the Swift code above it. Later
/// steps rename some of its tables and columns; see ``Migrations``.
///
/// There are no foreign keys. A row may name an account or a device that was removed or never existed: a decoy
/// exchange, or a count of failures for an unknown user. A deferred key would fail at the commit, which other callers'
/// jobs share.
enum InitialSchema {
    static let statements = [
        """
        CREATE TABLE platform_state (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            tenant TEXT NOT NULL CHECK (length(tenant) BETWEEN 1 AND 64),
            created_at INTEGER NOT NULL,
            restored_at INTEGER,
            version INTEGER NOT NULL CHECK (version >= 0)
        ) STRICT
        """,
        """
        CREATE TABLE account (
            name TEXT NOT NULL PRIMARY KEY CHECK (name LIKE '%_@_%'),
            created_at INTEGER NOT NULL,
            registration_id TEXT NOT NULL,
            activated_at INTEGER,
            static_password BLOB,
            version INTEGER NOT NULL CHECK (version >= 0)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE activation_code (
            account TEXT NOT NULL PRIMARY KEY,
            registration_id TEXT NOT NULL,
            serial_number TEXT NOT NULL,
            handle INTEGER NOT NULL CHECK (handle BETWEEN 0 AND 32767),
            secret BLOB,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            tries INTEGER NOT NULL CHECK (tries >= 0),
            spent_at INTEGER,
            version INTEGER NOT NULL CHECK (version >= 0)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE activation_session (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            account TEXT NOT NULL,
            registration_id TEXT NOT NULL,
            first_request_hash BLOB NOT NULL,
            first_answer BLOB NOT NULL,
            keys BLOB,
            expires_at INTEGER NOT NULL,
            second_request_hash BLOB,
            second_answer BLOB,
            kept_until INTEGER NOT NULL,
            version INTEGER NOT NULL CHECK (version >= 0)
        ) STRICT
        """,
        "CREATE INDEX activation_session_by_kept_until ON activation_session (kept_until)",
        """
        CREATE TABLE device (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            account TEXT NOT NULL,
            registration_id TEXT NOT NULL,
            serial_number TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('pending', 'pendingNotification', 'active', 'locked', 'revoked')),
            lock_reason TEXT CHECK (lock_reason IN ('wrongPassword', 'cloneSuspected', 'restored')),
            state_before_lock TEXT CHECK (state_before_lock IN ('pending', 'pendingNotification', 'active')),
            created_at INTEGER NOT NULL,
            pending_until INTEGER NOT NULL,
            activated_at INTEGER,
            revoked_at INTEGER,
            name TEXT NOT NULL,
            sdk_version TEXT NOT NULL,
            methods TEXT NOT NULL,
            device_key BLOB NOT NULL,
            suite INTEGER NOT NULL CHECK (suite BETWEEN 0 AND 255),
            notification_identifier TEXT,
            secrets BLOB,
            chain BLOB,
            chain_index INTEGER NOT NULL CHECK (chain_index >= 0),
            offered_index INTEGER NOT NULL CHECK (offered_index >= chain_index),
            promoted_at INTEGER NOT NULL,
            generation INTEGER NOT NULL CHECK (generation >= 0),
            password_failures INTEGER NOT NULL CHECK (password_failures >= 0),
            receipt_hashes BLOB NOT NULL CHECK (length(receipt_hashes) <= 128),
            is_restored INTEGER NOT NULL CHECK (is_restored IN (0, 1)),
            last_seen_at INTEGER,
            version INTEGER NOT NULL CHECK (version >= 0),
            CHECK (state <> 'revoked' OR (secrets IS NULL AND chain IS NULL)),
            CHECK (state = 'locked' OR lock_reason IS NULL)
        ) STRICT
        """,
        "CREATE INDEX device_by_account ON device (account, created_at, id)",
        """
        CREATE TABLE code_counter (
            device BLOB NOT NULL CHECK (length(device) = 16),
            instance INTEGER NOT NULL CHECK (instance BETWEEN 0 AND 255),
            application INTEGER NOT NULL CHECK (application BETWEEN 0 AND 255),
            next INTEGER NOT NULL CHECK (next >= 0),
            drift INTEGER NOT NULL,
            PRIMARY KEY (device, instance, application)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE throttle (
            account TEXT NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('code', 'staticPassword')),
            source TEXT NOT NULL,
            consecutive INTEGER NOT NULL CHECK (consecutive >= 0),
            total INTEGER NOT NULL CHECK (total >= 0),
            level INTEGER NOT NULL CHECK (level >= 0),
            level_since INTEGER NOT NULL,
            blocked_until INTEGER,
            untold INTEGER NOT NULL CHECK (untold >= 0),
            used_at INTEGER NOT NULL,
            version INTEGER NOT NULL CHECK (version >= 0),
            PRIMARY KEY (account, kind, source)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE replay (
            device BLOB NOT NULL CHECK (length(device) = 16),
            request BLOB NOT NULL CHECK (length(request) = 16),
            request_hash BLOB NOT NULL,
            answer BLOB NOT NULL,
            kept_until INTEGER NOT NULL,
            PRIMARY KEY (device, request)
        ) STRICT
        """,
        "CREATE INDEX replay_by_kept_until ON replay (kept_until)",
        """
        CREATE TABLE api_key (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            scope TEXT NOT NULL CHECK (scope IN ('app-server', 'admin')),
            secret_hash BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            revoked_at INTEGER
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE platform_key (
            id BLOB NOT NULL PRIMARY KEY,
            purpose TEXT NOT NULL CHECK (purpose IN ('signing', 'sealing')),
            suite INTEGER NOT NULL CHECK (suite BETWEEN 0 AND 255),
            public_key BLOB NOT NULL,
            private_key BLOB NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE audit (
            sequence INTEGER PRIMARY KEY,
            time INTEGER NOT NULL,
            event TEXT NOT NULL,
            account TEXT,
            device BLOB,
            reason TEXT NOT NULL
        ) STRICT
        """,
        "CREATE INDEX audit_by_account ON audit (account, sequence)",
        """
        CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END
        """,
        """
        CREATE TRIGGER audit_is_never_shortened BEFORE DELETE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END
        """,
    ]
}
