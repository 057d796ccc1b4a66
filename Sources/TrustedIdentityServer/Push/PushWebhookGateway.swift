internal import Crypto
internal import Foundation
internal import OrchestrationProtocol
public import Primitives
public import TrustedIdentity

/// A gateway that posts each notification as JSON to one URL of the operator, such as a service of the bank that sends
/// messages to its app.
///
/// Each request is signed in the form of the Standard Webhooks specification: the headers `webhook-id`,
/// `webhook-timestamp` and `webhook-signature`, which is `v1,` and the Base64 text of the HMAC-SHA-256 over the id, the
/// timestamp and the body, with a dot between them. The id is the same at each attempt, which means the receiver can
/// drop a notification that it already has.
///
/// An answer of 2xx means a delivery, and 410 an address that the receiver no longer knows. Requests are repeated after
/// 408, 425, 429, 5xx and a connection error; `Retry-After` in seconds is obeyed. Every other answer is final,
/// including a redirect.
public struct PushWebhookGateway: NotificationGateway, Redacted {
    private let webhook: SignedWebhook

    /// Creates a gateway.
    ///
    /// - Parameters:
    ///   - url: The address of the receiver. See ``isAllowed(url:)``.
    ///   - secret: The secret that is shared with the receiver. See ``WebhookSecret``.
    ///   - client: The client that sends the requests.
    ///   - time: The clock of the timestamps.
    /// - Returns: nil for an address that is not allowed.
    public init?(
        url: String, secret: borrowing WebhookSecret, client: GatewayClient, time: any TimeSource = SystemTimeSource()
    ) {
        guard let webhook = SignedWebhook(url: url, secret: secret, client: client, time: time) else { return nil }
        self.webhook = webhook
    }

    /// Returns whether a text is an address for a webhook: `https` with a host, or `http` with a loopback address,
    /// without a user name and a fragment, and with up to 2,048 bytes.
    public static func isAllowed(url: String) -> Bool {
        guard url.utf8.count <= 2_048, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty, parts.user == nil,
            parts.password == nil, parts.fragment == nil
        else { return false }
        switch parts.scheme {
        case "https": return true
        case "http": return ["127.0.0.1", "[::1]", "::1", "localhost"].contains(host)
        default: return false
        }
    }

    /// Posts a notification. The body contains the id of the request, its pointer, the time of its expiry and the
    /// address.
    public func deliver(_ notification: GatewayNotification, to address: String) async throws -> NotificationDelivery {
        // Two devices may get the same request, and a device gets each request once.
        let digest = SHA256.hash(data: Array(address.utf8))
        let id = "\(Hex.encode(notification.id))-\(Hex.encode(Array(digest.prefix(8))))"
        let answer = try await webhook.post(id: id, WebhookBody(notification, address: address))
        switch answer.status {
        case 200...299: return .delivered
        case 410: return .unregistered
        case 425, 429: return .deferred(retryAfter: answer.retryAfter)
        case 408, 500...599: return .failed(retryAfter: answer.retryAfter)
        default: return .refused
        }
    }
}

/// The body of a request to a webhook.
private struct WebhookBody: Encodable {
    struct Content: Encodable {
        let id: String
        let address: String
        let pointer: String
        let expiresAt: String
    }

    let type = "approval.announced"
    let data: Content

    init(_ notification: GatewayNotification, address: String) {
        data = Content(
            id: Hex.encode(notification.id), address: address, pointer: notification.pointer.text,
            expiresAt: notification.expiresAt.rfc3339)
    }
}
