internal import Crypto
public import Primitives

/// The key that signs the tokens for the Apple Push Notification service: a private key of P-256 and its names.
public struct APNsKey: ~Copyable, Sendable {
    /// The maximum size of the text, in bytes.
    public static let maximumByteCount = 4_096

    let key: P256.Signing.PrivateKey
    let keyID: String
    let teamID: String

    /// Reads a key from the text of its file, `AuthKey_….p8`.
    ///
    /// - Parameters:
    ///   - text: The key in PEM and PKCS #8.
    ///   - keyID: The id of the key. See ``isID(_:)``.
    ///   - teamID: The id of the developer team. See ``isID(_:)``.
    /// - Returns: nil for another form.
    public init?(text: borrowing SecretBytes, keyID: String, teamID: String) {
        guard Self.isID(keyID), Self.isID(teamID), let key = SigningKey.read(text) else { return nil }
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
    }

    /// Returns whether a text is an id of a key or a team: ten capital letters and digits.
    public static func isID(_ text: String) -> Bool {
        text.utf8.count == 10 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) }
    }
}
