/// The fourteenth step: open changes of passwords, and the name of the change key.
///
/// Rows from before have no open change. The platform stores the name when it first starts on the database.
enum PasswordChangeSchema {
    static let statements = [
        "ALTER TABLE device ADD COLUMN offered_generation INTEGER NOT NULL DEFAULT 0 CHECK (offered_generation >= 0)",
        """
        ALTER TABLE platform_state
            ADD COLUMN change_key_id BLOB CHECK (change_key_id IS NULL OR length(change_key_id) = 8)
        """,
    ]
}
