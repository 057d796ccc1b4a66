internal import TrustedIdentity

extension APIKeyRecord: StoredRecord {
    static let table = Table(
        "api_key", keys: ["id"], columns: ["name", "scope", "secret_hash", "created_at", "revoked_at"])

    var keyValues: [Value?] { [.text(id)] }

    var otherValues: [Value?] {
        [
            .text(name), .text(scope.rawValue), .bytes(secretHash), .time(createdAt), revokedAt.map { .time($0) },
        ]
    }

    init(_ columns: inout Columns) throws {
        self.init(
            id: try columns.text(), name: try columns.text(), scope: try columns.word(),
            secretHash: try columns.bytes(), createdAt: try columns.time(), revokedAt: try columns.timeIfAny())
    }
}
