internal import Crypto
internal import Primitives
internal import SecureChannel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The encryption of secret columns, each under a key of its own.
///
/// key = HKDF-SHA256(master key, "row" ‖ table ‖ tenant ‖ row ‖ revision). The associated data is the same names with
/// the id of the master key. A value that was moved to another row, table, tenant or revision does not open.
struct RowSealer: Sendable {
    /// A kind of secret column. The keys depend on the raw values.
    enum Table: String {
        case staticPassword = "account.static-password"
        case activationPassword = "activation-code.secret"
        case activationSession = "activation-session.keys"
        case deviceSecrets = "device.secrets"
        case deviceRatchet = "device.chain"
        case platformKey = "platform-key.private"
    }

    let tenant: String
    let masterKey: MasterKey
    let random: any RandomSource

    /// Seals a secret.
    func seal(_ secret: borrowing SecretBytes, _ table: Table, row: [UInt8], revision: Int64) throws -> SealedValue {
        let (key, names) = derive(table, row: row, revision: revision)
        // Every row and revision has a key of its own. The nonce is random because a revision may be written twice: by
        // two transactions of which one wins, and after a restore from a backup.
        let nonce = try AES.GCM.Nonce(data: random.bytes(12))
        let box = try secret.withBytes { span in
            try unsafe span.withUnsafeBytes {
                try unsafe AES.GCM.seal($0, using: key, nonce: nonce, authenticating: names)
            }
        }
        return SealedValue(
            keyID: masterKey.id, revision: revision, bytes: Array(nonce) + Array(box.ciphertext) + Array(box.tag))
    }

    /// Opens a value that ``seal(_:_:row:revision:)`` sealed for the same row.
    ///
    /// - Parameter revision: The revision that the other columns of the row imply, so that an older value beside newer
    ///   columns does not open; `nil` where they imply none.
    /// - Throws: ``PlatformError`` with `wrongMasterKey`.
    func open(_ value: SealedValue, _ table: Table, row: [UInt8], revision: Int64? = nil) throws -> SecretBytes {
        guard value.keyID == masterKey.id, value.bytes.count >= 28, value.revision == revision ?? value.revision else {
            throw PlatformError(.wrongMasterKey)
        }
        let (key, names) = derive(table, row: row, revision: value.revision)
        do {
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: value.bytes[..<12]), ciphertext: value.bytes[12..<value.bytes.count - 16],
                tag: value.bytes[(value.bytes.count - 16)...])
            var plaintext = try AES.GCM.open(box, using: key, authenticating: names)
            defer { plaintext.resetBytes(in: plaintext.startIndex..<plaintext.endIndex) }
            return SecretBytes(copying: plaintext)
        } catch {
            throw PlatformError(.wrongMasterKey, underlying: error)
        }
    }

    private func derive(_ table: Table, row: [UInt8], revision: Int64) -> (key: SymmetricKey, names: [UInt8]) {
        var names = Label.platformRow.bytes
        for part in [Array(table.rawValue.utf8), Array(tenant.utf8), row, Array(masterKey.id.utf8)] {
            // Each part has its length in two bytes, so that no two lists of names give the same bytes.
            names += [UInt8(truncatingIfNeeded: part.count >> 8), UInt8(truncatingIfNeeded: part.count)] + part
        }
        names += (0..<8).map { UInt8(truncatingIfNeeded: revision >> (56 - 8 * $0)) }
        let key = HKDF<SHA256>.deriveKey(inputKeyMaterial: masterKey.key, info: names, outputByteCount: 32)
        return (key, names)
    }
}
