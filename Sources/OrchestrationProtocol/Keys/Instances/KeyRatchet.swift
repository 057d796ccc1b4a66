package import Crypto
package import Primitives

/// The key ratchet: each state is derived from the previous one and from fresh random bytes of both sides. No state
/// reveals a previous one, and no next state can be derived without the platform's input.
package enum KeyRatchet {
    /// Returns D(index) for the state D(index - 1): HKDF-SHA256 with ikm = state ‖ input of the device ‖ input of the
    /// platform and `info` = "chain" ‖ index. The index has eight bytes, most significant first.
    ///
    /// - Parameters:
    ///   - deviceInput: a, 32 bytes.
    ///   - platformInput: b, 32 bytes.
    package static func next(
        _ state: SymmetricKey, to index: UInt64, deviceInput: SymmetricKey, platformInput: SymmetricKey
    ) -> SymmetricKey {
        let context = (0..<8).map { UInt8(truncatingIfNeeded: index >> UInt64(56 - 8 * $0)) }
        let material = SymmetricKey(SymmetricKey(state, deviceInput), platformInput)
        return KeyDerivation<SHA256>.deriveKey(material, as: .ratchet, context: context)
    }

    /// Returns the tag that shows the ratchet state at which a request was made: HMAC-SHA-256 over the device's input,
    /// or 32 zero bytes, and the signed message.
    ///
    /// The key is HKDF-SHA256 of the state. It does not depend on a password.
    ///
    /// - Parameters:
    ///   - message: The encoded `COSE_Sign1` that the tag belongs to.
    ///   - input: a, 32 bytes; `nil` for none.
    ///   - state: The state at the index that the message names.
    /// - Returns: 32 bytes.
    package static func tag(
        of message: [UInt8], input: SymmetricKey?, state: SymmetricKey, device: DeviceAddress
    ) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        writer.text(device.tenant)
        writer.bytes(device.id)
        var code = HMAC<SHA256>(
            key: KeyDerivation<SHA256>.deriveKey(state, as: .ratchetTag, context: writer.finish()))
        if let input {
            input.withSpan { bytes in unsafe bytes.withUnsafeBytes { unsafe code.update(data: $0) } }
        } else {
            code.update(data: [UInt8](repeating: 0, count: FieldSize.random))
        }
        code.update(data: message)
        return code.finalize().withSpan { [UInt8]($0) }
    }
}
