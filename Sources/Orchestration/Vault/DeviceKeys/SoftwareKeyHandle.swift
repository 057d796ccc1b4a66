internal import OrchestrationProtocol
internal import Primitives

/// The handle of a software key: CBOR `[1, file, salt, binding, sealed key]`.
package struct SoftwareKeyHandle {
    private static let version: UInt64 = 1

    /// The name of the key file, 8 bytes.
    let file: [UInt8]

    /// The salt that separates the key's secrets from the secrets of other keys, 32 bytes.
    let salt: [UInt8]

    /// A value that only the device of the key derives, 16 bytes.
    let binding: [UInt8]

    /// The P-256 key under AES-256-GCM, 48 bytes with the tag.
    let sealedKey: [UInt8]
}

extension SoftwareKeyHandle {
    package init(decoding bytes: [UInt8]) throws(OrchestrationError) {
        do throws(WireError) {
            var reader = CBORReader(bytes)
            let count = try reader.readArray()
            let version = try reader.readUnsigned()
            guard version <= Self.version else { throw WireError(.unsupportedVersion) }
            guard version == Self.version, count == 5 else { throw WireError(.unexpectedCount) }
            file = try reader.readBytes(count: 8)
            salt = try reader.readBytes(count: 32)
            binding = try reader.readBytes(count: 16)
            sealedKey = try reader.readBytes(count: 48)
            try reader.finish()
        } catch {
            let code: OrchestrationError.Code = error.code == .unsupportedVersion ? .storeNewerVersion : .storeCorrupt
            throw OrchestrationError(code, underlying: error)
        }
    }

    package var encoded: [UInt8] {
        var writer = CBORWriter(capacity: 128)
        writer.array(5)
        writer.unsigned(Self.version)
        writer.bytes(file)
        writer.bytes(salt)
        writer.bytes(binding)
        writer.bytes(sealedKey)
        return writer.finish()
    }
}
