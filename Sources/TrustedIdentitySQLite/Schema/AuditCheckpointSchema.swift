/// The thirty-second step: checkpoints of the audit log that the platform signs at intervals.
enum AuditCheckpointSchema {
    static let statements = [
        """
        CREATE TABLE audit_checkpoint (
            size INTEGER PRIMARY KEY CHECK (size >= 1),
            created_at INTEGER NOT NULL,
            note TEXT NOT NULL
        ) STRICT
        """
    ]
}
