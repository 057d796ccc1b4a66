internal import Primitives

extension DeviceRecord: StoredRecord {
    static let table = Table<DeviceRecord>(
        versioned: "device",
        key: [.init("id", \.id)],
        columns: [
            .init("account", \.account),
            .init("registration_id", \.registrationID),
            .init("serial_number", \.serialNumber),
            .init("state", \.state),
            .init("lock_reason", \.lockReason),
            .init("state_before_lock", \.stateBeforeLock),
            .init("created_at", \.createdAt),
            .init("pending_until", \.pendingUntil),
            .init("activated_at", \.activatedAt),
            .init("revoked_at", \.revokedAt),
            .init("name", \.name),
            .init("sdk_version", \.sdkVersion),
            .init("methods") { Numbers($0.methods) },
            .init("enrolled_methods") { $0.enrolledMethods.encoded },
            .init("device_key", \.deviceKey),
            .init("device_key_algorithm", \.deviceKeyAlgorithm),
            .init("suite", \.suite),
            .init("notification_identifier", \.notificationIdentifier),
            .init("secrets", \.secrets),
            .init("ratchet", \.ratchet),
            .init("channel_key", \.channelKey),
            .init("ratchet_index", \.ratchetIndex),
            .init("offered_index", \.offeredIndex),
            .init("promoted_at", \.promotedAt),
            .init("generation", \.generation),
            .init("offered_generation", \.offeredGeneration),
            .init("password_failures", \.passwordFailures),
            .init("failures_end_at", \.failuresEndAt),
            .init("receipt_hashes", \.receiptHashes),
            .init("key_statement", \.keyStatement),
            .init("capabilities") { Numbers($0.capabilities) },
            .init("is_restored", \.isRestored),
            .init("epoch", \.epoch),
            .init("last_seen_at", \.lastSeenAt),
        ], isAuthenticated: true)

    init(row: StoredRow) throws {
        let methods: Numbers = try row["methods"]
        self.init(
            id: try row["id"], account: try row["account"], registrationID: try row["registration_id"],
            serialNumber: try row["serial_number"], createdAt: try row["created_at"],
            pendingUntil: try row["pending_until"], name: try row["name"], sdkVersion: try row["sdk_version"],
            methods: methods.values, deviceKey: try row["device_key"], suite: try row["suite"],
            secrets: try row["secrets"], ratchet: try row["ratchet"], promotedAt: try row["promoted_at"])
        enrolledMethods = try [EnrolledMethod](stored: try row["enrolled_methods"])
        state = try row["state"]
        lockReason = try row["lock_reason"]
        stateBeforeLock = try row["state_before_lock"]
        activatedAt = try row["activated_at"]
        revokedAt = try row["revoked_at"]
        channelKey = try row["channel_key"]
        notificationIdentifier = try row["notification_identifier"]
        ratchetIndex = try row["ratchet_index"]
        offeredIndex = try row["offered_index"]
        generation = try row["generation"]
        offeredGeneration = try row["offered_generation"]
        passwordFailures = try row["password_failures"]
        failuresEndAt = try row["failures_end_at"]
        receiptHashes = try row["receipt_hashes"]
        deviceKeyAlgorithm = try row["device_key_algorithm"]
        keyStatement = try row["key_statement"]
        let agreed: Numbers = try row["capabilities"]
        capabilities = agreed.values
        isRestored = try row["is_restored"]
        epoch = try row["epoch"]
        lastSeenAt = try row["last_seen_at"]
        version = try row["version"]
    }
}

extension StoreReader {
    /// Returns the device of an id (16 bytes), revoked ones included.
    package func device(_ id: [UInt8]) throws -> DeviceRecord? { try record("WHERE id = $1", [id]) }

    /// Returns devices in the order of their ids, revoked ones included, for walks over all of them.
    ///
    /// - Parameters:
    ///   - id: The id before the first device to return; nil for the start.
    ///   - limit: The maximum number of devices to return, 1 or more.
    package func devices(after id: [UInt8]?, limit: Int) throws -> [DeviceRecord] {
        // Every id comes after the empty one.
        try page(by: "id", after: id ?? [], limit: limit)
    }

    /// Returns devices that were ever activated, in the order of the UTF-8 of their serial numbers, ties by id.
    ///
    /// - Parameters:
    ///   - filter: The choice of devices.
    ///   - offset: The number of chosen devices to skip, 0 or more.
    ///   - limit: The maximum number of devices to return, 1 or more.
    package func activatedDevices(matching filter: DeviceFilter, offset: Int, limit: Int) throws -> [DeviceRecord] {
        let choice = DeviceChoice(filter, after: [max(0, limit), max(0, offset)])
        return try records(
            "WHERE \(choice.condition) ORDER BY serial_number, id LIMIT $1 OFFSET $2", choice.values)
    }

    /// Returns the number of devices that were ever activated and that a filter selects.
    package func activatedDeviceCount(matching filter: DeviceFilter) throws -> Int {
        let choice = DeviceChoice(filter)
        return try value("SELECT count(*) FROM device WHERE \(choice.condition)", choice.values) ?? 0
    }

    /// Returns all devices of an account, revoked ones included, the oldest first, ties by id.
    ///
    /// - Parameter account: `user@domain`, normalized.
    package func devices(of account: String) throws -> [DeviceRecord] {
        try records("WHERE account = $1 ORDER BY created_at, id", [account])
    }
}

extension StoreTransaction {
    /// Returns the devices that did not complete their activation in time: those in the state `pending`, or locked in
    /// it, with `pendingUntil <= time`; the earliest first.
    ///
    /// - Parameters:
    ///   - time: The latest `pendingUntil`.
    ///   - limit: The maximum number of devices to return.
    package func unfinishedDevices(until time: Timestamp, limit: Int) throws -> [DeviceRecord] {
        try first(limit, "WHERE \(Schema.isUnfinished) AND pending_until <= $1 ORDER BY pending_until", time)
    }

    /// Returns the ids of the revoked devices with `revokedAt <= time`, the earliest first. No other column is read.
    ///
    /// - Parameters:
    ///   - time: The latest `revokedAt`.
    ///   - limit: The maximum number of devices to return.
    package func revokedDevices(until time: Timestamp, limit: Int) throws -> [[UInt8]] {
        try values(
            """
            SELECT id FROM device WHERE \(Schema.isRevoked) AND revoked_at <= $1
            ORDER BY revoked_at LIMIT $2
            """, [time, max(0, limit)])
    }

    /// Stores a device. Returns false if the id is taken.
    package func insert(_ record: DeviceRecord) throws -> Bool { try insertRow(record) }

    /// Deletes a device, its code counters and its device data.
    package func removeDevice(_ id: [UInt8]) throws {
        try removeCodeCounters(of: id)
        try removeDeviceData(of: id)
        // An altered row does not say whether it was counted. The sum then shows the alteration.
        let isRevoked = try ifUnaltered { try device(id) }?.state == .revoked
        try run("DELETE FROM device WHERE id = $1", [id])
        if isRevoked { try noteRemoved(id, in: DeviceRecord.table.name) }
    }
}
