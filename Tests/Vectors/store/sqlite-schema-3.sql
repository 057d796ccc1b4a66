-- The schema of a SQLite store as commit 9072d5c made it (Sources/TrustedIdentitySQLite/Schema of that commit): step 3, after step 2.
ALTER TABLE activation_code RENAME TO activation_password;
DROP INDEX activation_code_by_expires_at;
CREATE INDEX activation_password_by_expires_at ON activation_password (expires_at) WHERE secret IS NOT NULL;
ALTER TABLE device RENAME COLUMN chain TO ratchet;
ALTER TABLE device RENAME COLUMN chain_index TO ratchet_index;
ALTER TABLE throttle RENAME COLUMN untold TO unreported;
INSERT INTO grdb_migrations VALUES ('3 the words of the glossary');
