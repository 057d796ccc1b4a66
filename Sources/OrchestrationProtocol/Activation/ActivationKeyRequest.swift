/// The second command of an activation: the authenticator's tag, and its registration sealed under the exchange's key.
package struct ActivationKeyRequest: CommandForm {
    /// The whole command.
    package let bytes: [UInt8]

    package let sessionID: [UInt8]

    /// The authenticator's tag over the transcript.
    package let tag: [UInt8]

    /// The authenticator's random value, 32 bytes. It salts the request's key.
    package let random: [UInt8]

    /// A sealed ``DeviceRegistration``. Its header contains ``random``.
    package let sealed: Encrypt0

    package var encoded: [UInt8] { bytes }

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - random: The random value of ``header(random:)``.
    ///   - ciphertext: The ciphertext under that header.
    package init(sessionID: [UInt8], tag: [UInt8], random: [UInt8], ciphertext: [UInt8]) {
        let sealed = Encrypt0(header: Self.header(random: random), ciphertext: ciphertext)
        var writer = CBORWriter(capacity: sealed.encoded.count + 64)
        writer.array(4)
        writer.unsigned(CommandKind.activationKeyRequest.rawValue)
        writer.bytes(sessionID)
        writer.bytes(tag)
        writer.bytes(sealed.encoded)
        self.bytes = writer.finish()
        self.sessionID = sessionID
        self.tag = tag
        self.random = random
        self.sealed = sealed
    }

    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readFrame(.activationKeyRequest, count: 4)
        sessionID = try reader.readBytes(count: FieldSize.identifier)
        tag = try reader.readBytes(count: FieldSize.hash)
        let sealed = try reader.readBytes(maximum: FieldLimit.nested)
        try reader.finish()
        self.sealed = try Encrypt0(sealedInFrame: sealed, labels: [COSELabel.algorithm, COSELabel.requestRandom])
        random = try self.sealed.header.bytes(COSELabel.requestRandom, count: FieldSize.random)
        self.bytes = bytes
    }

    /// Returns the header of the sealed registration.
    package static func header(random: [UInt8]) -> COSEHeader {
        COSEHeader(algorithm: .a256GCM, parameters: [COSELabel.requestRandom: .bytes(random)])
    }
}

/// The key and the description of a device, sealed in the second command of an activation.
package struct DeviceRegistration: Sendable, Hashable {
    /// The public key that the device signs with, a compressed point of P-256. Its algorithm is ESP256, the only one
    /// that is accepted.
    package var deviceKey: [UInt8]

    /// 32 fresh bytes from the authenticator, an input of the instances' secrets.
    package var clientRandom: [UInt8]

    /// The user's name for the device. It may be empty, and contains no character that ``DisplayText`` refuses.
    package var deviceName: String

    package var sdkVersion: String

    /// The codes of the authentication methods that the device has, ascending.
    package var methods: [UInt64]

    package var extensions: Extensions

    package init(
        deviceKey: [UInt8], clientRandom: [UInt8], deviceName: String, sdkVersion: String, methods: [UInt64],
        extensions: Extensions = .none
    ) {
        self.deviceKey = deviceKey
        self.clientRandom = clientRandom
        self.deviceName = deviceName
        self.sdkVersion = sdkVersion
        self.methods = methods
        self.extensions = extensions
    }
}

extension DeviceRegistration: FieldwiseForm {
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 6)
        deviceKey = try reader.readDeviceKey()
        clientRandom = try reader.readBytes(count: FieldSize.random)
        deviceName = try reader.readShownText(maximumBytes: FieldLimit.deviceName)
        sdkVersion = try reader.readShownText(maximumBytes: FieldLimit.sdkVersion)
        methods = try reader.readNumbers(count: 0...FieldLimit.methods)
        extensions = try Extensions(from: &reader)
        try reader.finish()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(6)
        output.deviceKey(deviceKey)
        output.bytes(clientRandom)
        output.text(deviceName)
        output.text(sdkVersion)
        output.numbers(methods)
        extensions.write(to: &output)
    }
}
