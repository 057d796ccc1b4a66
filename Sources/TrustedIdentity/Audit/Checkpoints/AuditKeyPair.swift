internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// An Ed25519 key pair that signs checkpoints of the audit log. It makes no other signatures: an audit key is not
/// accepted for answers, receipts and key statements, and the keys for those are not accepted for checkpoints.
struct AuditKeyPair: Sendable {
    /// The first 8 bytes of the SHA-256 of the public key.
    let id: [UInt8]
    /// The public key, 32 bytes.
    let publicKey: [UInt8]

    private let privateKey: Curve25519.Signing.PrivateKey

    /// Creates a pair from its stored form, or a new pair from 32 random bytes.
    init(privateRepresentation: borrowing SecretBytes) throws {
        privateKey = try privateRepresentation.withBytes { span throws in
            try unsafe span.withUnsafeBytes { try unsafe Curve25519.Signing.PrivateKey(rawRepresentation: $0) }
        }
        publicKey = [UInt8](privateKey.publicKey.rawRepresentation)
        id = PlatformPublicKey.keyID(of: publicKey)
    }

    /// Signs the text of a checkpoint.
    func sign(_ text: CheckpointText) throws -> AuditCheckpoint {
        let signature = [UInt8](try privateKey.signature(for: Array(text.text.utf8)))
        return AuditCheckpoint(text: text, signature: signature, publicKey: publicKey)
    }
}
