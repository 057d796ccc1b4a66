internal import Crypto
public import Primitives
internal import SecureChannel

/// The key from which the platform derives the secrets of later passwords.
///
/// A device that changes its password gets a value that depends on this key: see the article "A password that cannot be
/// tested on the device". A device that has changed its password since a backup is found again after a restore only
/// with the same change key. Keep it as the master key is kept, and back it up together with the master key. A lost one
/// is replaced by
/// ``Platform/replaceChangeKey(with:on:masterKey:otherMasterKeys:tenant:time:random:logger:beforeReplacing:)``.
public struct ChangeKey: Sendable, Redacted {
    let key: SymmetricKey

    /// Creates a key from bytes.
    ///
    /// - Parameter bytes: 32 random bytes.
    /// - Throws: ``PlatformError`` with `wrongChangeKey` for another length.
    public init(bytes: borrowing SecretBytes) throws(PlatformError) {
        guard bytes.count == 32 else { throw .init(.wrongChangeKey) }
        key = SymmetricKey(bytes)
    }

    /// Creates the change key of a platform that was opened without one.
    ///
    /// A platform whose master key is replaced keeps the change key of its first master key.
    public init(derivedFrom masterKey: MasterKey) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: masterKey.key, info: Label.changeKey.bytes, outputByteCount: 32)
    }

    /// Creates a random key.
    ///
    /// - Parameter random: The source of the 32 bytes.
    /// - Throws: ``PlatformError`` with `wrongChangeKey` for a source that gives another number of bytes.
    public static func make(random: any RandomSource = SystemRandomSource()) throws(PlatformError) -> ChangeKey {
        try ChangeKey(bytes: random.secret(32))
    }

    /// Creates a key from the text that ``encoded()`` returns, with or without the line feed at its end.
    ///
    /// - Parameter text: 64 hexadecimal digits.
    /// - Throws: ``PlatformError`` with `wrongChangeKey` for anything else.
    public init(encoded text: borrowing SecretBytes) throws(PlatformError) {
        guard let bytes = text.withBytes({ KeyText.decode($0) }) else { throw .init(.wrongChangeKey) }
        try self.init(bytes: bytes)
    }

    /// Returns the text for a file with the key: 64 hexadecimal digits and a line feed.
    public func encoded() -> SecretBytes { KeyText.encode(key) }

    /// Always the same words.
    public var description: String { "change key" }

    /// The bytes by which a store recognizes the key, 8 of a hash.
    var id: [UInt8] {
        var hash = SHA256()
        hash.update(data: Label.changeKeyID.bytes)
        key.withSpan { hash.update($0) }
        return Array(hash.finalize().prefix(8))
    }
}

// The secrets of the generations.
extension ChangeKey {
    /// Returns K₁ of a later generation of a device.
    ///
    /// - Throws: `SecureChannelError` for a generation that is earlier, or more than 8 later.
    func secret(
        _ secret: SymmetricKey, from start: UInt64, to end: UInt64, device: DeviceAddress
    ) throws -> SymmetricKey {
        try PasswordGenerations.advance(secret, from: start, to: end, changeKey: key, device: device)
    }

    /// Returns δ, the difference from K₁ of a generation to that of the next one.
    func change(to generation: UInt64, from secret: SymmetricKey, device: DeviceAddress) -> SymmetricKey {
        PasswordGenerations.change(to: generation, from: secret, changeKey: key, device: device)
    }
}

extension PlatformStateRecord {
    /// Requires that the store still belongs to a change key. Each decision that may derive the secret of a later
    /// password calls this with the row that it has read, and compares the version of that row again when it writes.
    ///
    /// The key may have been replaced while this platform runs. One that goes on with the earlier key would offer
    /// another difference for the same generation, and count right passwords as wrong.
    ///
    /// - Throws: ``PlatformError`` with `wrongChangeKey`.
    func requireBound(to changeKey: ChangeKey) throws {
        guard changeKeyID == changeKey.id else { throw PlatformError(.wrongChangeKey) }
    }
}

extension StoreTransaction {
    /// Requires that the store belongs to a change key. The first platform on the store binds it to its own.
    ///
    /// With another key, the platform would refuse the devices whose change of password is open.
    ///
    /// - Throws: ``PlatformError`` with `wrongChangeKey`; ``WriteConflict``.
    func require(_ changeKey: ChangeKey) throws {
        var state = try presentState()
        guard let id = state.changeKeyID else {
            state.changeKeyID = changeKey.id
            try requireWritten(update(state))
            return
        }
        guard id == changeKey.id else { throw PlatformError(.wrongChangeKey) }
    }

    /// Binds the store to another change key, with an entry in the audit log.
    ///
    /// - Throws: ``WriteConflict``.
    func replaceChangeKey(with changeKey: ChangeKey, at now: Timestamp) throws {
        var state = try presentState()
        guard let earlier = state.changeKeyID, earlier != changeKey.id else { return }
        state.changeKeyID = changeKey.id
        try requireWritten(update(state))
        let reason = Hex.encode(earlier) + ">" + Hex.encode(changeKey.id)
        try append(AuditEntry(time: now, event: .changeKeyReplaced, reason: reason))
    }
}
