internal import TrustedIdentity

extension CodeCounterRecord: StoredRecord {
    static let table = Table(
        "code_counter", keys: ["device", "instance", "application"], columns: ["next", "drift"])

    var keyValues: [Value?] { [.bytes(device), .integer(Int64(instance.rawValue)), .integer(Int64(application))] }

    var otherValues: [Value?] { [.count(next), .count(drift)] }

    init(_ columns: inout Columns) throws {
        self.init(
            device: try columns.bytes(), instance: try columns.instance(), application: try columns.number(),
            next: try columns.number(), drift: try columns.number())
    }
}
