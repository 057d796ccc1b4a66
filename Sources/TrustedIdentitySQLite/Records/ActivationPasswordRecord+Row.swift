internal import TrustedIdentity

extension ActivationPasswordRecord: VersionedRecord {
    static let table = Table(
        "activation_code", keys: ["account"],
        columns: [
            "registration_id", "serial_number", "handle", "secret", "created_at", "expires_at", "tries", "spent_at",
            "version",
        ])

    var keyValues: [Value?] { [.text(account)] }

    var otherValues: [Value?] {
        [
            .text(registrationID), .text(serialNumber), .integer(Int64(handle)), secret.map { .sealed($0) },
            .time(createdAt), .time(expiresAt), .count(tries), spentAt.map { .time($0) }, .integer(version),
        ]
    }

    init(_ columns: inout Columns) throws {
        self.init(
            account: try columns.text(), registrationID: try columns.text(), serialNumber: try columns.text(),
            handle: try columns.number(), secret: try columns.sealedIfAny(), createdAt: try columns.time(),
            expiresAt: try columns.time(), tries: try columns.number(), spentAt: try columns.timeIfAny(),
            version: try columns.integer())
    }
}
