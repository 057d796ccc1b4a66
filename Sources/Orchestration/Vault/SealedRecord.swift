internal import Crypto
internal import Primitives
internal import SecureChannel
internal import Wire

/// A user record as it lies in the store: CBOR [version, key handle, salt, ciphertext ‖ tag], then the SHA-256 of that.
///
/// The hash is over bytes that anybody may see and protects nothing; it tells damage from a record of another device or
/// of a newer version, whatever their content is. It stays the last 32 bytes in every version. Each write has a key of
/// its own, HKDF(device's storage secret, fresh salt); version, kind, name and handle are authenticated with it.
struct SealedRecord {
    static let version: UInt64 = 1

    /// The handle of the device key that seals the record.
    let handle: [UInt8]

    private let salt: [UInt8]
    private let sealed: [UInt8]

    /// Takes a blob of the store apart.
    ///
    /// - Throws: `storeCorrupt`, `storeNewerVersion`.
    init(decoding bytes: [UInt8]) throws(OrchestrationError) {
        let content = Array(bytes.dropLast(SHA256.byteCount))
        guard bytes.count > SHA256.byteCount,
            ConstantTime.equal(Array(bytes.suffix(SHA256.byteCount)), Array(SHA256.hash(data: content)))
        else { throw OrchestrationError(.storeCorrupt) }
        do throws(WireError) {
            var reader = CBORReader(content, limits: CBORLimits(bytes: maximumStoredBytes))
            let count = try reader.readArray()
            let version = try reader.readUnsigned()
            guard version <= Self.version else { throw WireError(.unsupportedVersion) }
            guard version == Self.version, count == 4 else { throw WireError(.unexpectedCount) }
            handle = try reader.readBytes(maximum: 1_024)
            salt = try reader.readBytes(count: 32)
            sealed = try reader.readBytes()
            try reader.finish()
        } catch {
            let code: OrchestrationError.Code = error.code == .unsupportedVersion ? .storeNewerVersion : .storeCorrupt
            throw OrchestrationError(code, underlying: error)
        }
    }

    /// Opens the record.
    ///
    /// - Parameters:
    ///   - name: the name it was found under.
    ///   - secret: the storage secret of the device key of ``handle``.
    /// - Throws: `storeCorrupt` when it was sealed with another secret or for another name.
    func open(
        as name: StoreName, with secret: SymmetricKey, allowedCosts: Set<ScryptCost>
    ) throws(OrchestrationError) -> UserRecord {
        guard sealed.count >= 16 else { throw OrchestrationError(.storeCorrupt) }
        let plaintext: SecretBytes
        do {
            let box = try AES.GCM.SealedBox(nonce: .zero, ciphertext: sealed.dropLast(16), tag: sealed.suffix(16))
            plaintext = try box.openSecret(
                using: Self.key(secret, salt), authenticating: Self.associatedData(name, handle))
        } catch {
            throw OrchestrationError(.storeCorrupt, underlying: error)
        }
        // The reader wants an array; when it is done with it, nobody else has it.
        var bytes = plaintext.withBytes { [UInt8]($0) }
        defer { bytes.wipe() }
        return try UserRecord(decoding: bytes, allowedCosts: allowedCosts)
    }

    /// The blob of a record.
    static func seal(
        _ record: UserRecord, as name: StoreName, handle: [UInt8], with secret: SymmetricKey, salt: [UInt8]
    ) throws -> [UInt8] {
        var plaintext = record.encoded
        defer { plaintext.wipe() }
        // The salt is fresh for each write, so the key seals one message and the nonce may be zero.
        let box = try AES.GCM.seal(
            plaintext, using: key(secret, salt), nonce: .zero, authenticating: associatedData(name, handle))
        var writer = CBORWriter(capacity: box.ciphertext.count + handle.count + 64)
        writer.array(4)
        writer.unsigned(version)
        writer.bytes(handle)
        writer.bytes(salt)
        writer.bytes(Array(box.ciphertext) + Array(box.tag))
        let content = writer.finish()
        return content + SHA256.hash(data: content)
    }

    private static func key(_ secret: SymmetricKey, _ salt: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret, salt: salt, info: Label.userRecord.bytes, outputByteCount: 32)
    }

    private static func associatedData(_ name: StoreName, _ handle: [UInt8]) -> [UInt8] {
        var writer = CBORWriter(capacity: 256)
        writer.array(4)
        writer.text(Label.userRecord.text)
        writer.unsigned(version)
        writer.text(name.text)
        writer.bytes(handle)
        return writer.finish()
    }
}
