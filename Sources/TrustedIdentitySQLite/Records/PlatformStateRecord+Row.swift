internal import TrustedIdentity

extension PlatformStateRecord: VersionedRecord {
    static let table = Table(
        "platform_state", keys: ["id"], columns: ["tenant", "created_at", "restored_at", "version"])

    // The table has one row.
    var keyValues: [Value?] { [.integer(1)] }

    var otherValues: [Value?] {
        [.text(tenant), .time(createdAt), restoredAt.map { .time($0) }, .integer(version)]
    }

    init(_ columns: inout Columns) throws {
        _ = try columns.integer()
        self.init(
            tenant: try columns.text(), createdAt: try columns.time(), restoredAt: try columns.timeIfAny(),
            version: try columns.integer())
    }
}
