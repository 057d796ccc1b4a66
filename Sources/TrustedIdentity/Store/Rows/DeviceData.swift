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

extension SQLiteTransaction {
    func deviceData(of device: [UInt8]) throws -> DeviceDataRecord? {
        try record("WHERE device = :device", ["device": device])
    }

    func put(_ record: DeviceDataRecord) throws { try replaceRow(record) }

    func removeDeviceData(of device: [UInt8]) throws {
        try run("DELETE FROM device_data WHERE device = :device", ["device": device])
    }
}
