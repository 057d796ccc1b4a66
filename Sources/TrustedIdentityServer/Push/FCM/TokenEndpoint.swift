internal import CryptoExtras
internal import Foundation
internal import Primitives

/// The endpoint that grants access tokens for the assertions of a service account.
struct TokenEndpoint: Sendable {
    private struct Header: Encodable {
        let alg = "RS256"
        let kid: String
        let typ = "JWT"
    }

    private struct Claims: Encodable {
        let iss: String
        let scope = "https://www.googleapis.com/auth/firebase.messaging"
        let aud: String
        let iat: Int64
        let exp: Int64
    }

    private struct Reply: Decodable {
        let access_token: String
        let expires_in: Int64
    }

    private let key: _RSA.Signing.PrivateKey
    private let keyID: String
    private let email: String
    private let url: String
    private let client: GatewayClient
    private let time: any TimeSource

    init(_ account: borrowing FCMServiceAccount, client: GatewayClient, time: any TimeSource) {
        key = account.key
        keyID = account.keyID
        email = account.email
        url = account.tokenURL
        self.client = client
        self.time = time
    }

    /// Asks for a token with a fresh assertion (RFC 7523, section 2.1).
    ///
    /// - Throws: ``AccessTokens/Failure`` for every answer without a token; an error of the connection.
    func grant() async throws -> AccessTokens.Grant {
        let now = time.now().secondsSinceEpoch
        let assertion = try JSONWebToken.compact(
            header: Header(kid: keyID), claims: Claims(iss: email, aud: url, iat: now, exp: now + 3_600)
        ) { Array(try key.signature(for: $0, padding: .insecurePKCS1v1_5).rawRepresentation) }
        // The characters of an assertion need no escapes.
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)"
        let answer = try await client.post(
            Array(form.utf8), to: url, headers: [("content-type", "application/x-www-form-urlencoded")],
            readingBodyOf: [200])
        guard answer.status == 200, let reply = try? JSONDecoder().decode(Reply.self, from: Data(answer.body)),
            Self.isToken(reply.access_token), (1...86_400).contains(reply.expires_in)
        else { throw AccessTokens.Failure(retryAfter: answer.retryAfter) }
        return AccessTokens.Grant(text: reply.access_token, lifetime: .seconds(reply.expires_in))
    }

    /// Returns whether a text can go into a header as a token.
    private static func isToken(_ text: String) -> Bool {
        (1...8_192).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
