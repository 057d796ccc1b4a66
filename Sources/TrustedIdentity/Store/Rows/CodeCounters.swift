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

extension SQLiteTransaction {
    func codeCounters(of device: [UInt8]) throws -> [CodeCounterRecord] {
        try records("WHERE device = :device ORDER BY instance, application", ["device": device])
    }

    func codeCounters(ofAccount account: String) throws -> [CodeCounterRecord] {
        try records(
            """
            WHERE device IN (SELECT id FROM device WHERE account = :account) ORDER BY device, instance, application
            """, ["account": account])
    }

    func move(_ record: CodeCounterRecord, from expected: CodeCounterRecord?) throws -> Bool {
        guard let expected else { return try insertRow(record) }
        guard expected.device == record.device, expected.instance == record.instance,
            expected.application == record.application
        else { return false }
        return try run(
            """
            UPDATE code_counter SET next = :next, drift = :drift, first_index = :firstIndex
            WHERE device = :device AND instance = :instance AND application = :application
                AND next = :expectedNext AND drift = :expectedDrift AND first_index = :expectedIndex
            """,
            [
                "next": record.next, "drift": record.drift, "firstIndex": record.firstIndex, "device": record.device,
                "instance": record.instance,
                "application": record.application, "expectedNext": expected.next, "expectedDrift": expected.drift,
                "expectedIndex": expected.firstIndex,
            ]) == 1
    }

    func removeCodeCounters(of device: [UInt8]) throws {
        try run("DELETE FROM code_counter WHERE device = :device", ["device": device])
    }
}
