extension DeviceDataRecord: StoredRecord {
    static let table = Table<DeviceDataRecord>(
        "device_data",
        key: [.init("device", \.device)],
        columns: [
            .init("content", \.content),
            .init("kept_until", \.keptUntil),
        ])

    init(row: StoredRow) throws {
        self.init(device: try row["device"], content: try row["content"], keptUntil: try row["kept_until"])
    }
}

extension StoreReader {
    /// Returns the device data of a device (16 bytes); nil if there are none. Their time may be over.
    package func deviceData(of device: [UInt8]) throws -> DeviceDataRecord? {
        try record("WHERE device = $1", [device])
    }
}

extension StoreTransaction {
    /// Stores the device data of a device, and replaces what the row has.
    package func put(_ record: DeviceDataRecord) throws { try replaceRow(record) }

    /// Deletes the device data of a device.
    package func removeDeviceData(of device: [UInt8]) throws {
        try run("DELETE FROM device_data WHERE device = $1", [device])
    }
}
