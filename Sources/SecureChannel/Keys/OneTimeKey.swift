internal import Crypto
internal import Primitives
internal import Wire

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A key of A256GCM with its nonce, for one message.
///
/// Both come from one derivation, so the nonce needs not be sent and is unique because the key is. Whoever holds one
/// sees to it that it seals one plaintext only.
struct OneTimeKey: Sendable {
    /// Key and nonce in bytes, as they are derived.
    static let byteCount = 32 + 12

    /// Both, one behind the other.
    let material: SymmetricKey

    /// - Parameter material: ``byteCount`` bytes.
    init(_ material: SymmetricKey) {
        precondition(material.byteCount == Self.byteCount, "a key and a nonce")
        self.material = material
    }

    private var key: SymmetricKey { material[0..<32] }

    private func nonce() throws -> AES.GCM.Nonce {
        try AES.GCM.Nonce(data: material.withSpan { [UInt8]($0.extracting(32..<44)) })
    }

    /// Seals a plaintext; the header is authenticated with it.
    func seal(_ plaintext: [UInt8], header: COSEHeader) throws(SecureChannelError) -> Encrypt0 {
        do {
            let data = Encrypt0.additionalData(header: header, externalAAD: [])
            let box = try AES.GCM.seal(plaintext, using: key, nonce: nonce(), authenticating: data)
            return Encrypt0(header: header, ciphertext: [UInt8](box.ciphertext) + [UInt8](box.tag))
        } catch {
            throw SecureChannelError(.malformed, blame: .bug, "a message could not be sealed", underlying: error)
        }
    }

    /// Opens a message and authenticates its header.
    ///
    /// - Throws: ``SecureChannelError/Code/notAuthentic`` when a single bit of either is wrong.
    func open(_ message: Encrypt0) throws(SecureChannelError) -> [UInt8] {
        do {
            let box = try AES.GCM.SealedBox(
                nonce: nonce(), ciphertext: message.ciphertext.dropLast(16), tag: message.ciphertext.suffix(16))
            let data = message.additionalData(externalAAD: [])
            return [UInt8](try AES.GCM.open(box, using: key, authenticating: data))
        } catch {
            throw SecureChannelError(.notAuthentic, blame: .peer, "a sealed message is not authentic")
        }
    }
}
