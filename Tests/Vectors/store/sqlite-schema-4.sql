-- The schema of a SQLite store as commit 3b5c1b6 made it (Sources/TrustedIdentitySQLite/Schema of that commit): step 4, after step 3.
ALTER TABLE account ADD COLUMN authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32);
ALTER TABLE device ADD COLUMN authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32);
ALTER TABLE api_key ADD COLUMN authentication_code BLOB CHECK (authentication_code IS NULL OR length(authentication_code) = 32);
ALTER TABLE api_key ADD COLUMN version INTEGER NOT NULL DEFAULT 0 CHECK (version >= 0);
INSERT INTO grdb_migrations VALUES ('4 authentication of rows');
