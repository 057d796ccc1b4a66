internal import Primitives
internal import TrustedIdentity

extension DeviceRecord: VersionedRecord {
    static let table = Table(
        "device", keys: ["id"],
        columns: [
            "account", "registration_id", "serial_number", "created_at", "pending_until", "name", "sdk_version",
            "methods", "device_key", "suite", "secrets", "ratchet", "state", "lock_reason", "state_before_lock",
            "activated_at", "revoked_at", "notification_identifier", "ratchet_index", "offered_index", "promoted_at",
            "generation", "password_failures", "receipt_hashes", "is_restored", "last_seen_at", "version",
        ])

    var keyValues: [Value?] { [.bytes(id)] }

    var otherValues: [Value?] {
        [
            .text(account), .text(registrationID), .text(serialNumber), .time(createdAt), .time(pendingUntil),
            .text(name), .text(sdkVersion), .text(methods.map { String($0) }.joined(separator: " ")),
            .bytes(deviceKey), .integer(Int64(suite)), secrets.map { .sealed($0) }, ratchet.map { .sealed($0) },
            .text(state.rawValue), lockReason.map { .text($0.rawValue) }, stateBeforeLock.map { .text($0.rawValue) },
            activatedAt.map { .time($0) }, revokedAt.map { .time($0) }, notificationIdentifier.map { .text($0) },
            .count(ratchetIndex), .count(offeredIndex), .time(promotedAt), .count(generation), .count(passwordFailures),
            .bytes(receiptHashes), .integer(isRestored ? 1 : 0), lastSeenAt.map { .time($0) }, .integer(version),
        ]
    }

    init(_ columns: inout Columns) throws {
        self.init(
            id: try columns.bytes(), account: try columns.text(), registrationID: try columns.text(),
            serialNumber: try columns.text(), createdAt: try columns.time(), pendingUntil: try columns.time(),
            name: try columns.text(), sdkVersion: try columns.text(),
            methods: try columns.text().split(separator: " ").compactMap { UInt64($0) },
            deviceKey: try columns.bytes(), suite: try columns.number(), secrets: try columns.sealedIfAny(),
            ratchet: try columns.sealedIfAny())
        state = try columns.word()
        lockReason = try columns.wordIfAny()
        stateBeforeLock = try columns.wordIfAny()
        activatedAt = try columns.timeIfAny()
        revokedAt = try columns.timeIfAny()
        notificationIdentifier = try columns.textIfAny()
        ratchetIndex = try columns.number()
        offeredIndex = try columns.number()
        promotedAt = try columns.time()
        generation = try columns.number()
        passwordFailures = try columns.number()
        receiptHashes = try columns.bytes()
        isRestored = try columns.integer() != 0
        lastSeenAt = try columns.timeIfAny()
        version = try columns.integer()
    }
}
