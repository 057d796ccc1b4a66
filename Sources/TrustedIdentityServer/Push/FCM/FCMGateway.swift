internal import Foundation
public import Primitives
public import TrustedIdentity

/// A gateway to Firebase Cloud Messaging with the HTTP v1 API, for apps on Android. The scheme of its identifiers is
/// `fcm`, and the address is the registration token.
///
/// Each notification is a data message of high priority with the member `pointer`. The app creates what the user sees.
/// The access token comes from the token endpoint of the service account (RFC 7523), and is kept until five minutes
/// before its end. One request for it runs at a time.
///
/// An answer of 200 means a delivery, and 404 with `UNREGISTERED` an unregistered address. Requests are repeated after
/// 429, 5xx, a connection error and a failure of the token endpoint; `Retry-After` in seconds is obeyed. Every other
/// answer is final.
public struct FCMGateway: NotificationGateway, Redacted {
    private let url: String
    private let collapseKey: String?
    private let tokens: AccessTokens
    private let client: GatewayClient
    private let time: any TimeSource

    /// Creates a gateway.
    ///
    /// - Parameters:
    ///   - account: The service account of the project.
    ///   - collapseKey: The collapse key of all messages: while a device is not connected, the service keeps the
    ///     latest message only. `nil` for none: it keeps each message until its expiry. See ``isCollapseKey(_:)``.
    ///   - client: The client that sends the requests.
    ///   - time: The clock of the tokens.
    public init(
        account: borrowing FCMServiceAccount, collapseKey: String? = nil, client: GatewayClient,
        time: any TimeSource = SystemTimeSource()
    ) {
        self.init(
            account: account, origin: "https://fcm.googleapis.com", collapseKey: collapseKey, client: client, time: time
        )
    }

    /// Creates a gateway to another service. Tests use a separate one.
    package init(
        account: borrowing FCMServiceAccount, origin: String, collapseKey: String? = nil, client: GatewayClient,
        time: any TimeSource
    ) {
        self.collapseKey = collapseKey
        url = "\(origin)/v1/projects/\(account.project)/messages:send"
        self.client = client
        self.time = time
        let endpoint = TokenEndpoint(account, client: client, time: time)
        tokens = AccessTokens(time: time) { try await endpoint.grant() }
    }

    /// Returns whether a text is a collapse key: 1 to 64 letters, digits, hyphens and dots of ASCII.
    public static func isCollapseKey(_ text: String) -> Bool {
        text.utf8.count <= 64 && APNsGateway.isTopic(text)
    }

    /// Returns the name of the only service; `nil` for an empty address.
    public func service(of address: String) -> String? { address.isEmpty ? nil : "" }

    /// Sends a notification.
    public func deliver(_ notification: GatewayNotification, to address: String) async throws -> NotificationDelivery {
        guard !address.isEmpty else { return .refused }
        let body = try JSONBody.encode(
            FCMBody(notification, address: address, collapseKey: collapseKey, now: time.now()))
        var answer: GatewayClient.Answer
        do {
            let token = try await tokens.current()
            answer = try await send(body, token: token)
            if answer.status == 401 {
                // It is too early for another token. A later attempt may get one.
                guard let replacement = try await tokens.replacement(of: token) else {
                    return .failed(retryAfter: answer.retryAfter)
                }
                answer = try await send(body, token: replacement)
            }
        } catch let failure as AccessTokens.Failure {
            return .failed(retryAfter: failure.retryAfter)
        }
        switch answer.status {
        case 200: return .delivered
        case 404 where answer.isUnregistered: return .unregistered
        case 429: return .deferred(retryAfter: answer.retryAfter)
        case 401, 500...599: return .failed(retryAfter: answer.retryAfter)
        default: return .refused
        }
    }

    private func send(_ body: [UInt8], token: String) async throws -> GatewayClient.Answer {
        try await client.post(
            body, to: url, headers: [("authorization", "Bearer \(token)"), ("content-type", "application/json")],
            readingBodyOf: [404])
    }
}

/// The body of a request to the service.
private struct FCMBody: Encodable {
    struct Message: Encodable {
        let token: String
        let data: [String: String]
        let android: Android
    }

    struct Android: Encodable {
        let collapse_key: String?
        let priority = "HIGH"
        let ttl: String
    }

    let message: Message

    init(_ notification: GatewayNotification, address: String, collapseKey: String?, now: Timestamp) {
        let seconds = max(0, notification.expiresAt.milliseconds(since: now) / 1_000)
        message = Message(
            token: address, data: ["pointer": notification.pointer.text],
            // The service accepts at most four weeks.
            android: Android(collapse_key: collapseKey, ttl: "\(min(seconds, 28 * 86_400))s"))
    }
}

extension GatewayClient.Answer {
    /// Whether the service reports that the registration token is no longer in use.
    fileprivate var isUnregistered: Bool {
        struct Reply: Decodable {
            struct Failure: Decodable { let details: [Detail]? }
            struct Detail: Decodable { let errorCode: String? }
            let error: Failure
        }
        let details = (try? JSONDecoder().decode(Reply.self, from: Data(body)))?.error.details ?? []
        return details.contains { $0.errorCode == "UNREGISTERED" }
    }
}
