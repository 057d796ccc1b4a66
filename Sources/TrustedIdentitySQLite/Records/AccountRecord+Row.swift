internal import TrustedIdentity

extension AccountRecord: VersionedRecord {
    static let table = Table(
        "account", keys: ["name"],
        columns: ["created_at", "registration_id", "activated_at", "static_password", "version"])

    var keyValues: [Value?] { [.text(name)] }

    var otherValues: [Value?] {
        [
            .time(createdAt), .text(registrationID), activatedAt.map { .time($0) },
            staticPassword.map { .sealed($0) }, .integer(version),
        ]
    }

    init(_ columns: inout Columns) throws {
        self.init(
            name: try columns.text(), createdAt: try columns.time(), registrationID: try columns.text(),
            activatedAt: try columns.timeIfAny(), staticPassword: try columns.sealedIfAny(),
            version: try columns.integer())
    }
}
