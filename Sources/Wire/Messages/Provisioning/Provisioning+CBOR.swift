extension Provisioning: WireForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 9)
        deviceID = try reader.readBytes(count: FieldSize.identifier)
        try reader.readArray(count: 2)
        passwordSerialNumber = try reader.readText(maximumBytes: FieldLimit.serialNumber)
        otherSerialNumber = try reader.readText(maximumBytes: FieldLimit.serialNumber)
        signingKey = try SigningKey(from: &reader)
        sealingKeys = try Self.readSealingKeys(&reader)
        pinPolicy = try PINPolicy(from: &reader)
        applications = try Self.readApplications(&reader)
        platformRandom = try reader.readBytes(count: FieldSize.random)
        platformTime = try reader.readTime()
        pendingSeconds = try reader.readNumber()
        try reader.finish()
    }

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 512 + sealingKeys.reduce(0) { $0 + $1.bytes.count })
        writer.array(9)
        writer.bytes(deviceID)
        writer.array(2)
        writer.text(passwordSerialNumber)
        writer.text(otherSerialNumber)
        signingKey.write(to: &writer)
        writer.array(sealingKeys.count)
        for key in sealingKeys { key.write(to: &writer) }
        pinPolicy.write(to: &writer)
        writer.array(applications.count)
        for application in applications { application.write(to: &writer) }
        writer.bytes(platformRandom)
        writer.time(platformTime)
        writer.unsigned(pendingSeconds)
        return writer.finish()
    }

    private static func readSealingKeys(_ reader: inout CBORReader) throws(WireError) -> [SealingKey] {
        let start = reader.offset
        let count = try reader.readArray(maximum: FieldLimit.sealingKeys)
        guard count > 0 else { throw WireError(.unexpectedCount, offset: start) }
        var keys: [SealingKey] = []
        for _ in 0..<count { keys.append(try SealingKey(from: &reader)) }
        return keys
    }

    private static func readApplications(_ reader: inout CBORReader) throws(WireError) -> [Application] {
        let count = try reader.readArray(maximum: FieldLimit.applications)
        var applications: [Application] = []
        for _ in 0..<count {
            let start = reader.offset
            let application = try Application(from: &reader)
            if let last = applications.last, application.index <= last.index {
                throw WireError(.invalidValue, offset: start)
            }
            applications.append(application)
        }
        return applications
    }
}
