/// The eighteenth step: what devices report about themselves, and the rules of a policy that depend on it.
enum DeviceDataSchema {
    static let statements = [
        """
        CREATE TABLE device_data (
            device BLOB NOT NULL PRIMARY KEY CHECK (length(device) = 16),
            content BLOB NOT NULL CHECK (length(content) <= 8192),
            kept_until INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX device_data_by_kept_until ON device_data (kept_until)",
        "ALTER TABLE approval ADD COLUMN device_rules BLOB",
    ]
}
