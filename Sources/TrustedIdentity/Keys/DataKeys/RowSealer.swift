internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The encryption of secret columns, each under a separate key.
///
/// key = HKDF-SHA256(sealing key, names), and the associated data is the same names: label ‖ table ‖ tenant ‖ row ‖
/// owner ‖ revision. A value that was moved to another row, table, tenant, owner or revision does not open. Neither
/// does a value whose row names another owner.
struct RowSealer: Sendable {
    /// A kind of secret column. The keys depend on the raw values.
    enum Table: String, CaseIterable {
        case staticPassword = "account.static-password"
        case activationPassword = "activation-code.secret"
        case activationSession = "activation-session.keys"
        case deviceSecrets = "device.secrets"
        case deviceRatchet = "device.chain"
        case revokedChannelKey = "device.revoked-channel"
        case approvalNumber = "approval.number"
        case deviceData = "device-data.content"
        case platformKey = "platform-key.private"
        case dataKeys = "platform-state.data-keys"
    }

    let tenant: String
    let random: any RandomSource
    private let key: SecretBox<PreparedMAC>

    /// Creates the encryption of the rows of a store.
    init(tenant: String, keys: DataKeys, random: any RandomSource) {
        self.tenant = tenant
        self.random = random
        key = keys.sealing
    }

    /// Creates the encryption of the keys of a store.
    init(tenant: String, masterKey: MasterKey, random: any RandomSource) {
        self.tenant = tenant
        self.random = random
        key = SecretBox(KeyDerivation<SHA256>.extracted(masterKey.key))
    }

    /// Seals a secret.
    ///
    /// - Parameter owner: The owner of the row; `nil` if the row's name specifies it.
    func seal(
        _ secret: borrowing SecretBytes, _ table: Table, row: [UInt8], owner: RowOwner? = nil, revision: Int64
    ) throws -> SealedValue {
        // Every row and revision has a separate key. The nonce is random because a revision may be written twice: by
        // two conflicting transactions, of which one succeeds, and after a restore from a backup.
        let (key, names) = derive(table, row: row, owner: owner, revision: revision)
        let nonce = try AES.GCM.Nonce(data: random.bytes(12))
        let box = try secret.withBytes { span in
            try unsafe span.withUnsafeBytes {
                try unsafe AES.GCM.seal($0, using: key, nonce: nonce, authenticating: names)
            }
        }
        return SealedValue(revision: revision, bytes: Array(nonce) + Array(box.ciphertext) + Array(box.tag))
    }

    /// Opens a value that ``seal(_:_:row:owner:revision:)`` sealed for the same row and owner.
    ///
    /// - Parameter revision: The revision that the other columns of the row imply, which prevents an older value next
    ///   to newer columns from opening; `nil` if they imply none.
    /// - Throws: ``PlatformError`` with `wrongMasterKey`.
    func open(
        _ value: SealedValue, _ table: Table, row: [UInt8], owner: RowOwner? = nil, revision: Int64? = nil
    ) throws -> SecretBytes {
        guard value.bytes.count >= 28, value.revision == revision ?? value.revision else {
            throw PlatformError(.wrongMasterKey)
        }
        let (key, names) = derive(table, row: row, owner: owner, revision: value.revision)
        do {
            return try AES.GCM.SealedBox(combined: value.bytes).openSecret(using: key, authenticating: names)
        } catch {
            throw PlatformError(.wrongMasterKey, underlying: error)
        }
    }

    private func derive(
        _ table: Table, row: [UInt8], owner: RowOwner?, revision: Int64
    ) -> (key: SymmetricKey, names: [UInt8]) {
        var names = Label.platformRow.bytes
        names.reserveCapacity(256)
        let parts = [Array(table.rawValue.utf8), Array(tenant.utf8), row]
        for part in parts + (owner?.parts ?? []) {
            // Each part is preceded by its length in two bytes. No two lists of names therefore give the same bytes.
            names.append(UInt8(truncatingIfNeeded: part.count >> 8))
            names.append(UInt8(truncatingIfNeeded: part.count))
            names += part
        }
        names += (0..<8).map { UInt8(truncatingIfNeeded: revision >> (56 - 8 * $0)) }
        return (self.key.secret.expanded(info: names), names)
    }
}

/// The owner of a sealed value: the account and the key that the clear columns next to it name.
struct RowOwner: Sendable, Hashable {
    fileprivate let parts: [[UInt8]]

    /// The owner of the keys of a device: its account and its signing key.
    ///
    /// - Parameter deviceKey: The public key of the device.
    init(account: String, deviceKey: [UInt8]) {
        parts = [Array(account.utf8), Array(SHA256.hash(data: deviceKey))]
    }

    /// The owner of the keys of a device.
    init(_ device: DeviceRecord) { self.init(account: device.account, deviceKey: device.deviceKey) }

    /// The owner of an activation password or of an approval request, whose rows have their own ids.
    ///
    /// - Parameter account: The account that it belongs to.
    init(account: String) { parts = [Array(account.utf8)] }

    /// The owner of the keys of an exchange: the account that the device will belong to, and the registration.
    init(exchangeOf account: String, registrationID: String) {
        parts = [Array(account.utf8), Array(registrationID.utf8)]
    }
}
