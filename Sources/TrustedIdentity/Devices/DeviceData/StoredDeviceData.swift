internal import OrchestrationProtocol
internal import Primitives

/// The latest device data of a device, as it is sealed in its row.
struct StoredDeviceData: Sendable, Equatable {
    /// An event that the app reported with its data.
    struct Event: Sendable, Equatable {
        let name: String
        let applicationData: String?
        /// The signed time of the message.
        let time: Timestamp
    }

    /// The signed time of the request that brought the data.
    var sentAt: Timestamp
    var data: DeviceData
    /// The latest event.
    var event: Event?

    /// The encoding: `[1, time, data, event]`.
    var encoded: [UInt8] {
        var writer = CBORWriter(capacity: data.encoded.count + 128)
        writer.array(4)
        writer.unsigned(1)
        writer.integer(sentAt.millisecondsSinceEpoch)
        writer.bytes(data.encoded)
        if let event {
            writer.array(3)
            writer.text(event.name)
            if let applicationData = event.applicationData { writer.text(applicationData) } else { writer.null() }
            writer.integer(event.time.millisecondsSinceEpoch)
        } else {
            writer.null()
        }
        return writer.finish()
    }
}

extension StoredDeviceData {
    init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 4)
        guard try reader.readUnsigned() == 1 else { throw WireError(.unsupportedVersion) }
        sentAt = Timestamp(millisecondsSinceEpoch: try reader.readInteger())
        data = try DeviceData(decoding: reader.readBytes(maximum: FieldLimit.deviceData))
        if try !reader.readIfNull() {
            try reader.readArray(count: 3)
            event = Event(
                name: try reader.readText(maximumBytes: FieldLimit.deviceDataEvent),
                applicationData: try reader.readIfNull()
                    ? nil : try reader.readText(maximumBytes: FieldLimit.deviceDataText),
                time: Timestamp(millisecondsSinceEpoch: try reader.readInteger()))
        }
        try reader.finish()
    }

    /// Opens a row.
    ///
    /// - Returns: `nil` for a row whose time is over, and for a row that does not open: it was altered, or belongs to
    ///   other data keys. Device data is a claim, and a device sends it again on request.
    init?(
        _ record: DeviceDataRecord, of device: DeviceRecord, sealer: RowSealer, keptFor retention: Duration,
        now: Timestamp
    ) {
        guard
            let plaintext = try? sealer.open(
                record.content, .deviceData, row: device.id, owner: RowOwner(device), revision: 0)
        else { return nil }
        let bytes = plaintext.withBytes { [UInt8]($0) }
        guard let stored = try? StoredDeviceData(decoding: bytes),
            now < stored.sentAt.advanced(by: retention)
        else { return nil }
        self = stored
    }

    /// Returns the row.
    func record(of device: DeviceRecord, sealer: RowSealer, keptFor retention: Duration) throws -> DeviceDataRecord {
        DeviceDataRecord(
            device: device.id,
            content: try sealer.seal(
                SecretBytes(copying: encoded), .deviceData, row: device.id, owner: RowOwner(device), revision: 0),
            keptUntil: sentAt.advanced(by: retention))
    }
}
