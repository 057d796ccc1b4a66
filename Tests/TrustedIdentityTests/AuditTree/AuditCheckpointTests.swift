import Crypto
import Foundation
import Primitives
import Testing

@testable import TrustedIdentity

struct AuditCheckpointTests {
    static let origin = "swift-orchestration/audit/0011223344556677/default"

    let pair: AuditKeyPair
    let other: AuditKeyPair
    let checkpoint: AuditCheckpoint

    init() throws {
        pair = try AuditKeyPair(privateRepresentation: SecretBytes(copying: [UInt8](repeating: 1, count: 32)))
        other = try AuditKeyPair(privateRepresentation: SecretBytes(copying: [UInt8](repeating: 2, count: 32)))
        checkpoint = try pair.sign(
            CheckpointText(origin: Self.origin, size: 20_852_163, root: [UInt8](repeating: 7, count: 32)))
    }

    func code(_ note: String, keyName: String = origin, keys: [[UInt8]]? = nil) -> AuditError.Code? {
        do {
            _ = try AuditCheckpoint(note: note, keyName: keyName, publicKeys: keys ?? [pair.publicKey])
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a checkpoint is a signed note of three lines`() throws {
        let lines = checkpoint.note.components(separatedBy: "\n")
        #expect(lines.count == 6 && lines[3].isEmpty && lines[5].isEmpty)
        #expect(lines[0] == Self.origin && lines[1] == "20852163")
        #expect(lines[2] == Data([UInt8](repeating: 7, count: 32)).base64EncodedString())
        let prefix = "\u{2014} \(Self.origin) "
        #expect(lines[4].hasPrefix(prefix))
        let signature = try #require(Data(base64Encoded: String(lines[4].dropFirst(prefix.count))))
        let id = SHA256.hash(data: Array(Self.origin.utf8) + [0x0A, 0x01] + pair.publicKey).prefix(4)
        #expect(signature.count == 68 && signature.prefix(4).elementsEqual(id))
        let text = lines[0...2].map { $0 + "\n" }.joined()
        let key = try Curve25519.Signing.PublicKey(rawRepresentation: pair.publicKey)
        #expect(key.isValidSignature(signature.dropFirst(4), for: Data(text.utf8)))
    }

    @Test func `a checkpoint is read back, also beside signatures of others`() throws {
        let read = try AuditCheckpoint(
            note: checkpoint.note, keyName: Self.origin, publicKeys: [other.publicKey, pair.publicKey])
        #expect(read == checkpoint && read.size == 20_852_163 && read.root == [UInt8](repeating: 7, count: 32))
        let witness = "\u{2014} witness.example/w1 \(Data([UInt8](repeating: 3, count: 76)).base64EncodedString())\n"
        #expect(code(checkpoint.note + witness) == nil)
    }

    @Test func `a checkpoint of another log or key is refused`() {
        #expect(code(checkpoint.note, keyName: "another/log") == .otherLog)
        #expect(code(checkpoint.note, keys: [other.publicKey]) == .unsignedCheckpoint)
        #expect(code(checkpoint.note, keys: []) == .unsignedCheckpoint)
    }

    @Test func `each changed character is refused`() {
        for position in checkpoint.note.indices {
            for replacement in ["A", "9", "\n"] where String(checkpoint.note[position]) != replacement {
                var note = checkpoint.note
                note.replaceSubrange(position...position, with: replacement)
                #expect(code(note) != nil, "\(note)")
            }
        }
    }

    @Test(arguments: [
        "", "\n", "\n\n", "a\n", "a\n1\n\n", "a\n01\nAAAA\n\n\u{2014} a AAAAAAAA\n",
        "a\n-1\nAAAA\n\n\u{2014} a AAAAAAAA\n",
        "a\r\n1\nAAAA\n\n\u{2014} a AAAAAAAA\n", String(repeating: "a\n", count: 20_000),
    ])
    func `a text of another form is refused`(note: String) {
        #expect(code(note) == .malformedCheckpoint)
    }

    @Test func `a note that is cut off or extended is refused`() {
        for length in 0..<checkpoint.note.count { #expect(code(String(checkpoint.note.prefix(length))) != nil) }
        for rest in [" ", "\n", "x", "x\n", "\u{2014} \n", "\u{2014} a b\n"] {
            #expect(code(checkpoint.note + rest) == .malformedCheckpoint)
        }
        #expect(code("extension\n" + checkpoint.note) != nil)
        #expect(code(checkpoint.note.replacing("\n\n", with: "\n\n\n")) == .malformedCheckpoint)
    }

    @Test func `a signature in another form of Base64 is refused`() throws {
        // 68 bytes: the last character before the padding has two bits that are not used.
        let end = try #require(checkpoint.note.lastIndex(of: "="))
        let last = checkpoint.note.index(before: end)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let place = try #require(alphabet.firstIndex(of: checkpoint.note[last]))
        for bits in 1...3 {
            let other = checkpoint.note.replacingCharacters(in: last..<end, with: String(alphabet[place ^ bits]))
            #expect(code(other) == .malformedCheckpoint)
        }
    }

    @Test func `the name of a log has neither spaces nor a plus sign`() {
        let name = CheckpointText.keyName(fingerprint: [UInt8](repeating: 0xAB, count: 32), tenant: "a+b%2B/1")
        #expect(name == "swift-orchestration/audit/abababababababab/a%2Bb%252B%2F1")
        #expect(CheckpointText.tenant(of: name) == "a+b%2B/1")
        // A slash of the tenant is not that before the time of a restore.
        let origin = CheckpointText.origin(keyName: name, restoredAt: Timestamp(millisecondsSinceEpoch: 1))
        #expect(origin == name + "/1" && CheckpointText.keyName(of: origin) == name)
        #expect(CheckpointText.keyName(of: name) == name)
    }
}
