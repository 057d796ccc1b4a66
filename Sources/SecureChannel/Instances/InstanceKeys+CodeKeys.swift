internal import CHashBlocks
package import Crypto
package import Primitives
internal import Wire

// The keys of a device that a typed code is compared with.
extension InstanceKeys {
    /// Returns the keys of the one-time passwords of a crypto application for every secret at every state of the
    /// ratchet, each of 32 bytes and equal to ``codeKey(secret:ratchet:application:instance:device:)``.
    ///
    /// One call derives all keys of a device, because a processor hashes three messages in less than twice the time of
    /// one, and because each key on its own needs memory of its own.
    ///
    /// - Parameters:
    ///   - secrets: The secrets, each with its instance.
    ///   - ratchets: The states of the key ratchet.
    ///   - application: The crypto application, 1 to 8.
    /// - Returns: The keys of the first secret at all states, then those of the second one, and so on.
    package static func codeKeys(
        secrets: [(instance: Instance, key: SymmetricKey)], ratchets: [SymmetricKey], application: UInt8,
        device: DeviceAddress
    ) -> SecretBytes {
        let count = secrets.count * ratchets.count
        let (infos, infoCount) = infos(
            of: secrets.map(\.instance), times: ratchets.count, application: application, device: device)
        return joined(secrets.map(\.key), ratchets).withBytes { materials in
            SecretBytes(count: 32 * count) { keys in
                unsafe keys.withUnsafeMutableBytes { keys in
                    unsafe materials.withUnsafeBufferPointer { materials in
                        unsafe infos.withUnsafeBufferPointer { infos in
                            unsafe hash_blocks_derive(
                                hash_blocks_features(), materials.baseAddress, infos.baseAddress, infoCount, count,
                                keys.baseAddress?.assumingMemoryBound(to: UInt8.self))
                        }
                    }
                }
            }
        }
    }

    /// Returns secret ‖ ratchet state for all pairs.
    private static func joined(_ secrets: [SymmetricKey], _ ratchets: [SymmetricKey]) -> SecretBytes {
        SecretBytes(count: 64 * secrets.count * ratchets.count) { materials in
            func write(_ key: SymmetricKey, to places: some Sequence<Int>) {
                key.withSpan { key in
                    precondition(key.count == 32, "secrets and ratchet states have 32 bytes")
                    for place in places {
                        for index in 0..<32 { materials[place + index] = key[index] }
                    }
                }
            }
            for (row, secret) in secrets.enumerated() {
                write(secret, to: (0..<ratchets.count).lazy.map { 64 * (row * ratchets.count + $0) })
            }
            for (column, ratchet) in ratchets.enumerated() {
                write(ratchet, to: (0..<secrets.count).lazy.map { 64 * ($0 * ratchets.count + column) + 32 })
            }
        }
    }

    /// Returns the `info` of each key, one after the other, and the number of bytes of each.
    private static func infos(
        of instances: [Instance], times: Int, application: UInt8, device: DeviceAddress
    ) -> (bytes: [UInt8], count: Int) {
        var bytes: [UInt8] = []
        var count = 0
        for instance in instances {
            let info = codeKeyInfo(application: application, instance: instance, device: device)
            // The numbers of instances and applications are below 24: each is one byte.
            precondition(count == 0 || count == info.count, "the contexts of a device have one length")
            count = info.count
            bytes.reserveCapacity(instances.count * times * count)
            for _ in 0..<times { bytes += info }
        }
        return (bytes, count)
    }
}
