internal import Crypto
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
            cost = try fields.require(.cost) { reader throws(WireError) in try reader.readCost(allowed: allowedCosts) }
            salt = try fields.require(.salt) { reader throws(WireError) in try reader.readBytes(count: 32) }
            state = try fields.require(.state) { reader throws(WireError) in try reader.readState() }
            suite = try fields.require(.suite) { reader throws(WireError) in try reader.readSuite() }
            tenant = try fields.require(.tenant) { reader throws(WireError) in try reader.readText(maximumBytes: 64) }
            account = try fields.require(.account) { reader throws(WireError) in try reader.readAccount() }
            ratchet = try fields.require(.ratchet) { reader throws(WireError) in try reader.readKey() }
            serials = try fields.require(.serials) { reader throws(WireError) in try reader.readSerials() }
            counters = try fields.require(.counters) { reader throws(WireError) in try reader.readCounters() }
            deviceID = try fields.require(.deviceID) { reader throws(WireError) in try reader.readBytes(count: 16) }
            pinPolicy = try fields.require(.pinPolicy) { reader throws(WireError) in try reader.readPolicy() }
            deviceData =
                try fields.readIfPresent(.deviceData) { reader throws(WireError) in
                    try SentDeviceData(decoding: reader.readBytes(maximum: SentDeviceData.maximumEncodedBytes))
                } ?? SentDeviceData()
            generation = try fields.require(.generation) { reader throws(WireError) in try reader.readUnsigned() }
            possessionSecret = try fields.require(.possession) { reader throws(WireError) in try reader.readKey() }
            activatedAt = try fields.readIfPresent(.activatedAt) { reader throws(WireError) in
                try reader.readTimestamp()
            }
            clockOffset = try fields.require(.clockOffset) { reader throws(WireError) in try reader.readInteger() }
            applications = try fields.require(.applications) { reader throws(WireError) in
                try reader.readApplications()
            }
            capabilities = try fields.require(.capabilities) { reader throws(WireError) in
                try reader.readNumbers(count: 0...FieldLimit.capabilities)
            }
            keyAlgorithm = try fields.require(.keyAlgorithm) { reader throws(WireError) in
                try reader.readKeyAlgorithm()
            }
            maskedSecret = try fields.require(.maskedSecret) { reader throws(WireError) in
                try reader.readBytes(count: 32)
            }
            pendingUntil = try fields.require(.pendingUntil) { reader throws(WireError) in
                try reader.readTimestamp()
            }
            presharedKey = try fields.require(.presharedKey) { reader throws(WireError) in try reader.readKey() }
            ratchetIndex = try fields.require(.ratchetIndex) { reader throws(WireError) in try reader.readUnsigned() }
            ratchetInput = try fields.readIfPresent(.ratchetInput) { reader throws(WireError) in try reader.readKey() }
            platformKeys = try fields.require(.platformKeys) { reader throws(WireError) in
                try KeyStatement(from: &reader)
            }
            notificationIdentifier = try fields.readIfPresent(.notificationID) { reader throws(WireError) in
                try reader.readText(maximumBytes: 1_024)
            }
            activationHandle = try fields.require(.passwordHandle) { reader throws(WireError) in
                UInt16(try reader.readUnsigned(maximum: 0x7FFF))
            }
            ratchetMovedAt = try fields.require(.ratchetMovedAt) { reader throws(WireError) in
                try reader.readTimestamp()
            }
            replacedDevice = try fields.readIfPresent(.replacedDevice) { reader throws(WireError) in
                try reader.readBytes(count: 16)
            }
            pendingAnswers =
                try fields.readIfPresent(.approvalAnswers) { reader throws(WireError) in
                    try reader.readPendingAnswers()
                } ?? []
            enrolledMethods =
                try fields.readIfPresent(.enrolledMethods) { reader throws(WireError) in
                    try reader.readEnrolledMethods()
                } ?? []
            try fields.finish()
            unknownFields = fields.unknown
        } catch {
            let code: OrchestrationError.Code = error.code == .unsupportedVersion ? .storeNewerVersion : .storeCorrupt
            throw OrchestrationError(code, underlying: error)
        }
    }

    /// The record with its secrets in the clear. The caller wipes the bytes.
    package var encoded: [UInt8] {
        // The capacity of the longest record, because memory that the writer outgrows is not wiped.
        let capacity =
            3_456 + SentDeviceData.maximumEncodedBytes + platformKeys.encoded.count
            + pendingAnswers.count * PendingAnswer.maximumEncodedBytes
            + enrolledMethods.count * EnrolledMethodKey.maximumEncodedBytes
            + unknownFields.reduce(0) { $0 + $1.name.utf8.count + $1.value.count + 9 }
        let absent = [
            activatedAt == nil, notificationIdentifier == nil, pendingAnswers.isEmpty, enrolledMethods.isEmpty,
            deviceData == SentDeviceData(), replacedDevice == nil, ratchetInput == nil,
        ].count { $0 }
        var fields = RecordFieldWriter(
            fieldCount: RecordField.allCases.count - absent, unknown: unknownFields, capacity: capacity)
        fields.write(.cost) { $0.cost(cost) }
        fields.write(.salt) { $0.bytes(salt) }
        fields.write(.state) { $0.state(state) }
        fields.write(.suite) { $0.unsigned(UInt64(suite)) }
        fields.write(.tenant) { $0.text(tenant) }
        fields.write(.account) { $0.account(account) }
        fields.write(.ratchet) { $0.key(ratchet) }
        fields.write(.serials) { $0.serials(serials) }
        fields.write(.counters) { $0.counters(counters) }
        fields.write(.deviceID) { $0.bytes(deviceID) }
        fields.write(.pinPolicy) { $0.policy(pinPolicy) }
        fields.write(.deviceData, deviceData == SentDeviceData() ? nil : deviceData) { $0.bytes($1.encoded) }
        fields.write(.generation) { $0.unsigned(generation) }
        fields.write(.possession) { $0.key(possessionSecret) }
        fields.write(.activatedAt, activatedAt) { $0.integer($1.millisecondsSinceEpoch) }
        fields.write(.clockOffset) { $0.integer(clockOffset) }
        fields.write(.applications) { $0.applications(applications) }
        fields.write(.capabilities) { $0.numbers(capabilities) }
        fields.write(.keyAlgorithm) { $0.integer(keyAlgorithm.rawValue) }
        fields.write(.maskedSecret) { $0.bytes(maskedSecret) }
        fields.write(.pendingUntil) { $0.integer(pendingUntil.millisecondsSinceEpoch) }
        fields.write(.presharedKey) { $0.key(presharedKey) }
        fields.write(.ratchetIndex) { $0.unsigned(ratchetIndex) }
        fields.write(.ratchetInput, ratchetInput) { $0.key($1) }
        fields.write(.platformKeys) { platformKeys.write(to: &$0) }
        fields.write(.notificationID, notificationIdentifier) { $0.text($1) }
        fields.write(.passwordHandle) { $0.unsigned(UInt64(activationHandle)) }
        fields.write(.ratchetMovedAt) { $0.integer(ratchetMovedAt.millisecondsSinceEpoch) }
        fields.write(.replacedDevice, replacedDevice) { $0.bytes($1) }
        fields.write(.approvalAnswers, pendingAnswers.isEmpty ? nil : pendingAnswers) { $0.pendingAnswers($1) }
        fields.write(.enrolledMethods, enrolledMethods.isEmpty ? nil : enrolledMethods) { $0.enrolledMethods($1) }
        return fields.finish()
    }
}
