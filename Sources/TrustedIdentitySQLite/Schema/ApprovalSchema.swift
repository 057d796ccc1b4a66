/// The eleventh step: approval requests with their receipts, risk states of accounts, records of decisions, stream
/// tokens, and API keys of sites that show numbers.
enum ApprovalSchema {
    /// The condition of a pending request. A query uses the indexes by the same condition.
    static let pending = "state = 'pending'"

    static let statements = [
        """
        CREATE TABLE approval (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            account TEXT NOT NULL,
            kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 255),
            principal TEXT NOT NULL,
            request_id TEXT NOT NULL CHECK (length(request_id) >= 1),
            source TEXT NOT NULL,
            request BLOB NOT NULL,
            request_hash BLOB NOT NULL CHECK (length(request_hash) = 32),
            accepted_methods TEXT NOT NULL,
            number BLOB,
            is_announced INTEGER NOT NULL CHECK (is_announced IN (0, 1)),
            amount TEXT,
            currency TEXT CHECK ((currency IS NULL) = (amount IS NULL)),
            creditor BLOB CHECK (creditor IS NULL OR length(creditor) = 16),
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
            kept_until INTEGER NOT NULL,
            version INTEGER NOT NULL CHECK (version >= 0),
            authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32),
            CHECK ((\(pending)) = (ended_at IS NULL)),
            CHECK (\(pending) OR number IS NULL)
        ) STRICT
        """,
        "CREATE INDEX approval_by_account ON approval (account, created_at, id) WHERE \(pending)",
        "CREATE UNIQUE INDEX approval_by_request_hash ON approval (request_hash)",
        "CREATE INDEX approval_by_request_id ON approval (principal, request_id, created_at, id)",
        "CREATE INDEX approval_by_expires_at ON approval (expires_at) WHERE \(pending)",
        "CREATE INDEX approval_by_kept_until ON approval (kept_until)",
        """
        CREATE TABLE account_risk (
            account TEXT NOT NULL PRIMARY KEY,
            state BLOB NOT NULL CHECK (length(state) <= 65536),
            version INTEGER NOT NULL CHECK (version >= 0),
            authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32)
        ) STRICT, WITHOUT ROWID
        """,
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
        """
        CREATE TABLE stream_token (
            token_hash BLOB NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
            device BLOB NOT NULL CHECK (length(device) = 16),
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX stream_token_by_device ON stream_token (device)",
        "CREATE INDEX stream_token_by_expires_at ON stream_token (expires_at)",
        """
        ALTER TABLE api_key ADD COLUMN shows_numbers INTEGER NOT NULL DEFAULT 0 CHECK (shows_numbers IN (0, 1))
        """,
    ]
}

/// The thirteenth step: the browser in which an approval began.
enum BrowserSchema {
    static let statements = [
        "ALTER TABLE approval ADD COLUMN browser BLOB CHECK (browser IS NULL OR length(browser) = 16)"
    ]
}

/// The notice that the application server gives with the cancellation of an approval request.
enum NoticeSchema {
    static let statements = [
        """
        ALTER TABLE approval ADD COLUMN notice_text TEXT CHECK (
            notice_text IS NULL OR (state = 'canceled' AND length(CAST(notice_text AS BLOB)) BETWEEN 1 AND 256))
        """,
        """
        ALTER TABLE approval ADD COLUMN notice_payload BLOB CHECK (
            notice_payload IS NULL OR (state = 'canceled' AND length(notice_payload) BETWEEN 1 AND 1024))
        """,
    ]
}

/// The notice that the application server gives with an approval request, for an answer that the policy refuses.
enum RefusalNoticeSchema {
    static let statements = [
        """
        ALTER TABLE approval ADD COLUMN refusal_text TEXT CHECK (
            refusal_text IS NULL
            OR (state IN ('pending', 'methodRefused') AND length(CAST(refusal_text AS BLOB)) BETWEEN 1 AND 256))
        """,
        """
        ALTER TABLE approval ADD COLUMN refusal_payload BLOB CHECK (
            refusal_payload IS NULL
            OR (state IN ('pending', 'methodRefused') AND length(refusal_payload) BETWEEN 1 AND 1024))
        """,
    ]
}

/// The session that the application server names, and the indexes to find a pending request by the text in a QR code.
enum ApprovalSessionSchema {
    static let statements = [
        """
        ALTER TABLE approval ADD COLUMN session_id TEXT CHECK (
            session_id IS NULL OR length(CAST(session_id AS BLOB)) BETWEEN 1 AND 64)
        """,
        "CREATE INDEX approval_by_pending_request_id ON approval (request_id) WHERE \(ApprovalSchema.pending)",
        "CREATE INDEX approval_by_session_id ON approval (session_id) WHERE \(ApprovalSchema.pending)",
    ]
}
