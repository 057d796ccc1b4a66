internal import TrustedIdentity

extension ActivationSessionRecord: VersionedRecord {
    static let table = Table(
        "activation_session", keys: ["id"],
        columns: [
            "account", "registration_id", "first_request_hash", "first_answer", "keys", "expires_at",
            "second_request_hash", "second_answer", "kept_until", "source", "version",
        ])

    var keyValues: [Value?] { [.bytes(id)] }

    var otherValues: [Value?] {
        [
            .text(account), .text(registrationID), .bytes(firstRequestHash), .bytes(firstAnswer),
            keys.map { .sealed($0) }, .time(expiresAt), secondRequestHash.map { .bytes($0) },
            secondAnswer.map { .bytes($0) }, .time(keptUntil), .text(source), .integer(version),
        ]
    }

    init(_ columns: inout Columns) throws {
        self.init(
            id: try columns.bytes(), account: try columns.text(), registrationID: try columns.text(),
            firstRequestHash: try columns.bytes(), firstAnswer: try columns.bytes(), keys: try columns.sealedIfAny(),
            expiresAt: try columns.time(), secondRequestHash: try columns.bytesIfAny(),
            secondAnswer: try columns.bytesIfAny(), keptUntil: try columns.time(), source: try columns.text(),
            version: try columns.integer())
    }
}
