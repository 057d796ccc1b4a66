#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A key that verifies checkpoints of an audit log, in the form of C2SP signed-note: name, id and key.
struct AuditVerifierKey: Sendable, Hashable {
    /// The name of the key.
    let name: String
    /// The Ed25519 public key, 32 bytes.
    let publicKey: [UInt8]

    /// Reads a key in the form of ``Platform/auditVerifierKey``.
    ///
    /// - Throws: ``AuditError`` with `malformedKey`.
    init(_ text: String) throws(AuditError) {
        let parts = text.split(separator: "+", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let key = Data(base64Encoded: String(parts[2])), key.count == 33 else {
            throw AuditError(.malformedKey)
        }
        name = String(parts[0])
        publicKey = Array(key.dropFirst())
        // The text has only this form. It names the algorithm, and its id is the key's id.
        guard AuditCheckpoint.verifierKey(of: publicKey, named: name) == text else {
            throw AuditError(.malformedKey)
        }
    }
}

extension AuditCheckpoint {
    /// Reads a note and verifies it without the platform.
    ///
    /// - Parameters:
    ///   - note: The note.
    ///   - verifierKeys: Keys of one platform, as ``Platform/auditVerifierKey`` returns them. One of them must have
    ///     signed the note.
    /// - Throws: ``AuditError``.
    public init(note: String, verifierKeys: [String]) throws(AuditError) {
        var keys: [AuditVerifierKey] = []
        for text in verifierKeys { keys.append(try AuditVerifierKey(text)) }
        guard let name = keys.first?.name, keys.allSatisfy({ $0.name == name }) else {
            throw AuditError(.malformedKey)
        }
        try self.init(note: note, keyName: name, publicKeys: keys.map(\.publicKey))
    }
}
