-- The schema of a SQLite store as commit c400581d made it (Sources/TrustedIdentitySQLite/Schema of that commit): step 2, after step 1.
ALTER TABLE activation_session ADD COLUMN source TEXT NOT NULL DEFAULT '';
CREATE INDEX activation_session_by_source ON activation_session (source);
CREATE INDEX activation_session_by_expires_at ON activation_session (expires_at) WHERE keys IS NOT NULL;
CREATE INDEX activation_code_by_expires_at ON activation_code (expires_at) WHERE secret IS NOT NULL;
CREATE INDEX device_by_pending_until ON device (pending_until) WHERE (state = 'pending' OR (state = 'locked' AND state_before_lock = 'pending'));
CREATE TABLE audit_tally (
    hour INTEGER NOT NULL CHECK (hour % 3600000 = 0),
    event TEXT NOT NULL,
    reason TEXT NOT NULL,
    count INTEGER NOT NULL CHECK (count >= 1),
    PRIMARY KEY (hour, event, reason)
) STRICT, WITHOUT ROWID;
INSERT INTO grdb_migrations VALUES ('2 sources of exchanges, tallies, what is to be forgotten');
INSERT INTO audit_tally (hour, event, reason, count) VALUES (3600000, 'activation.tried', 'unknownUser', 7);
