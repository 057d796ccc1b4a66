internal import Crypto
internal import Primitives

/// The private key of a P-256 signature, as its file contains it.
enum SigningKey {
    /// Reads a key from a text in PEM with the PKCS #8 form (RFC 5958), which begins with `BEGIN PRIVATE KEY`.
    ///
    /// - Returns: nil for another form, and for a key of another curve.
    static func read(_ text: borrowing SecretBytes) -> P256.Signing.PrivateKey? {
        text.withBytes { span in
            var bytes = [UInt8](span)
            defer { bytes.wipe() }
            // A PEM text can also contain a SEC 1 key. One form is enough, and the services name this one.
            let pem = String(decoding: bytes, as: UTF8.self)
            guard pem.hasPrefix("-----BEGIN PRIVATE KEY-----") else { return nil }
            return try? P256.Signing.PrivateKey(pemRepresentation: pem)
        }
    }
}
