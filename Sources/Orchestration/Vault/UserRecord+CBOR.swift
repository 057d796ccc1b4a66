internal import Crypto
internal import Primitives
internal import Wire

/// The record as an array of deterministic CBOR. Its version is that of the sealed file around it.
extension UserRecord {
    private static let fieldCount = 24

    init(decoding bytes: [UInt8], allowedCosts: Set<ScryptCost>) throws(OrchestrationError) {
        do throws(WireError) {
            var reader = CBORReader(bytes)
            try reader.readArray(count: Self.fieldCount)
            account = try reader.readAccount()
            tenant = try reader.readText(maximumBytes: 64)
            state = try reader.readState()
            deviceID = try reader.readBytes(count: 16)
            serials = try reader.readSerials()
            activationHandle = UInt16(try reader.readUnsigned(maximum: 0x7FFF))
            pendingUntil = Timestamp(millisecondsSinceEpoch: try reader.readInteger())
            activatedAt = try reader.readIfNull() ? nil : Timestamp(millisecondsSinceEpoch: try reader.readInteger())
            suite = try reader.readSuite()
            presharedKey = try reader.readKey()
            signingKey = try reader.readSigningKey()
            sealingKeys = try reader.readSealingKeys()
            maskedSecret = try reader.readBytes(count: 32)
            salt = try reader.readBytes(count: 32)
            cost = try reader.readCost(allowed: allowedCosts)
            generation = try reader.readUnsigned()
            possessionSecret = try reader.readKey()
            ratchet = try reader.readKey()
            ratchetIndex = try reader.readUnsigned()
            pinPolicy = try reader.readPolicy()
            applications = try reader.readApplications()
            counters = try reader.readCounters()
            clockOffset = try reader.readInteger()
            notificationIdentifier = try reader.readIfNull() ? nil : try reader.readText(maximumBytes: 1_024)
            try reader.finish()
        } catch {
            throw OrchestrationError(.storeCorrupt, underlying: error)
        }
    }

    /// The record with its secrets in the clear: whoever asks wipes it.
    var encoded: [UInt8] {
        // Room for the longest record, because memory that the writer outgrows is not wiped.
        var writer = CBORWriter(capacity: 2_560 + sealingKeys.reduce(0) { $0 + $1.bytes.count })
        writer.array(Self.fieldCount)
        writer.array(2)
        writer.text(account.userID)
        writer.text(account.domain)
        writer.text(tenant)
        writer.state(state)
        writer.bytes(deviceID)
        writer.array(serials.count)
        for serial in serials { writer.text(serial) }
        writer.unsigned(UInt64(activationHandle))
        writer.integer(pendingUntil.millisecondsSinceEpoch)
        if let activatedAt { writer.integer(activatedAt.millisecondsSinceEpoch) } else { writer.null() }
        writer.unsigned(UInt64(suite))
        writer.key(presharedKey)
        writer.array(2)
        writer.bytes(signingKey.kid)
        writer.bytes(signingKey.bytes)
        writer.sealingKeys(sealingKeys)
        writer.bytes(maskedSecret)
        writer.bytes(salt)
        writer.cost(cost)
        writer.unsigned(generation)
        writer.key(possessionSecret)
        writer.key(ratchet)
        writer.unsigned(ratchetIndex)
        writer.policy(pinPolicy)
        writer.applications(applications)
        writer.counters(counters)
        writer.integer(clockOffset)
        if let notificationIdentifier { writer.text(notificationIdentifier) } else { writer.null() }
        return writer.finish()
    }
}
