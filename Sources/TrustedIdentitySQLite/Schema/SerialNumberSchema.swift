/// The twenty-third step: activated devices are found by their serial numbers, and counted without reading their rows.
enum SerialNumberSchema {
    /// The condition of a device that was activated. A query uses the index by the same condition.
    static let activated = "activated_at IS NOT NULL"

    static let statements = [
        """
        CREATE INDEX device_by_serial_number ON device (serial_number, id, account, state) WHERE \(activated)
        """
    ]
}
