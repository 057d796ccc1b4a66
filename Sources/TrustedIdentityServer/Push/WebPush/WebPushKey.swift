internal import Crypto
public import Primitives

/// The key that names the platform to push services of the web (RFC 8292): a private key of P-256.
public struct WebPushKey: ~Copyable, Sendable {
    /// The maximum size of the text, in bytes.
    public static let maximumByteCount = 4_096

    let key: P256.Signing.PrivateKey

    /// Reads a key from a text in PEM and PKCS #8.
    ///
    /// - Returns: nil for another form.
    public init?(text: borrowing SecretBytes) {
        guard let key = SigningKey.read(text) else { return nil }
        self.key = key
    }
}
