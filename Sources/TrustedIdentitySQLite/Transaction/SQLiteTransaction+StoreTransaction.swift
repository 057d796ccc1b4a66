internal import GRDB
internal import Primitives
internal import TrustedIdentity

extension SQLiteTransaction: StoreTransaction {
    func insert(_ record: PlatformStateRecord) throws -> Bool { try insertRow(record) }
    func update(_ record: PlatformStateRecord) throws -> Bool { try updateRow(record) }

    func insert(_ record: AccountRecord) throws -> Bool { try insertRow(record) }
    func update(_ record: AccountRecord) throws -> Bool { try updateRow(record) }
    func removeAccount(_ name: String) throws {
        for table in ["activation_code WHERE account", "throttle WHERE account", "account WHERE name"] {
            _ = try run("DELETE FROM \(table) = ?", [.text(name)])
        }
    }

    func put(_ record: ActivationPasswordRecord) throws {
        _ = try run(ActivationPasswordRecord.table.replace, record.keyValues + record.otherValues)
    }
    func update(_ record: ActivationPasswordRecord) throws -> Bool { try updateRow(record) }
    func spendTry(account: String, registrationID: String, limit: Int, now: Timestamp) throws -> Bool {
        try run(
            """
            UPDATE activation_code SET tries = tries + 1, version = version + 1
            WHERE account = ? AND registration_id = ? AND spent_at IS NULL AND expires_at > ? AND tries < ?
            """, [.text(account), .text(registrationID), .time(now), .count(limit)]) == 1
    }
    func returnTry(account: String, registrationID: String) throws -> Bool {
        try run(
            """
            UPDATE activation_code SET tries = tries - 1, version = version + 1
            WHERE account = ? AND registration_id = ? AND tries > 0
            """, [.text(account), .text(registrationID)]) == 1
    }

    func insert(_ record: ActivationSessionRecord) throws -> Bool { try insertRow(record) }
    func update(_ record: ActivationSessionRecord) throws -> Bool { try updateRow(record) }

    func insert(_ record: DeviceRecord) throws -> Bool { try insertRow(record) }
    func update(_ record: DeviceRecord) throws -> Bool { try updateRow(record) }
    func removeDevice(_ id: [UInt8]) throws {
        try removeCodeCounters(of: id)
        _ = try run("DELETE FROM device WHERE id = ?", [.bytes(id)])
    }
    func markDevicesRestored(locking: Bool) throws -> Int {
        // Every right side reads the row as it was.
        let lock = """
            , state_before_lock = CASE state WHEN 'locked' THEN state_before_lock ELSE state END,
            lock_reason = CASE state WHEN 'locked' THEN lock_reason ELSE 'restored' END, state = 'locked'
            """
        return try run(
            """
            UPDATE device SET is_restored = 1, version = version + 1 \(locking ? lock : "")
            WHERE state <> 'revoked'
            """, [])
    }

    func move(_ record: CodeCounterRecord, from expected: CodeCounterRecord?) throws -> Bool {
        guard let expected else { return try insertRow(record) }
        return try run(
            """
            UPDATE code_counter SET next = ?, drift = ?
            WHERE device = ? AND instance = ? AND application = ?
                AND device = ? AND instance = ? AND application = ?
                AND next = ? AND drift = ?
            """, record.otherValues + record.keyValues + expected.keyValues + expected.otherValues) == 1
    }
    func removeCodeCounters(of device: [UInt8]) throws {
        _ = try run("DELETE FROM code_counter WHERE device = ?", [.bytes(device)])
    }

    func insert(_ record: ThrottleRecord) throws -> Bool { try insertRow(record) }
    func update(_ record: ThrottleRecord) throws -> Bool { try updateRow(record) }
    func removeThrottle(_ key: ThrottleKey) throws {
        _ = try run("DELETE FROM throttle WHERE account = ? AND kind = ? AND source = ?", key.values)
    }

    func insert(_ record: ReplayRecord) throws -> Bool { try insertRow(record) }

    func insert(_ record: APIKeyRecord) throws -> Bool { try insertRow(record) }
    func revokeAPIKey(_ id: String, at time: Timestamp) throws -> Bool {
        try run(
            "UPDATE api_key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", [.time(time), .text(id)]) == 1
    }

    func insert(_ record: PlatformKeyRecord) throws -> Bool { try insertRow(record) }

    func append(_ entry: AuditEntry) throws { _ = try run(AuditEntry.insert, entry.values) }

    func tally(_ event: AuditEvent, reason: String, hour: Timestamp) throws {
        _ = try run(AuditTally.addOne, [.time(hour), .text(event.rawValue), .text(reason)])
    }
}
