internal import Crypto
internal import Foundation

/// The encryption of a message for one subscription (RFC 8291), in the form `aes128gcm` (RFC 8188).
enum WebPushMessage {
    /// The record size in the header. One record contains the whole message.
    private static let recordSize = 4_096

    /// Returns the body of a request.
    ///
    /// All messages of the platform have the same length, which means no padding is needed.
    ///
    /// - Parameters:
    ///   - plaintext: The message, up to 3,993 bytes.
    ///   - subscription: The keys of the device.
    ///   - key: A fresh key. It is used for this message only.
    ///   - salt: 16 fresh bytes.
    static func encrypt(
        _ plaintext: [UInt8], for subscription: WebPushSubscription, key: P256.KeyAgreement.PrivateKey, salt: [UInt8]
    ) throws -> [UInt8] {
        let device = Array(subscription.publicKey.x963Representation)
        let platform = Array(key.publicKey.x963Representation)
        // RFC 8291, section 3.4.
        let material = try key.sharedSecretFromKeyAgreement(with: subscription.publicKey).hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: subscription.authentication,
            sharedInfo: Array("WebPush: info\u{0}".utf8) + device + platform, outputByteCount: 32)
        func derived(_ label: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material, salt: salt, info: Array("Content-Encoding: \(label)\u{0}".utf8),
                outputByteCount: count)
        }
        // The key seals one message, because its salt and the key of the agreement are fresh. So the nonce is unique.
        let nonce = try AES.GCM.Nonce(data: unsafe derived("nonce", 12).withUnsafeBytes { unsafe Data($0) })
        // 2 marks the last record (RFC 8188, section 2).
        let box = try AES.GCM.seal(plaintext + [2], using: derived("aes128gcm", 16), nonce: nonce)
        let size = (0..<4).map { UInt8(truncatingIfNeeded: recordSize >> (24 - 8 * $0)) }
        return salt + size + [UInt8(platform.count)] + platform + box.ciphertext + box.tag
    }
}
