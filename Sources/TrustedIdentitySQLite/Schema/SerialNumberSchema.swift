/// The twenty-third and the next step: activated devices are found by their serial numbers, and counted without reading
/// their rows.
enum SerialNumberSchema {
    /// The condition of a device that was activated. A query uses the index by the same condition.
    static let activated = "activated_at IS NOT NULL"

    static let statements = [
        """
        CREATE INDEX device_by_serial_number ON device (serial_number, id, account, state) WHERE \(activated)
        """
    ]

    /// The column of the condition is in the index, too: SQLite 3.40 reads the row to test the condition otherwise.
    static let covering = [
        "DROP INDEX device_by_serial_number",
        """
        CREATE INDEX device_by_serial_number ON device (serial_number, id, account, state, activated_at)
        WHERE \(activated)
        """,
    ]
}
