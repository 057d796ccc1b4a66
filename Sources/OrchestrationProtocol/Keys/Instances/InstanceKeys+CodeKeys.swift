package import Crypto
package import Primitives

// The device's keys for checking a typed code.
extension InstanceKeys {
    /// Returns the keys of the one-time passwords of a crypto application for every secret at every state of the
    /// ratchet, each of 32 bytes and equal to ``codeKey(secret:ratchet:application:instance:device:)``.
    ///
    /// - Parameters:
    ///   - secrets: The secrets, each with its instance.
    ///   - ratchets: The states of the key ratchet.
    ///   - application: The crypto application, 1 to 8.
    /// - Returns: The keys of the first secret at all states, then the keys of the second secret, and so on.
    package static func codeKeys(
        secrets: [(instance: Instance, key: SymmetricKey)], ratchets: [SymmetricKey], application: UInt8,
        device: DeviceAddress
    ) -> SecretBytes {
        SecretBytes(count: 32 * secrets.count * ratchets.count) { keys in
            var place = 0
            for (instance, secret) in secrets {
                let info = codeKeyInfo(application: application, instance: instance, device: device)
                for ratchet in ratchets {
                    KeyDerivation<SHA256>.extracted(SymmetricKey(secret, ratchet)).expanded(info: info)
                        .withSpan { key in for index in key.indices { keys[place + index] = key[index] } }
                    place += 32
                }
            }
        }
    }
}
