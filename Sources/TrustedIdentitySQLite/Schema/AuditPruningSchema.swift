/// The thirty-first step: the first entries of the audit log can be pruned.
///
/// The row about the platform, which is authenticated, has the size of the pruned part. Only the rows of that part can
/// be deleted. The table `audit_peak` has the seals that the tree of the log needs of them.
enum AuditPruningSchema {
    static let statements = [
        """
        ALTER TABLE platform_state ADD COLUMN audit_pruned_size INTEGER
            CHECK (audit_pruned_size IS NULL OR audit_pruned_size >= 1)
        """,
        """
        ALTER TABLE platform_state ADD COLUMN audit_pruned_root BLOB
            CHECK (audit_pruned_root IS NULL OR length(audit_pruned_root) = 32)
        """,
        "ALTER TABLE platform_state ADD COLUMN audit_pruned_has_rows INTEGER",
        """
        CREATE TABLE audit_peak (
            sequence INTEGER PRIMARY KEY,
            subtree BLOB CHECK (subtree IS NULL OR length(subtree) = 32),
            \(AuthenticationSchema.column)
        ) STRICT
        """,
        "DROP TRIGGER audit_is_never_shortened",
        """
        CREATE TRIGGER audit_is_never_shortened BEFORE DELETE ON audit
        WHEN old.sequence < 1 OR old.sequence > ifnull((SELECT audit_pruned_size FROM platform_state), 0)
        BEGIN SELECT RAISE(ABORT, 'only the pruned part of the audit log can be deleted'); END
        """,
    ]
}
