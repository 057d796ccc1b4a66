internal import GRDB

/// The schema, as the list of steps that lead to it. Steps are appended; a released step is never changed.
enum Migrations {
    /// Brings a database to the present schema. Its rows stay.
    ///
    /// - Throws: ``SQLiteStoreError/Code/newerSchema`` when the database has a step that this version does not know.
    static func migrate(_ pool: DatabasePool) throws {
        let migrator = migrator()
        guard try !pool.read({ try migrator.hasBeenSuperseded($0) }) else {
            throw SQLiteStoreError(.newerSchema, "the database was written by a newer version of this program")
        }
        try migrator.migrate(pool)
    }

    private static func migrator() -> DatabaseMigrator {
        let steps = [
            ("1 accounts, devices, keys, audit", InitialSchema.statements),
            ("2 sources of exchanges, tallies, what is to be forgotten", RetentionSchema.statements),
            ("3 the words of the glossary", GlossarySchema.statements),
            ("4 authentication of rows", AuthenticationSchema.statements),
            ("5 revoked devices", RevocationSchema.statements),
            ("6 refusals of requests", RefusalSchema.statements),
            ("7 suspension", SuspensionSchema.statements),
            ("8 counters of exchanges", ExchangeCountSchema.statements),
            ("9 finished registrations", FinishSchema.statements),
            ("10 platform keys", PlatformKeySchema.statements),
            ("11 approvals", ApprovalSchema.statements),
            ("12 challenges", ChallengeSchema.statements),
            ("13 browsers of approvals", BrowserSchema.statements),
            ("14 changes of passwords", PasswordChangeSchema.statements),
            ("15 notices of canceled approvals", NoticeSchema.statements),
            ("16 enrolled methods", MethodSchema.statements),
            ("17 notices of refused answers", RefusalNoticeSchema.statements),
            ("18 device data", DeviceDataSchema.statements),
            ("19 subjects and origins of audit entries", AuditOriginSchema.statements),
            ("20 sessions of approvals", ApprovalSessionSchema.statements),
            ("21 entries that the audit log does not list", UnlistedAuditSchema.statements),
            ("22 domains of API keys", DomainSchema.statements),
            ("23 devices by serial number", SerialNumberSchema.statements),
            ("24 an index that covers counts of devices", SerialNumberSchema.covering),
            ("25 tree of the audit log", AuditTreeSchema.statements),
            ("27 idle counts of failures", IdleThrottleSchema.statements),
            ("28 replacement of the master key", MasterKeySchema.statements),
            ("29 events that wait for their delivery", EventSchema.statements),
            ("30 rows of refusals before the first one", RefusalRowSchema.statements),
            ("31 pruning of the audit log", AuditPruningSchema.statements),
            ("32 checkpoints of the audit log", AuditCheckpointSchema.statements),
        ]
        var migrator = DatabaseMigrator()
        for (name, statements) in steps {
            migrator.registerMigration(name) { database in
                for statement in statements { try database.execute(sql: statement) }
            }
        }
        return migrator
    }
}

/// The second step: sources that bound the number of exchanges, tallies, and the indexes of what expires.
enum RetentionSchema {
    /// The condition of a device that never completed its activation. A query uses the index by the same condition.
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

/// The third step: tables, columns and indexes have the names that the code and the documentation use.
enum GlossarySchema {
    static let statements = [
        "ALTER TABLE activation_code RENAME TO activation_password",
        "DROP INDEX activation_code_by_expires_at",
        "CREATE INDEX activation_password_by_expires_at ON activation_password (expires_at) WHERE secret IS NOT NULL",
        "ALTER TABLE device RENAME COLUMN chain TO ratchet",
        "ALTER TABLE device RENAME COLUMN chain_index TO ratchet_index",
        "ALTER TABLE throttle RENAME COLUMN untold TO unreported",
    ]
}

/// The fourth step: rows have an HMAC, and API keys a version.
///
/// The new columns are empty. The platform fills them with its master key when it first starts on the database.
enum AuthenticationSchema {
    static let column =
        "authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32)"

    static let statements = [
        "ALTER TABLE account ADD COLUMN \(column)",
        "ALTER TABLE device ADD COLUMN \(column)",
        "ALTER TABLE api_key ADD COLUMN \(column)",
        "ALTER TABLE api_key ADD COLUMN version INTEGER NOT NULL DEFAULT 0 CHECK (version >= 0)",
    ]
}
