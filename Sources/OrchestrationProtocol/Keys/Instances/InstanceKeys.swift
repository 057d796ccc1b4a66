package import Crypto
package import Primitives

/// The keys and proofs of an instance. All depend on its secret and on the state of the key ratchet, which means that a
/// stolen store does not help with codes and proofs of previous states.
package enum InstanceKeys {
    /// Returns the tag of a proof: HMAC-SHA-256 over "answer" ‖ the bytes of the signed message.
    ///
    /// - Parameters:
    ///   - message: The encoded `COSE_Sign1` that the proof belongs to.
    ///   - secret: The secret of the instance in this generation.
    ///   - ratchet: The state at the index that the message names.
    /// - Returns: 32 bytes.
    package static func proof(
        of message: [UInt8], secret: SymmetricKey, ratchet: SymmetricKey, instance: Instance, method: UInt8,
        generation: UInt64, device: DeviceAddress
    ) -> [UInt8] {
        let key = derive(.proofKey, secret: secret, ratchet: ratchet) { writer in
            writer.array(5)
            writer.text(device.tenant)
            writer.bytes(device.id)
            writer.unsigned(UInt64(instance.rawValue))
            writer.unsigned(UInt64(method))
            writer.unsigned(generation)
        }
        return HMAC<SHA256>.authenticationCode(for: Label.answer.bytes + message, using: key).withSpan { [UInt8]($0) }
    }

    /// Whether a tag is the proof of a message. The comparison takes constant time.
    package static func verifyProof(
        _ tag: [UInt8], of message: [UInt8], secret: SymmetricKey, ratchet: SymmetricKey, instance: Instance,
        method: UInt8, generation: UInt64, device: DeviceAddress
    ) -> Bool {
        // The expected tag is a valid proof of the message, even when the peer could not make one.
        var expected = proof(
            of: message, secret: secret, ratchet: ratchet, instance: instance, method: method, generation: generation,
            device: device)
        defer { expected.wipe() }
        return ConstantTime.equal(expected, tag)
    }

    /// Returns the key of the one-time passwords of a crypto application, 32 bytes.
    package static func codeKey(
        secret: SymmetricKey, ratchet: SymmetricKey, application: UInt8, instance: Instance,
        device: DeviceAddress
    ) -> SymmetricKey {
        derive(.codeKey, secret: secret, ratchet: ratchet) { writer in
            write(application: application, instance: instance, device: device, to: &writer)
        }
    }

    /// Returns the key of the platform's codes for a crypto application, 32 bytes.
    ///
    /// - Parameter secret: K₂n, never K₁, because a code of the platform must not make it possible to test the
    ///   password.
    package static func hostCodeKey(
        secret: SymmetricKey, ratchet: SymmetricKey, application: UInt8, instance: Instance,
        device: DeviceAddress
    ) -> SymmetricKey {
        derive(.hostCodeKey, secret: secret, ratchet: ratchet) { writer in
            write(application: application, instance: instance, device: device, to: &writer)
        }
    }

    /// Returns the `info` of ``codeKey(secret:ratchet:application:instance:device:)``: label ‖ context.
    static func codeKeyInfo(application: UInt8, instance: Instance, device: DeviceAddress) -> [UInt8] {
        var writer = CBORWriter()
        write(application: application, instance: instance, device: device, to: &writer)
        return Label.codeKey.bytes + writer.finish()
    }

    private static func write(
        application: UInt8, instance: Instance, device: DeviceAddress, to writer: inout CBORWriter
    ) {
        writer.array(4)
        writer.text(device.tenant)
        writer.bytes(device.id)
        writer.unsigned(UInt64(instance.rawValue))
        writer.unsigned(UInt64(application))
    }

    /// HKDF-SHA256 with ikm = secret ‖ ratchet state, both of 32 bytes, and `info` = label ‖ context.
    private static func derive(
        _ label: Label, secret: SymmetricKey, ratchet: SymmetricKey, context: (inout CBORWriter) -> Void
    ) -> SymmetricKey {
        var writer = CBORWriter()
        context(&writer)
        return KeyDerivation<SHA256>.deriveKey(SymmetricKey(secret, ratchet), as: label, context: writer.finish())
    }
}
