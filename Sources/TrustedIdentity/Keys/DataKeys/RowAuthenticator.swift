internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// A row whose clear columns have an HMAC.
protocol AuthenticatedRecord: VersionedRecord {
    /// The name of the table, in the HMAC and in the log.
    static var tableName: String { get }
    /// The key of the row.
    var rowID: CBORValue { get }
    /// The columns that a decision depends on, in a fixed order, without the key and the version.
    var decidingColumns: [CBORValue] { get }
    /// The HMAC.
    var authenticationCode: [UInt8]? { get set }
}

/// The HMAC-SHA-256 over the clear columns of rows that decide.
///
/// The input is the deterministic CBOR array [table, tenant, key of the row, version, columns…]. A writer to the
/// database without the key can therefore neither change one of these columns, nor move the row, nor insert one.
/// A whole row of an earlier time has the HMAC of that time, so that it is not detected; a sealed value of an earlier
/// time beside newer columns is.
struct RowAuthenticator: Sendable {
    let tenant: String
    private let key: SecretBox<PreparedMAC>

    init(tenant: String, keys: DataKeys) {
        self.tenant = tenant
        key = keys.authentication
    }

    /// Returns the HMAC of a row.
    func code(of record: some AuthenticatedRecord) -> [UInt8] {
        key.secret.code(of: message(of: record))
    }

    /// Returns whether a row has its HMAC.
    func isAuthentic(_ record: some AuthenticatedRecord) -> Bool {
        record.authenticationCode.map { ConstantTime.equal(code(of: record), $0) } ?? false
    }

    private func message(of record: some AuthenticatedRecord) -> [UInt8] {
        CBORValue.array(
            [.text(type(of: record).tableName), .text(tenant), record.rowID, .integer(record.version)]
                + record.decidingColumns
        ).encoded
    }

    /// Returns a row with the HMAC of its present version.
    func authenticated<Row: AuthenticatedRecord>(_ record: Row) -> Row {
        var record = record
        record.authenticationCode = code(of: record)
        return record
    }

    /// Returns a row with the HMAC of the version that the store gives it in an update.
    func authenticatedForUpdate<Row: AuthenticatedRecord>(_ record: Row) -> Row {
        var next = record
        next.version += 1
        var record = record
        record.authenticationCode = code(of: next)
        return record
    }
}

extension AccountRecord: AuthenticatedRecord {
    static var tableName: String { "account" }
    var rowID: CBORValue { .text(name) }
    // Every column.
    var decidingColumns: [CBORValue] {
        [
            .time(createdAt), .text(registrationID), .time(activatedAt), .time(finishedAt), .sealed(staticPassword),
            .integer(registrationEpoch), .integer(staticPasswordEpoch), .bytes(subject),
        ]
    }
}

extension DeviceRecord: AuthenticatedRecord {
    static var tableName: String { "device" }
    var rowID: CBORValue { .bytes(id) }
    // Without `name`, `sdkVersion` and `lastSeenAt`, which are shown and decide nothing.
    var decidingColumns: [CBORValue] {
        [
            .text(account), .text(registrationID), .text(serialNumber), .text(state.rawValue),
            .optional(lockReason?.rawValue), .optional(stateBeforeLock?.rawValue), .time(createdAt),
            .time(pendingUntil), .time(activatedAt), .time(revokedAt), .array(methods.map { .unsigned($0) }),
            .array(capabilities.map { .unsigned($0) }), .bytes(deviceKey),
            .integer(deviceKeyAlgorithm), .unsigned(UInt64(suite)), .optional(notificationIdentifier),
            .bytes(enrolledMethods.encoded), .sealed(secrets), .sealed(ratchet), .sealed(channelKey),
            .unsigned(ratchetIndex), .unsigned(offeredIndex), .time(promotedAt), .unsigned(generation),
            .unsigned(offeredGeneration), .integer(Int64(passwordFailures)), .bytes(receiptHashes),
            .unsigned(keyStatement), .boolean(isRestored), .integer(epoch),
        ]
    }
}

