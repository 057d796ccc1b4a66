internal import Crypto
internal import Foundation
internal import Primitives

/// A URL that receives signed POST requests in the form of the Standard Webhooks specification.
struct SignedWebhook: Sendable {
    private let url: String
    private let key: SymmetricKey
    private let client: GatewayClient
    private let time: any TimeSource

    /// Creates a webhook.
    ///
    /// - Returns: nil for an address that is not allowed.
    init?(url: String, secret: borrowing WebhookSecret, client: GatewayClient, time: any TimeSource) {
        guard PushWebhookGateway.isAllowed(url: url) else { return nil }
        self.url = url
        key = secret.key
        self.client = client
        self.time = time
    }

    /// Posts a body as JSON.
    ///
    /// - Parameters:
    ///   - id: The id by which the receiver recognizes a repeated request.
    ///   - body: The body.
    /// - Throws: An error of the connection; `CancellationError`.
    func post(id: String, _ body: some Encodable) async throws -> GatewayClient.Answer {
        let body = try JSONBody.encode(body)
        let timestamp = "\(time.now().secondsSinceEpoch)"
        let code = HMAC<SHA256>.authenticationCode(for: Array("\(id).\(timestamp).".utf8) + body, using: key)
        return try await client.post(
            body, to: url,
            headers: [
                ("content-type", "application/json"), ("webhook-id", id), ("webhook-timestamp", timestamp),
                ("webhook-signature", "v1," + Data(code).base64EncodedString()),
            ])
    }
}
