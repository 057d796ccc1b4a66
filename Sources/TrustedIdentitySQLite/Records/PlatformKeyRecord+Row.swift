internal import TrustedIdentity

extension PlatformKeyRecord: StoredRecord {
    static let table = Table(
        "platform_key", keys: ["id"], columns: ["purpose", "suite", "public_key", "private_key", "created_at"])

    var keyValues: [Value?] { [.bytes(id)] }

    var otherValues: [Value?] {
        [
            .text(purpose.rawValue), .integer(Int64(suite)), .bytes(publicKey), .sealed(privateKey),
            .time(createdAt),
        ]
    }

    init(_ columns: inout Columns) throws {
        self.init(
            id: try columns.bytes(), purpose: try columns.word(), suite: try columns.number(),
            publicKey: try columns.bytes(), privateKey: try columns.sealed(), createdAt: try columns.time())
    }
}
