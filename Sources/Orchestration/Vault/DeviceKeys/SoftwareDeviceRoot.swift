internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// The root from which the secrets of one software device key are derived.
struct SoftwareDeviceRoot: Sendable {
    private let root: SymmetricKey
    private let salts: Salts
    private let salt: [UInt8]

    init(secret: [UInt8], salts: Salts, machine: MachineIdentity, salt: [UInt8]) {
        root = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), salt: salts.authenticator,
            info: Label.deviceRoot.bytes + machine.bytes, outputByteCount: 32)
        self.salts = salts
        self.salt = salt
    }

    /// A value that only this device can derive. It does not unlock anything.
    var binding: [UInt8] {
        unsafe derive(.deviceBinding, with: [], count: 16).withUnsafeBytes { unsafe Array($0) }
    }

    func secret(_ purpose: DeviceSecretPurpose) -> SymmetricKey {
        switch purpose {
        case .storage: derive(.deviceStorageSecret, with: salts.storage, count: 32)
        case .password: derive(.devicePasswordSecret, with: salts.authenticator, count: 32)
        }
    }

    func seal(_ key: P256.Signing.PrivateKey) throws -> [UInt8] {
        var raw = SecretBytes(wiping: key.rawRepresentation).withBytes { [UInt8]($0) }
        defer { raw.wipe() }
        // The sealing key comes from a fresh salt and seals this one key, so the nonce may be zero.
        let box = try AES.GCM.seal(raw, using: derive(.deviceKeySeal, with: [], count: 32), nonce: .zero)
        return Array(box.ciphertext) + Array(box.tag)
    }

    func open(_ sealed: [UInt8]) throws(OrchestrationError) -> P256.Signing.PrivateKey {
        do {
            let box = try AES.GCM.SealedBox(
                nonce: .zero, ciphertext: sealed.dropLast(16), tag: sealed.suffix(16))
            var raw = try box.openSecret(using: derive(.deviceKeySeal, with: [], count: 32)).withBytes { [UInt8]($0) }
            defer { raw.wipe() }
            return try P256.Signing.PrivateKey(rawRepresentation: raw)
        } catch {
            throw OrchestrationError(.storeCorrupt, underlying: error)
        }
    }

    private func derive(_ label: Label, with appSalt: [UInt8], count: Int) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: root, salt: salt + appSalt, info: label.bytes, outputByteCount: count)
    }
}
