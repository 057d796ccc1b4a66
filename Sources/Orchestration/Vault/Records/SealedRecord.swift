internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// A user record as it is stored: CBOR `[version, key handle, salt, ciphertext ‖ tag]`, then their SHA-256.
///
/// While an activation runs that replaces a locked device, a fifth element is the stored value of that device's record.
/// It is sealed separately, and is restored if the platform drops the activation or its time is over.
///
/// The hash is not secret and protects nothing. It distinguishes damage from a record of another device or of another
/// version. Therefore it is the last 32 bytes in every version. Each write has a separate key, HKDF(storage secret of
/// the device, fresh salt); version, name and handle are authenticated with it.
package struct SealedRecord {
    /// The version of the outer form. A new field of a record needs no new version.
    static let version: UInt64 = 1

    /// The handle of the device key that seals the record.
    let handle: [UInt8]

    /// The stored value of the locked record that this one replaces when its activation is finished; `nil` for none.
    let replaced: [UInt8]?

    private let salt: [UInt8]
    private let sealed: [UInt8]

    /// Reads the outer form of a stored value.
    ///
    /// - Throws: `storeCorrupt`, `storeNewerVersion`.
    package init(decoding bytes: [UInt8]) throws(OrchestrationError) {
        let content = Array(bytes.dropLast(SHA256.byteCount))
        guard bytes.count > SHA256.byteCount,
            ConstantTime.equal(Array(bytes.suffix(SHA256.byteCount)), Array(SHA256.hash(data: content)))
        else { throw OrchestrationError(.storeCorrupt) }
        do throws(WireError) {
            var reader = CBORReader(content, limits: CBORLimits(bytes: maximumStoredBytes))
            let count = try reader.readArray()
            let version = try reader.readUnsigned()
            guard version <= Self.version else { throw WireError(.unsupportedVersion) }
            guard version > 0, 4...5 ~= count else { throw WireError(.unexpectedCount) }
            handle = try reader.readBytes(maximum: 1_024)
            salt = try reader.readBytes(count: 32)
            sealed = try reader.readBytes()
            replaced = count == 5 ? try reader.readBytes() : nil
            try reader.finish()
        } catch {
            let code: OrchestrationError.Code = error.code == .unsupportedVersion ? .storeNewerVersion : .storeCorrupt
            throw OrchestrationError(code, underlying: error)
        }
    }

    /// Opens the record.
    ///
    /// - Parameters:
    ///   - name: The name of the record in the store.
    ///   - secret: The storage secret of the device key of ``handle``.
    ///   - allowedCosts: The costs that a record may have.
    /// - Throws: `storeCorrupt` for a record that was sealed with another secret or for another name;
    ///   `storeNewerVersion`.
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
        // The reader needs an array. No other reference to it exists when it is wiped.
        var bytes = plaintext.withBytes { [UInt8]($0) }
        defer { bytes.wipe() }
        return try UserRecord(decoding: bytes, allowedCosts: allowedCosts)
    }

    /// Returns the stored value of a record.
    ///
    /// - Parameters:
    ///   - salt: 32 fresh random bytes.
    ///   - replaced: The stored value of the locked record that this one replaces.
    static func seal(
        _ record: UserRecord, as name: StoreName, handle: [UInt8], with secret: SymmetricKey, salt: [UInt8],
        replacing replaced: [UInt8]? = nil
    ) throws(OrchestrationError) -> [UInt8] {
        var plaintext = record.encoded
        defer { plaintext.wipe() }
        // The salt is fresh for each write, so the key seals one message and the nonce may be zero.
        let box: AES.GCM.SealedBox
        do {
            box = try AES.GCM.seal(
                plaintext, using: key(secret, salt), nonce: .zero, authenticating: associatedData(name, handle))
        } catch {
            throw OrchestrationError(.internal, underlying: error)
        }
        var writer = CBORWriter(capacity: box.ciphertext.count + handle.count + (replaced?.count ?? 0) + 80)
        writer.array(replaced == nil ? 4 : 5)
        writer.unsigned(version)
        writer.bytes(handle)
        writer.bytes(salt)
        writer.bytes(Array(box.ciphertext) + Array(box.tag))
        if let replaced { writer.bytes(replaced) }
        let content = writer.finish()
        return content + SHA256.hash(data: content)
    }

    /// The handles of the device keys of the record and of the one that it replaces.
    var handles: [[UInt8]] {
        get throws(OrchestrationError) {
            guard let replaced else { return [handle] }
            return [handle, try SealedRecord(decoding: replaced).handle]
        }
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

extension AES.GCM.Nonce {
    /// Twelve zero bytes, for a key that seals exactly one message.
    static var zero: AES.GCM.Nonce {
        get throws { try AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12)) }
    }
}
