package import Primitives

/// The registration of an enrolled method: the protection of its keys on the device, and the public key that signs its
/// approval answers.
///
/// A value is the payload of a signature by the key that it names. The signature shows that the device has the key. A
/// value contains no secret.
package struct MethodRegistrationContent: Sendable, Hashable {
    /// 16 bytes.
    package var deviceID: [UInt8]

    /// Biometric or face.
    package var method: AuthenticationMethod

    package var protection: MethodProtection

    /// A compressed point of P-256, 33 bytes. Its algorithm is ESP256, the only one that is accepted.
    package var key: [UInt8]

    package var extensions: Extensions

    package init(
        deviceID: [UInt8], method: AuthenticationMethod, protection: MethodProtection, key: [UInt8],
        extensions: Extensions = .none
    ) {
        self.deviceID = deviceID
        self.method = method
        self.protection = protection
        self.key = key
        self.extensions = extensions
    }

    /// The external associated data of the signature.
    package static let externalAAD = Label.methodRegistration.bytes

    private static let name = "method"
}

extension MethodRegistrationContent: FieldwiseForm {
    /// Decodes a registration.
    ///
    /// - Throws: ``WireError`` with `unexpectedMessage` for another name, `invalidValue` for a method that no user
    ///   enrolls and a protection that is unknown or not allowed for the method, and the errors of a field outside its
    ///   limits.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes)
        try reader.readArray(count: 6)
        try reader.readConstant(Self.name)
        deviceID = try reader.readBytes(count: FieldSize.identifier)
        method = try reader.readEnrollableMethod()
        let protectionStart = reader.offset
        protection = try reader.readCase(MethodProtection.self)
        guard protection.isAllowed(for: method) else { throw WireError(.invalidValue, offset: protectionStart) }
        key = try reader.readDeviceKey()
        extensions = try Extensions(from: &reader)
        try reader.finish()
    }

    package func write(to output: inout some CBOROutput) {
        output.array(6)
        output.text(Self.name)
        output.bytes(deviceID)
        output.unsigned(UInt64(method.rawValue))
        output.unsigned(UInt64(protection.rawValue))
        output.deviceKey(key)
        extensions.write(to: &output)
    }
}
