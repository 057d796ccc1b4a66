/// The twenty-eighth step: the names of the master keys, and what is kept of earlier ones.
///
/// A database whose master key was never replaced has no values in these columns.
enum MasterKeySchema {
    static let statements =
        ["master_key_id", "previous_master_key_id"].map {
            "ALTER TABLE platform_state ADD COLUMN \($0) TEXT CHECK (\($0) IS NULL OR length(\($0)) BETWEEN 1 AND 32)"
        } + ["ALTER TABLE platform_state ADD COLUMN retained_keys BLOB"]
}
