internal import Crypto
internal import Primitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The text of a checkpoint (C2SP tlog-checkpoint): the origin of the log, the number of leaves and the root of its
/// tree.
struct CheckpointText: Sendable, Hashable {
    /// The origin: the name of the keys, which a restore does not change, and the time of the latest restore.
    let origin: String
    /// The number of leaves.
    let size: Int64
    /// The root, 32 bytes.
    let root: [UInt8]

    /// The text that is signed: three lines.
    var text: String { "\(origin)\n\(size)\n\(Data(root).base64EncodedString())\n" }

    /// Returns the name of a platform's audit keys: its first key statement and its tenant.
    static func keyName(fingerprint: [UInt8], tenant: String) -> String {
        // The tenant is printable ASCII without spaces. A key name must not contain a plus sign, and a slash separates
        // the parts of an origin.
        let name = tenant.replacing("%", with: "%25").replacing("+", with: "%2B").replacing("/", with: "%2F")
        return "swift-orchestration/audit/\(Hex.encode(Array(fingerprint.prefix(8))))/\(name)"
    }

    /// Returns the origin of the log that begins with a restore; nil for the first log of a platform.
    ///
    /// The entries after a restore are not the ones that followed the backup before. One origin must not cover both.
    static func origin(keyName: String, restoredAt: Timestamp?) -> String {
        restoredAt.map { "\(keyName)/\($0.millisecondsSinceEpoch)" } ?? keyName
    }

    /// Returns the audit key name in an origin, which is its first four parts.
    static func keyName(of origin: String) -> String {
        origin.split(separator: "/", omittingEmptySubsequences: false).prefix(4).joined(separator: "/")
    }

    /// Returns the tenant in the name of an audit key.
    static func tenant(of keyName: String) -> String {
        let name = String(keyName.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).last ?? "")
        return name.replacing("%2F", with: "/").replacing("%2B", with: "+").replacing("%25", with: "%")
    }

    /// Whether the log belongs to the platform with these keys: the first log, or one that a restore began.
    func isLog(of keyName: String) -> Bool {
        guard origin.hasPrefix(keyName + "/") else { return origin == keyName }
        let time = origin.dropFirst(keyName.count + 1)
        return Int64(time).map { String($0) == time } ?? false
    }
}

/// A signed checkpoint of the audit log, as a signed note (C2SP signed-note) of the form of C2SP tlog-checkpoint.
///
/// A checkpoint commits to every entry up to its size. Keep checkpoints where the operator of the database cannot
/// change them: ``Platform/verifyAudit(against:)`` shows whether the log still contains the entries that they commit
/// to.
public struct AuditCheckpoint: Sendable, Hashable {
    /// The byte that stands for Ed25519 in the id of a key.
    private static let ed25519: UInt8 = 0x01
    /// The largest note that is read, in characters.
    private static let longestNote = 16 * 1024

    private let content: CheckpointText
    /// The id of the key that has signed the checkpoint, 4 bytes, as in its verifier key.
    public let keyID: [UInt8]
    /// Whether the note has one signature. Lines of witnesses may follow it in a note, and not in an audit file.
    let hasOneSignature: Bool
    /// The whole note: the text, an empty line, and the lines of the signatures.
    public let note: String

    /// The origin of the log, which is another one after each restore.
    public var origin: String { content.origin }
    /// The number of entries that the checkpoint commits to, which is the sequence number of the last one.
    public var size: Int64 { content.size }
    /// The root of the tree, 32 bytes.
    public var root: [UInt8] { content.root }

    /// Creates the note of a signature.
    init(text: CheckpointText, signature: [UInt8], publicKey: [UInt8]) {
        content = text
        let name = CheckpointText.keyName(of: text.origin)
        keyID = Self.keyID(of: publicKey, named: name)
        hasOneSignature = true
        note = "\(text.text)\n\u{2014} \(name) \(Data(keyID + signature).base64EncodedString())\n"
    }

    /// Reads a note and verifies it.
    ///
    /// - Parameters:
    ///   - note: The note. Lines of other keys, such as witnesses, are ignored.
    ///   - keyName: The name of the keys. The checkpoint may be one from before or after any restore.
    ///   - publicKeys: The audit keys of the platform.
    /// - Throws: ``AuditError``.
    init(note: String, keyName: String, publicKeys: [[UInt8]]) throws(AuditError) {
        let (text, signatures) = try Self.parts(of: note)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // Three lines, and what follows the last line feed. This log uses no extension lines.
        guard lines.count == 4, lines[3].isEmpty, let size = Int64(lines[1]), size >= 0, String(size) == lines[1],
            let root = Data(base64Encoded: String(lines[2])), root.count == MerkleTree.hashLength
        else { throw AuditError(.malformedCheckpoint) }
        let content = CheckpointText(origin: String(lines[0]), size: size, root: Array(root))
        // Base64 with other padding bits gives the same root and another text.
        guard content.text == text else { throw AuditError(.malformedCheckpoint) }
        guard content.isLog(of: keyName) else { throw AuditError(.otherLog) }
        let key = publicKeys.first { Self.isSigned(text, signatures, keyName: keyName, by: $0) }
        guard let key else { throw AuditError(.unsignedCheckpoint) }
        self.content = content
        self.note = note
        keyID = Self.keyID(of: key, named: keyName)
        hasOneSignature = signatures.count == 1
    }

    private static func isSigned(
        _ text: String, _ signatures: [Signature], keyName: String, by publicKey: [UInt8]
    ) -> Bool {
        let id = keyID(of: publicKey, named: keyName)
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else { return false }
        return signatures.contains { signature in
            signature.name.utf8.elementsEqual(keyName.utf8) && signature.keyID == id
                && key.isValidSignature(signature.bytes, for: Array(text.utf8))
        }
    }

    /// The line of a signature.
    private struct Signature {
        let name: String
        let keyID: [UInt8]
        let bytes: [UInt8]
    }

    /// Returns the text of a note, with its last line feed, and its signatures.
    private static func parts(
        of note: String
    ) throws(AuditError) -> (text: String, signatures: [Signature]) {
        guard note.utf8.count <= longestNote, note.utf8.last == UInt8(ascii: "\n"),
            note.utf8.allSatisfy({ $0 >= 0x20 || $0 == UInt8(ascii: "\n") }),
            let empty = note.ranges(of: "\n\n").last
        else { throw AuditError(.malformedCheckpoint) }
        let text = String(note[..<empty.lowerBound]) + "\n"
        var signatures: [Signature] = []
        for line in note[empty.upperBound...].dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 3, words[0] == "\u{2014}", !words[1].isEmpty,
                let bytes = Data(base64Encoded: String(words[2])), bytes.count > 4,
                // Other padding bits give the same signature.
                bytes.base64EncodedString() == words[2]
            else { throw AuditError(.malformedCheckpoint) }
            signatures.append(
                Signature(name: String(words[1]), keyID: Array(bytes.prefix(4)), bytes: Array(bytes.dropFirst(4))))
        }
        guard !signatures.isEmpty else { throw AuditError(.malformedCheckpoint) }
        return (text, signatures)
    }

    /// Returns a public key in the form of C2SP signed-note: its name, its id and the key.
    static func verifierKey(of publicKey: [UInt8], named name: String) -> String {
        let key = Data([ed25519] + publicKey).base64EncodedString()
        return "\(name)+\(Hex.encode(keyID(of: publicKey, named: name)))+\(key)"
    }

    /// Returns the id of a key in a signed note.
    private static func keyID(of publicKey: [UInt8], named name: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(name.utf8) + [0x0A, ed25519] + publicKey).prefix(4))
    }
}
