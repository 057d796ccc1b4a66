internal import OrchestrationProtocol
internal import Primitives

/// The form of a record inside its seal: a map of deterministic CBOR from names to values.
///
/// A new field takes a new name and no new version. The form of the value of a name never changes; a value that needs
/// another form takes another name. The documentation article "What the device keeps" lists the fields.
extension UserRecord {
    /// Reads a record.
    ///
    /// - Throws: `storeCorrupt`; `storeNewerVersion` for a field that must be understood and is not known.
    package init(decoding bytes: [UInt8], allowedCosts: Set<ScryptCost>) throws(OrchestrationError) {
        do throws(WireError) {
            var fields = try RecordFieldReader(bytes)
            try self.init(coding: &fields, allowedCosts: allowedCosts)
            unknownFields = try fields.finish()
        } catch {
            let code: OrchestrationError.Code = error.code == .unsupportedVersion ? .storeNewerVersion : .storeCorrupt
            throw OrchestrationError(code, underlying: error)
        }
    }

    /// The record with its secrets in the clear. The caller wipes the bytes.
    package var encoded: [UInt8] {
        var fields = RecordFieldWriter(self)
        _ = UserRecord(coding: &fields, allowedCosts: [])
        return fields.encoded(
            capacity: 5_248 + SentDeviceData.maximumEncodedBytes + platformKeys.encoded.count
                + pendingAnswers.count * PendingAnswer.maximumEncodedBytes
                + enrolledMethods.count * EnrolledMethodKey.maximumEncodedBytes
                + unknownFields.reduce(0) { $0 + $1.name.utf8.count + $1.value.count + 9 })
    }

    /// Codes the fields in either direction, each with its name, its property and its form. Shorter names come first.
    private init<Fields: RecordFields>(
        coding fields: inout Fields, allowedCosts: Set<ScryptCost>
    ) throws(Fields.Failure) {
        cost = try fields.code("cost", \.cost, .cost(allowed: allowedCosts))
        salt = try fields.code("salt", \.salt, .bytes(32))
        state = try fields.code("state", \.state, .state)
        suite = try fields.code("suite", \.suite, .unsigned(1...2))
        tenant = try fields.code("tenant", \.tenant, .text(maximum: 64))
        account = try fields.code("account", \.account, .account)
        notices = try fields.code("notices", \.notices, .notices, default: [])
        ratchet = try fields.code("ratchet", \.ratchet, .key)
        serials = try fields.code("serials", \.serials, .list(of: .text(maximum: 32), maximum: 2))
        counters = try fields.code("counters", \.counters, .counters)
        deviceID = try fields.code("deviceID", \.deviceID, .bytes(16))
        pinPolicy = try fields.code("pinPolicy", \.pinPolicy, .policy)
        deviceData = try fields.code("deviceData", \.deviceData, .deviceData, default: SentDeviceData())
        generation = try fields.code("generation", \.generation, .unsigned())
        possessionSecret = try fields.code("possession", \.possessionSecret, .key)
        activatedAt = try fields.codeIfPresent("activatedAt", \.activatedAt, .time)
        clockOffset = try fields.code("clockOffset", \.clockOffset, .integer)
        applications = try fields.code("applications", \.applications, .list(of: .application, maximum: 8))
        capabilities = try fields.code("capabilities", \.capabilities, .numbers(maximum: FieldLimit.capabilities))
        keyAlgorithm = try fields.code("keyAlgorithm", \.keyAlgorithm, .keyAlgorithm)
        maskedSecret = try fields.code("maskedSecret", \.maskedSecret, .bytes(32))
        pendingUntil = try fields.code("pendingUntil", \.pendingUntil, .time)
        presharedKey = try fields.code("presharedKey", \.presharedKey, .key)
        ratchetIndex = try fields.code("ratchetIndex", \.ratchetIndex, .unsigned())
        ratchetInput = try fields.codeIfPresent("ratchetInput", \.ratchetInput, .key)
        platformKeys = try fields.code("!platformKeys", \.platformKeys, .keyStatement)
        nextPINPolicy = try fields.codeIfPresent("nextPINPolicy", \.nextPINPolicy, .policy)
        notificationIdentifier = try fields.codeIfPresent(
            "notificationID", \.notificationIdentifier, .text(maximum: 1_024))
        activationHandle = try fields.code("passwordHandle", \.activationHandle, .unsigned(0...0x7FFF))
        ratchetMovedAt = try fields.code("ratchetMovedAt", \.ratchetMovedAt, .time)
        replacedDevice = try fields.codeIfPresent("replacedDevice", \.replacedDevice, .bytes(16))
        synchronizedCounters = try fields.code("syncedCounters", \.synchronizedCounters, .counters, default: [:])
        pendingAnswers = try fields.code("approvalAnswers", \.pendingAnswers, .pendingAnswers, default: [])
        enrolledMethods = try fields.code("enrolledMethods", \.enrolledMethods, .enrolledMethods, default: [])
    }
}
