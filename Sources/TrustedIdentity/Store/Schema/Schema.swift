/// The schema of a database. It constrains what a column may hold, independently of the Swift code above it.
///
/// There are no foreign keys. A row may name an account or a device that was removed or never existed, such as the
/// exchange of an unknown user. A deferred key would fail at the commit, which the jobs of other callers share.
package enum Schema {
    /// The condition of a pending approval request. Queries use the partial indexes by the same condition.
    static let isPending = "state = 'pending'"
    /// The condition of a device that never completed its activation.
    static let isUnfinished = "(state = 'pending' OR (state = 'locked' AND state_before_lock = 'pending'))"
    /// The condition of a device that was activated.
    static let isActivated = "activated_at IS NOT NULL"
    /// The condition of a revoked device.
    static let isRevoked = "state = 'revoked'"
    /// The condition of a replay that is a refusal.
    static let isRefusal = "refusal IS NOT NULL"
    /// The condition of a count of failures that limits nothing and only remembers a source.
    static let isIdleSource = """
        source <> '' AND source <> 'overall' AND consecutive = 0 AND total = 0 AND level = 0 AND unreported = 0 \
        AND blocked_until IS NULL
        """

    /// Returns the statements of each revision. A revision is appended; a released one is never changed.
    package static func revisions(_ dialect: SQLDialect) -> [[String]] {
        switch dialect {
        case .sqlite: [tables + auditTriggers]
        case .postgreSQL: [tables.map(postgreSQL) + arrivals]
        }
    }

    private static let tables = platform + accounts + activation + devices + login + approvals + audit + events

    private static let authenticationCode =
        "authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32)"

    private static func number(_ name: String) -> String { "\(name) INTEGER NOT NULL CHECK (\(name) >= 0)" }

    private static let platform = [
        """
        CREATE TABLE platform_state (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            tenant TEXT NOT NULL CHECK (length(tenant) BETWEEN 1 AND 64),
            created_at INTEGER NOT NULL,
            restored_at INTEGER,
            \(number("epoch")),
            \(number("restored_sequence")),
            \(number("suspended_below")),
            \(number("suspended_below_before")),
            master_key_id TEXT NOT NULL CHECK (length(master_key_id) BETWEEN 1 AND 32),
            data_keys BLOB NOT NULL,
            \(number("audit_size")),
            audit_pruned_size INTEGER CHECK (audit_pruned_size IS NULL OR audit_pruned_size >= 1),
            audit_pruned_peaks BLOB CHECK (audit_pruned_peaks IS NULL OR length(audit_pruned_peaks) % 32 = 0),
            audit_pruned_has_rows INTEGER,
            revoked_count INTEGER NOT NULL,
            revoked_sum BLOB NOT NULL CHECK (length(revoked_sum) = 32),
            policy_hash BLOB CHECK (policy_hash IS NULL OR length(policy_hash) = 32),
            \(number("version")),
            \(authenticationCode)
        ) STRICT
        """,
        """
        CREATE TABLE platform_key (
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
            \(number("version")),
            \(authenticationCode)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE key_statement (
            sequence INTEGER PRIMARY KEY CHECK (sequence >= 1),
            statement BLOB NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE api_key (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            scope TEXT NOT NULL CHECK (scope IN ('app-server', 'admin', 'helpdesk')),
            secret_hash BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            revoked_at INTEGER,
            \(number("epoch")),
            shows_numbers INTEGER NOT NULL CHECK (shows_numbers IN (0, 1)),
            domains TEXT NOT NULL CHECK (length(domains) <= 2080),
            \(number("version")),
            \(authenticationCode)
        ) STRICT, WITHOUT ROWID
        """,
    ]

    private static let accounts = [
        """
        CREATE TABLE account (
            name TEXT NOT NULL PRIMARY KEY CHECK (name LIKE '%_@_%'),
            created_at INTEGER NOT NULL,
            registration_id TEXT NOT NULL,
            activated_at INTEGER,
            finished_at INTEGER,
            static_password BLOB,
            \(number("registration_epoch")),
            \(number("static_password_epoch")),
            subject BLOB CHECK (subject IS NULL OR length(subject) = 16),
            \(number("version"))
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE UNIQUE INDEX account_by_subject ON account (subject)",
        """
        CREATE TABLE account_risk (
            account TEXT NOT NULL PRIMARY KEY,
            state BLOB NOT NULL CHECK (length(state) <= 65536),
            \(number("version"))
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE account_notice (
            account TEXT NOT NULL,
            number INTEGER NOT NULL CHECK (number >= 1),
            kind INTEGER NOT NULL CHECK (kind >= 1),
            time INTEGER NOT NULL,
            device BLOB NOT NULL CHECK (length(device) = 16),
            kept_until INTEGER NOT NULL,
            PRIMARY KEY (account, number)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX account_notice_by_kept_until ON account_notice (kept_until)",
    ]

    private static let activation = [
        """
        CREATE TABLE activation_password (
            account TEXT NOT NULL PRIMARY KEY,
            registration_id TEXT NOT NULL,
            serial_number TEXT NOT NULL,
            handle INTEGER NOT NULL CHECK (handle BETWEEN 0 AND 32767),
            secret BLOB,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            \(number("tries")),
            spent_at INTEGER,
            moved_device BLOB CHECK (moved_device IS NULL OR length(moved_device) = 16),
            \(number("version"))
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX activation_password_by_expires_at ON activation_password (expires_at) WHERE secret IS NOT NULL",
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
            source TEXT NOT NULL,
            \(number("version"))
        ) STRICT
        """,
        "CREATE INDEX activation_session_by_kept_until ON activation_session (kept_until)",
        "CREATE INDEX activation_session_by_expires_at ON activation_session (expires_at) WHERE keys IS NOT NULL",
        "CREATE INDEX activation_session_by_source ON activation_session (source, expires_at)",
        "CREATE INDEX activation_session_by_age ON activation_session (expires_at)",
    ]

    private static let devices = [
        """
        CREATE TABLE device (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            account TEXT NOT NULL,
            registration_id TEXT NOT NULL,
            serial_number TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('pending', 'pendingNotification', 'active', 'locked', 'revoked')),
            lock_reason TEXT CHECK (lock_reason IN ('wrongPassword', 'cloneSuspected')),
            state_before_lock TEXT CHECK (state_before_lock IN ('pending', 'pendingNotification', 'active')),
            created_at INTEGER NOT NULL,
            pending_until INTEGER NOT NULL,
            activated_at INTEGER,
            revoked_at INTEGER,
            name TEXT NOT NULL,
            sdk_version TEXT NOT NULL,
            methods TEXT NOT NULL,
            capabilities TEXT NOT NULL,
            device_key BLOB NOT NULL,
            device_key_algorithm INTEGER NOT NULL,
            suite INTEGER NOT NULL CHECK (suite BETWEEN 0 AND 255),
            notification_identifier TEXT,
            enrolled_methods BLOB
                CHECK (enrolled_methods IS NULL OR length(enrolled_methods) BETWEEN 1 AND 255),
            secrets BLOB,
            ratchet BLOB,
            channel_key BLOB CHECK (channel_key IS NULL OR \(isRevoked)),
            \(number("ratchet_index")),
            offered_index INTEGER NOT NULL CHECK (offered_index >= ratchet_index),
            promoted_at INTEGER NOT NULL,
            \(number("generation")),
            \(number("offered_generation")),
            \(number("password_failures")),
            failures_end_at INTEGER,
            receipt_hashes BLOB NOT NULL CHECK (length(receipt_hashes) <= 128),
            \(number("key_statement")),
            is_restored INTEGER NOT NULL CHECK (is_restored IN (0, 1)),
            \(number("epoch")),
            last_seen_at INTEGER,
            \(number("version")),
            \(authenticationCode),
            CHECK (NOT \(isRevoked) OR (secrets IS NULL AND ratchet IS NULL)),
            CHECK (state = 'locked' OR lock_reason IS NULL)
        ) STRICT
        """,
        "CREATE INDEX device_by_account ON device (account, created_at, id)",
        "CREATE INDEX device_by_pending_until ON device (pending_until) WHERE \(isUnfinished)",
        "CREATE INDEX device_by_revoked_at ON device (revoked_at, id) WHERE \(isRevoked)",
        // The column of the condition is in the index, too: SQLite 3.40 reads the row to test the condition otherwise.
        """
        CREATE INDEX device_by_serial_number ON device (serial_number, id, account, state, activated_at)
        WHERE \(isActivated)
        """,
        """
        CREATE TABLE device_data (
            device BLOB NOT NULL PRIMARY KEY CHECK (length(device) = 16),
            content BLOB NOT NULL CHECK (length(content) <= 8192),
            kept_until INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX device_data_by_kept_until ON device_data (kept_until)",
        """
        CREATE TABLE unlock_code (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            account TEXT NOT NULL,
            device BLOB NOT NULL CHECK (length(device) = 16),
            handle INTEGER NOT NULL CHECK (handle BETWEEN 0 AND 32767),
            secret_hash BLOB CHECK (secret_hash IS NULL OR length(secret_hash) = 32),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            \(number("tries")),
            generation INTEGER CHECK (generation IS NULL OR generation >= 1),
            \(number("version"))
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE UNIQUE INDEX unlock_code_by_device ON unlock_code (device) WHERE secret_hash IS NOT NULL",
        "CREATE INDEX unlock_code_by_account ON unlock_code (account, created_at)",
        "CREATE INDEX unlock_code_by_created_at ON unlock_code (created_at)",
        """
        CREATE TABLE replay (
            device BLOB NOT NULL CHECK (length(device) = 16),
            request BLOB NOT NULL CHECK (length(request) = 16),
            request_hash BLOB NOT NULL,
            answer BLOB NOT NULL,
            refusal INTEGER CHECK (refusal IS NULL OR (refusal >= 0 AND length(answer) = 0)),
            retry_after INTEGER CHECK (retry_after IS NULL OR (retry_after >= 0 AND \(isRefusal))),
            kept_until INTEGER NOT NULL,
            PRIMARY KEY (device, request)
        ) STRICT
        """,
        "CREATE INDEX replay_by_kept_until ON replay (kept_until)",
        "CREATE INDEX replay_by_refusal ON replay (device, kept_until) WHERE \(isRefusal)",
        """
        CREATE TABLE stream_token (
            token_hash BLOB NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
            device BLOB NOT NULL CHECK (length(device) = 16),
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX stream_token_by_device ON stream_token (device)",
        "CREATE INDEX stream_token_by_expires_at ON stream_token (expires_at)",
    ]

    private static let login = [
        """
        CREATE TABLE code_counter (
            device BLOB NOT NULL CHECK (length(device) = 16),
            instance INTEGER NOT NULL CHECK (instance BETWEEN 0 AND 255),
            application INTEGER NOT NULL CHECK (application BETWEEN 0 AND 255),
            \(number("next")),
            drift INTEGER NOT NULL,
            \(number("first_index")),
            PRIMARY KEY (device, instance, application)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE throttle (
            account TEXT NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('code', 'staticPassword')),
            source TEXT NOT NULL,
            \(number("consecutive")),
            \(number("total")),
            \(number("level")),
            level_since INTEGER NOT NULL,
            blocked_until INTEGER,
            \(number("unreported")),
            used_at INTEGER NOT NULL,
            \(number("version")),
            PRIMARY KEY (account, kind, source)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX throttle_by_used_at ON throttle (used_at) WHERE \(isIdleSource)",
        """
        CREATE TABLE challenge (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            account TEXT NOT NULL,
            principal TEXT NOT NULL,
            challenge TEXT NOT NULL CHECK (length(challenge) BETWEEN 4 AND 16 AND challenge NOT GLOB '*[^0-9]*'),
            expires_at INTEGER NOT NULL,
            used_at INTEGER,
            \(number("version"))
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX challenge_by_account ON challenge (account, expires_at DESC, id)",
        "CREATE INDEX challenge_by_expires_at ON challenge (expires_at)",
    ]

    private static let approvals = [
        """
        CREATE TABLE approval (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            account TEXT NOT NULL,
            kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 255),
            principal TEXT NOT NULL,
            request_id TEXT NOT NULL CHECK (length(request_id) >= 1),
            session_id TEXT CHECK (session_id IS NULL OR length(CAST(session_id AS BLOB)) BETWEEN 1 AND 256),
            source TEXT NOT NULL,
            address TEXT NOT NULL CHECK (length(address) IN (0, 16)),
            request BLOB NOT NULL,
            request_hash BLOB NOT NULL CHECK (length(request_hash) = 32),
            accepted_methods TEXT NOT NULL,
            number BLOB,
            is_announced INTEGER NOT NULL CHECK (is_announced IN (0, 1)),
            amount TEXT,
            currency TEXT CHECK ((currency IS NULL) = (amount IS NULL)),
            creditor BLOB CHECK (creditor IS NULL OR length(creditor) = 16),
            browser BLOB CHECK (browser IS NULL OR length(browser) = 16),
            device_rules BLOB,
            state TEXT NOT NULL CHECK (state IN (
                'pending', 'approved', 'rejected', 'wrongNumber', 'methodRefused', 'expired', 'replaced', 'canceled')),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL CHECK (expires_at > created_at),
            opened_at INTEGER,
            ended_at INTEGER,
            device BLOB CHECK (device IS NULL OR length(device) = 16),
            answer_hash BLOB CHECK (answer_hash IS NULL OR length(answer_hash) = 32),
            reason INTEGER CHECK (reason BETWEEN 0 AND 255),
            receipt BLOB,
            notice_text TEXT CHECK (
                notice_text IS NULL OR (state = 'canceled' AND length(CAST(notice_text AS BLOB)) BETWEEN 1 AND 256)),
            notice_payload BLOB CHECK (
                notice_payload IS NULL OR (state = 'canceled' AND length(notice_payload) BETWEEN 1 AND 1024)),
            refusal_text TEXT CHECK (
                refusal_text IS NULL
                OR (state IN ('pending', 'methodRefused') AND length(CAST(refusal_text AS BLOB)) BETWEEN 1 AND 256)),
            refusal_payload BLOB CHECK (
                refusal_payload IS NULL
                OR (state IN ('pending', 'methodRefused') AND length(refusal_payload) BETWEEN 1 AND 1024)),
            kept_until INTEGER NOT NULL,
            \(number("version")),
            \(authenticationCode),
            CHECK ((\(isPending)) = (ended_at IS NULL)),
            CHECK (\(isPending) OR number IS NULL)
        ) STRICT
        """,
        "CREATE INDEX approval_by_account ON approval (account, created_at, id) WHERE \(isPending)",
        "CREATE UNIQUE INDEX approval_by_request_hash ON approval (request_hash)",
        "CREATE INDEX approval_by_request_id ON approval (principal, request_id, created_at, id)",
        "CREATE INDEX approval_by_pending_request_id ON approval (request_id) WHERE \(isPending)",
        "CREATE INDEX approval_by_session_id ON approval (session_id) WHERE \(isPending)",
        "CREATE INDEX approval_by_expires_at ON approval (expires_at) WHERE \(isPending)",
        "CREATE INDEX approval_by_kept_until ON approval (kept_until)",
        """
        CREATE TABLE policy_decision (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            account TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            record BLOB NOT NULL,
            kept_until INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX policy_decision_by_account ON policy_decision (account, created_at, id)",
        "CREATE INDEX policy_decision_by_kept_until ON policy_decision (kept_until)",
    ]

    private static let audit = [
        """
        CREATE TABLE audit (
            sequence INTEGER PRIMARY KEY,
            id BLOB NOT NULL CHECK (length(id) = 16 OR length(id) = 0),
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
        "CREATE INDEX audit_by_subject ON audit (subject, sequence)",
        """
        CREATE VIEW named_audit AS
        SELECT audit.*, account.name AS account
        FROM audit LEFT JOIN account ON account.subject = audit.subject
        """,
        """
        CREATE TABLE audit_tree (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            size INTEGER NOT NULL CHECK (size >= 1),
            peaks BLOB NOT NULL CHECK (length(peaks) % 32 = 0),
            note TEXT NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE audit_checkpoint (
            size INTEGER PRIMARY KEY CHECK (size >= 1),
            created_at INTEGER NOT NULL,
            note TEXT NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE refusal_count (
            account TEXT PRIMARY KEY,
            hour INTEGER NOT NULL CHECK (hour % 3600000 = 0),
            count INTEGER NOT NULL CHECK (count >= 1)
        ) STRICT, WITHOUT ROWID
        """,
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

    private static let auditTriggers = [
        """
        CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END
        """,
        """
        CREATE TRIGGER audit_is_never_shortened BEFORE DELETE ON audit
        WHEN old.sequence < 1 OR old.sequence > ifnull((SELECT audit_pruned_size FROM platform_state), 0)
        BEGIN SELECT RAISE(ABORT, 'only the pruned part of the audit log can be deleted'); END
        """,
    ]

    /// The events that wait for their delivery. AUTOINCREMENT uses no number twice: an event that is appended after the
    /// removal of all others has a number that the delivery has not seen.
    private static let events = [
        """
        CREATE TABLE event (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT CHECK (sequence >= 1),
            id BLOB NOT NULL CHECK (length(id) = 16),
            kind TEXT NOT NULL,
            time INTEGER NOT NULL,
            account TEXT,
            device BLOB CHECK (device IS NULL OR length(device) = 16),
            reason TEXT NOT NULL,
            request_id TEXT CHECK (request_id IS NULL OR length(request_id) BETWEEN 1 AND 256),
            api_key TEXT,
            until INTEGER,
            count INTEGER NOT NULL CHECK (count >= 1)
        ) STRICT
        """,
        "CREATE INDEX event_by_account ON event (account, sequence)",
    ]
}
