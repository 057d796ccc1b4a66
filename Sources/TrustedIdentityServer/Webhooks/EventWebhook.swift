public import Primitives
public import TrustedIdentity

/// The webhook of an application server, which receives the events of accounts and devices.
///
/// Each event is one POST request with JSON, signed like the requests of ``PushWebhookGateway``. The header
/// `webhook-id` is the id of the event. It is the same at each attempt, which means the receiver can drop an event that
/// it already has.
///
/// An answer of 2xx means a delivery. Every other answer is a failure, including 4xx and a redirect, which is not
/// followed. The request is then repeated, because a wrong setting of the receiver must not lose events. `Retry-After`
/// in seconds is obeyed. 410 means that the receiver has gone: the next attempt is after an hour.
public struct EventWebhook: EventGateway, Redacted {
    private let webhook: SignedWebhook

    /// Creates a webhook.
    ///
    /// - Parameters:
    ///   - url: The address of the receiver. See ``PushWebhookGateway/isAllowed(url:)``.
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

    /// Posts an event.
    public func deliver(_ event: PlatformEvent) async throws -> EventDelivery {
        let answer = try await webhook.post(id: Hex.encode(event.id), WebhookEventBody(event))
        switch answer.status {
        case 200...299: return .delivered
        case 410: return .failed(retryAfter: .seconds(3_600), answer: 410)
        default: return .failed(retryAfter: answer.retryAfter, answer: answer.status)
        }
    }
}

/// The body of a request with an event. A member without a value is left out.
private struct WebhookEventBody: Encodable {
    struct Content: Encodable {
        let account: String?
        let apiKey: String?
        let count: Int?
        let device: String?
        let id: String
        let reason: String?
        let requestID: String?
        let until: String?
    }

    let data: Content
    let timestamp: String
    let type: String

    init(_ event: PlatformEvent) {
        type = event.kind.rawValue
        timestamp = event.time.rfc3339
        data = Content(
            account: event.account, apiKey: event.apiKey, count: event.kind == .eventsDropped ? event.count : nil,
            device: event.device.map(Hex.encode), id: Hex.encode(event.id),
            reason: event.reason.isEmpty ? nil : event.reason, requestID: event.requestID,
            until: event.until?.rfc3339)
    }
}
