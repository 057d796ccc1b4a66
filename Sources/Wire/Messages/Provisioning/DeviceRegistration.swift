/// What the authenticator says about its device, sealed, in the second step of an activation.
package struct DeviceRegistration: Sendable, Hashable {
    /// The public key that the device signs with, a compressed point of P-256.
    package var deviceKey: [UInt8]

    /// Goes into the secrets of the instances.
    package var clientRandom: [UInt8]

    /// What the user calls the device; may be empty.
    package var deviceName: String

    package var sdkVersion: String

    /// The codes of the authentication methods that the device has, ascending.
    package var methods: [UInt64]

    package init(
        deviceKey: [UInt8], clientRandom: [UInt8], deviceName: String, sdkVersion: String, methods: [UInt64]
    ) {
        self.deviceKey = deviceKey
        self.clientRandom = clientRandom
        self.deviceName = deviceName
        self.sdkVersion = sdkVersion
        self.methods = methods
    }
}

extension DeviceRegistration: FieldwiseForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 5)
        deviceKey = try reader.readBytes(count: FieldSize.p256Key)
        clientRandom = try reader.readBytes(count: FieldSize.random)
        deviceName = try reader.readText(maximumBytes: FieldLimit.deviceName)
        sdkVersion = try reader.readText(maximumBytes: FieldLimit.sdkVersion)
        methods = try reader.readNumbers(count: 0...FieldLimit.methods)
        try reader.finish()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(5)
        output.bytes(deviceKey)
        output.bytes(clientRandom)
        output.text(deviceName)
        output.text(sdkVersion)
        output.numbers(methods)
    }
}
