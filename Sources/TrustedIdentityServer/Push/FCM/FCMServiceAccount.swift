internal import CryptoExtras
internal import Foundation
public import Primitives

/// A service account that may send messages of a Firebase project, as its JSON key file contains it.
public struct FCMServiceAccount: ~Copyable, Sendable {
    /// The maximum size of the text, in bytes.
    public static let maximumByteCount = 16_384

    let key: _RSA.Signing.PrivateKey
    let keyID: String
    let email: String
    let project: String
    let tokenURL: String

    /// The members of the file that are used.
    private struct File: Decodable {
        let type: String
        let project_id: String
        let private_key_id: String
        let private_key: String
        let client_email: String
        let token_uri: String
    }

    /// Reads an account from the text of its key file. The RSA key has 2,048 bits or more, and the address of the token
    /// endpoint is `https`.
    ///
    /// - Returns: nil for another form.
    public init?(text: borrowing SecretBytes) {
        let file = text.withBytes { span -> File? in
            var bytes = [UInt8](span)
            defer { bytes.wipe() }
            return try? JSONDecoder().decode(File.self, from: Data(bytes))
        }
        guard let file, file.type == "service_account", Self.isProject(file.project_id),
            file.token_uri.hasPrefix("https:"), PushWebhookGateway.isAllowed(url: file.token_uri),
            let key = try? _RSA.Signing.PrivateKey(pemRepresentation: file.private_key)
        else { return nil }
        self.key = key
        keyID = file.private_key_id
        email = file.client_email
        project = file.project_id
        tokenURL = file.token_uri
    }

    /// Returns whether a text can go into a path as the id of a project.
    private static func isProject(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x3A
            }
    }
}