extension ChallengeRecord: AuthenticatedRecord {
    static var tableName: String { "challenge" }
    var rowID: CBORValue { .bytes(id) }
    // Every column.
    var decidingColumns: [CBORValue] {
        [.text(account), .text(principal), .text(challenge), .time(expiresAt), .time(usedAt)]
    }
}

extension APIKeyRecord: AuthenticatedRecord {
    static var tableName: String { "api_key" }
    var rowID: CBORValue { .text(id) }
    // Without `name`, which is shown and decides nothing.
    var decidingColumns: [CBORValue] {
        [
            .text(scope.rawValue), .bytes(secretHash), .time(createdAt), .time(revokedAt), .integer(epoch),
            .boolean(showsNumbers), .array(domains.map { .text($0) }),
        ]
    }
}

extension ApprovalRecord: AuthenticatedRecord {
    static var tableName: String { "approval" }
    var rowID: CBORValue { .bytes(id) }
    // Every column.
    var decidingColumns: [CBORValue] {
        [
            .text(account), .unsigned(UInt64(kind.rawValue)), .text(principal), .text(requestID), .text(source),
            .bytes(request), .bytes(requestHash),
            .array(acceptedMethods.map(\.rawValue).sorted().map { .unsigned(UInt64($0)) }), .sealed(number),
            .boolean(isAnnounced), .optional(amount), .optional(currency), .bytes(creditor), .text(state.rawValue),
            .time(createdAt), .time(expiresAt), .time(openedAt), .time(endedAt), .bytes(device), .bytes(answerHash),
            reason.map { .unsigned(UInt64($0.rawValue)) } ?? .null,
            .bytes(receipt), .time(keptUntil), .bytes(browser), notice?.value ?? .null, refusalNotice?.value ?? .null,
            .bytes(deviceRules), .optional(sessionID),
        ]
    }
}

extension AccountRiskRecord: AuthenticatedRecord {
    static var tableName: String { "account_risk" }
    var rowID: CBORValue { .text(account) }
    // Every column.
    var decidingColumns: [CBORValue] { [.bytes(state)] }
}

extension EventRecord: AuthenticatedRecord {
    static var tableName: String { "event" }
    // The number is not known before the row is stored.
    var rowID: CBORValue { .bytes(event.id) }
    // Every other column.
    var decidingColumns: [CBORValue] {
        [
            .text(event.kind.rawValue), .time(event.time), .optional(event.account), .bytes(event.device),
            .text(event.reason), .optional(event.requestID), .optional(event.apiKey), .time(event.until),
            .integer(Int64(event.count)),
        ]
    }
}

extension PlatformStateRecord: AuthenticatedRecord {
    static var tableName: String { "platform_state" }
    var rowID: CBORValue { .integer(1) }
    // Every column.
    var decidingColumns: [CBORValue] {
        [
            .time(createdAt), .time(restoredAt), .integer(epoch), .integer(restoredSequence), .integer(suspendedBelow),
            .integer(suspendedBelowBefore), .text(masterKeyID), .sealed(dataKeys),
            prunedAudit.map { .array([.integer($0.size), .bytes($0.peaks.flatMap(\.self)), .boolean($0.hasRows)]) }
                ?? .null,
        ]
    }
}

extension PlatformKeyRecord: AuthenticatedRecord {
    static var tableName: String { "platform_key" }
    var rowID: CBORValue { .bytes(id) }
    // Every column.
    var decidingColumns: [CBORValue] {
        [
            .text(purpose.rawValue), .integer(algorithm), .bytes(publicKey), .sealed(privateKey), .time(createdAt),
            .time(notBefore), .time(retiredAt), .time(notAfter), replacedIn.map { .unsigned($0) } ?? .null,
        ]
    }
}

extension CBORValue {
    fileprivate static func time(_ time: Timestamp?) -> CBORValue {
        time.map { .integer($0.millisecondsSinceEpoch) } ?? .null
    }

    fileprivate static func optional(_ text: String?) -> CBORValue { text.map { .text($0) } ?? .null }

    fileprivate static func bytes(_ bytes: [UInt8]?) -> CBORValue { bytes.map { .bytes($0) } ?? .null }

    fileprivate static func sealed(_ value: SealedValue?) -> CBORValue { value.map { .bytes($0.packed) } ?? .null }
}
