package import Primitives

/// The platform's keys, policy and crypto applications for a device, sealed in the second answer of an activation.
package struct Provisioning: Sendable, Hashable {
    package var deviceID: [UInt8]

    /// The serial number of the password instance.
    package var passwordSerialNumber: String

    /// The serial number of the instance for the other methods.
    package var otherSerialNumber: String

    /// The signatures over the latest ``KeyStatement``, which the device pins.
    package var statement: SignatureList

    package var pinPolicy: PINPolicyForm

    /// The crypto applications of the device, by ascending index.
    package var applications: [Application]

    /// 32 fresh bytes from the platform, an input of the instances' secrets.
    package var platformRandom: [UInt8]

    package var platformTime: Timestamp

    /// The number of seconds that the platform keeps the pending device for the last step.
    package var pendingSeconds: UInt64

    package var extensions: Extensions

    package init(
        deviceID: [UInt8], passwordSerialNumber: String, otherSerialNumber: String, statement: SignatureList,
        pinPolicy: PINPolicyForm, applications: [Application], platformRandom: [UInt8],
        platformTime: Timestamp, pendingSeconds: UInt64, extensions: Extensions = .none
    ) {
        self.deviceID = deviceID
        self.passwordSerialNumber = passwordSerialNumber
        self.otherSerialNumber = otherSerialNumber
        self.statement = statement
        self.pinPolicy = pinPolicy
        self.applications = applications
        self.platformRandom = platformRandom
        self.platformTime = platformTime
        self.pendingSeconds = pendingSeconds
        self.extensions = extensions
    }
}

extension Provisioning: FieldwiseForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 9)
        deviceID = try reader.readBytes(count: FieldSize.identifier)
        try reader.readArray(count: 2)
        passwordSerialNumber = try reader.readText(maximumBytes: FieldLimit.serialNumber)
        otherSerialNumber = try reader.readText(maximumBytes: FieldLimit.serialNumber)
        statement = try SignatureList(from: &reader)
        pinPolicy = try PINPolicyForm(from: &reader)
        applications = try Self.readApplications(&reader)
        platformRandom = try reader.readBytes(count: FieldSize.random)
        platformTime = try reader.readTime()
        pendingSeconds = try reader.readNumber()
        extensions = try Extensions(from: &reader)
        try reader.finish()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(9)
        output.bytes(deviceID)
        output.array(2)
        output.text(passwordSerialNumber)
        output.text(otherSerialNumber)
        statement.write(to: &output)
        pinPolicy.write(to: &output)
        output.array(applications.count)
        for application in applications { application.write(to: &output) }
        output.bytes(platformRandom)
        output.time(platformTime)
        output.unsigned(pendingSeconds)
        extensions.write(to: &output)
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
