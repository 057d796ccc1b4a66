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
    /// - Throws: ``AuditCheckpointError`` with `malformedKey`.
    init(_ text: String) throws(AuditCheckpointError) {
        let parts = text.split(separator: "+", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let key = Data(base64Encoded: String(parts[2])), key.count == 33 else {
            throw AuditCheckpointError(.malformedKey)
        }
        name = String(parts[0])
        publicKey = Array(key.dropFirst())
        // The text has only this form. It names the algorithm, and its id is the key's id.
        guard AuditCheckpoint.verifierKey(of: publicKey, named: name) == text else {
            throw AuditCheckpointError(.malformedKey)
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
    /// - Throws: ``AuditCheckpointError``.
    public init(note: String, verifierKeys: [String]) throws(AuditCheckpointError) {
        var keys: [AuditVerifierKey] = []
        for text in verifierKeys { keys.append(try AuditVerifierKey(text)) }
        guard let name = keys.first?.name, keys.allSatisfy({ $0.name == name }) else {
            throw AuditCheckpointError(.malformedKey)
        }
        try self.init(note: note, keyName: name, publicKeys: keys.map(\.publicKey))
    }
}
