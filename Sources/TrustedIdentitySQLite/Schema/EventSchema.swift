/// The step for events that wait for their delivery to the application server.
///
/// The numbers give their order. AUTOINCREMENT uses none twice: an event that is appended after the removal of all
/// others has a number that the delivery has not seen.
enum EventSchema {
    static let statements = [
        """
        CREATE TABLE event (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT CHECK (sequence >= 1),
            id BLOB NOT NULL CHECK (length(id) = 16),
            kind TEXT NOT NULL,
            time INTEGER NOT NULL,
            account TEXT,
            device BLOB CHECK (device IS NULL OR length(device) = 16),
            reason TEXT NOT NULL,
            request_id TEXT CHECK (request_id IS NULL OR length(request_id) BETWEEN 1 AND 64),
            api_key TEXT,
            until INTEGER,
            count INTEGER NOT NULL CHECK (count >= 1),
            version INTEGER NOT NULL CHECK (version >= 0),
            \(AuthenticationSchema.column)
        ) STRICT
        """,
        "CREATE INDEX event_by_account ON event (account, sequence)",
    ]
}
