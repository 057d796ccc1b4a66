extension Schema {
    /// Returns a statement in the SQL of PostgreSQL. Words in capitals stand nowhere but in types and clauses.
    static func postgreSQL(_ statement: String) -> String {
        [
            // Transactions commit in another order than they append. So an entry or an event gets its number later: see
            // `arrivals`.
            (
                "sequence INTEGER PRIMARY KEY AUTOINCREMENT CHECK",
                "arrival INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY, sequence INTEGER UNIQUE CHECK"
            ),
            (
                "sequence INTEGER PRIMARY KEY,",
                "arrival INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY, sequence INTEGER UNIQUE,"
            ),
            ("length(CAST(session_id AS BLOB))", "octet_length(session_id)"),
            ("length(CAST(notice_text AS BLOB))", "octet_length(notice_text)"),
            ("length(CAST(refusal_text AS BLOB))", "octet_length(refusal_text)"),
            ("NOT GLOB '*[^0-9]*'", "!~ '[^0-9]'"),
            ("INTEGER", "BIGINT"),
            ("BLOB", "BYTEA"),
            // Names compare by their bytes.
            ("TEXT", "TEXT COLLATE \"C\""),
            (" STRICT, WITHOUT ROWID", ""),
            (" STRICT", ""),
        ].reduce(statement) { $0.replacing($1.0, with: $1.1) }
    }

    /// What only PostgreSQL has. Rows of `audit` and `event` have no number when they are committed. The maintenance and
    /// the delivery of events give numbers in the order of `arrival`, one process at a time. A lost commit is found by
    /// the id of its entry.
    static let arrivals = [
        "CREATE INDEX audit_by_arrival ON audit (arrival) WHERE sequence IS NULL",
        "CREATE UNIQUE INDEX audit_by_id ON audit (id) WHERE length(id) = 16",
        "CREATE INDEX event_by_arrival ON event (arrival) WHERE sequence IS NULL",
        "CREATE SEQUENCE event_numbers",
        """
        CREATE FUNCTION refuse_audit_update() RETURNS trigger LANGUAGE plpgsql AS '
        BEGIN
            IF old.sequence IS NOT NULL OR to_jsonb(new) - ''sequence'' <> to_jsonb(old) - ''sequence'' THEN
                RAISE EXCEPTION ''the audit log is append-only'';
            END IF;
            RETURN new;
        END'
        """,
        """
        CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
        FOR EACH ROW EXECUTE FUNCTION refuse_audit_update()
        """,
        """
        CREATE FUNCTION refuse_audit_delete() RETURNS trigger LANGUAGE plpgsql AS '
        BEGIN
            IF old.sequence IS NULL OR old.sequence < 1
                OR old.sequence > coalesce((SELECT audit_pruned_size FROM platform_state), 0) THEN
                RAISE EXCEPTION ''only the pruned part of the audit log can be deleted'';
            END IF;
            RETURN old;
        END'
        """,
        """
        CREATE TRIGGER audit_is_never_shortened BEFORE DELETE ON audit
        FOR EACH ROW EXECUTE FUNCTION refuse_audit_delete()
        """,
    ]
}
