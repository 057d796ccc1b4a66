extension Provisioning: FieldwiseForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 9)
        deviceID = try reader.readBytes(count: FieldSize.identifier)
        try reader.readArray(count: 2)
        passwordSerialNumber = try reader.readText(maximumBytes: FieldLimit.serialNumber)
        otherSerialNumber = try reader.readText(maximumBytes: FieldLimit.serialNumber)
        signingKey = try SigningKey(from: &reader)
        sealingKeys = try Self.readSealingKeys(&reader)
        pinPolicy = try PINPolicyForm(from: &reader)
        applications = try Self.readApplications(&reader)
        platformRandom = try reader.readBytes(count: FieldSize.random)
        platformTime = try reader.readTime()
        pendingSeconds = try reader.readNumber()
        try reader.finish()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(9)
        output.bytes(deviceID)
        output.array(2)
        output.text(passwordSerialNumber)
        output.text(otherSerialNumber)
        signingKey.write(to: &output)
        output.array(sealingKeys.count)
        for key in sealingKeys { key.write(to: &output) }
        pinPolicy.write(to: &output)
        output.array(applications.count)
        for application in applications { application.write(to: &output) }
        output.bytes(platformRandom)
        output.time(platformTime)
        output.unsigned(pendingSeconds)
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
