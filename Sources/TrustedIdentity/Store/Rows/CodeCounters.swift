extension CodeCounterRecord: StoredRecord {
    static let table = Table<CodeCounterRecord>(
        "code_counter",
        key: [.init("device", \.device), .init("instance", \.instance), .init("application", \.application)],
        columns: [.init("next", \.next), .init("drift", \.drift), .init("first_index", \.firstIndex)])

    init(row: StoredRow) throws {
        self.init(
            device: try row["device"], instance: try row["instance"], application: try row["application"],
            next: try row["next"], drift: try row["drift"], firstIndex: try row["first_index"])
    }
}

extension StoreReader {
    /// Returns the code counters of a device, ordered by instance, then by application.
    package func codeCounters(of device: [UInt8]) throws -> [CodeCounterRecord] {
        try records("WHERE device = $1 ORDER BY instance, application", [device])
    }

    /// Returns the code counters of all devices of an account, ordered by device, then by instance, then by
    /// application.
    ///
    /// - Parameter account: `user@domain`, normalized.
    package func codeCounters(ofAccount account: String) throws -> [CodeCounterRecord] {
        try records(
            """
            WHERE device IN (SELECT id FROM device WHERE account = $1) ORDER BY device, instance, application
            """, [account])
    }
}

extension StoreTransaction {
    /// Moves a code counter: stores `record` if and only if the stored counter of its device, instance and application
    /// equals `expected` in every field (nil: there is none). Otherwise returns false and changes nothing. This
    /// statement is what makes a code single-use.
    package func move(_ record: CodeCounterRecord, from expected: CodeCounterRecord?) throws -> Bool {
        guard let expected else { return try insertRow(record) }
        guard expected.device == record.device, expected.instance == record.instance,
            expected.application == record.application
        else { return false }
        return try run(
            """
            UPDATE code_counter SET next = $1, drift = $2, first_index = $3
            WHERE device = $4 AND instance = $5 AND application = $6
                AND next = $7 AND drift = $8 AND first_index = $9
            """,
            [
                record.next, record.drift, record.firstIndex, record.device, record.instance, record.application,
                expected.next, expected.drift, expected.firstIndex,
            ]) == 1
    }

    /// Deletes the code counters of a device.
    package func removeCodeCounters(of device: [UInt8]) throws {
        try run("DELETE FROM code_counter WHERE device = $1", [device])
    }
}
