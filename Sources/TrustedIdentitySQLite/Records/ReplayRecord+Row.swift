internal import TrustedIdentity

extension ReplayRecord: StoredRecord {
    static let table = Table(
        "replay", keys: ["device", "request"], columns: ["request_hash", "answer", "kept_until"])

    var keyValues: [Value?] { [.bytes(device), .bytes(request)] }

    var otherValues: [Value?] { [.bytes(requestHash), .bytes(answer), .time(keptUntil)] }

    init(_ columns: inout Columns) throws {
        self.init(
            device: try columns.bytes(), request: try columns.bytes(), requestHash: try columns.bytes(),
            answer: try columns.bytes(), keptUntil: try columns.time())
    }
}
