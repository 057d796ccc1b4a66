internal import Crypto
internal import Foundation
public import Primitives
public import TrustedIdentity

/// A gateway to the Apple Push Notification service, for apps on Apple systems. The scheme of its identifiers is
/// `apns`, and the address is the device token in hexadecimal digits.
///
/// It speaks HTTP/2 only. All requests carry one provider token, which is renewed after 50 minutes. The user sees an
/// alert with a text of the configuration. The member `pointer` next to `aps` contains the pointer, and
/// `mutable-content` starts the notification service extension of the app, which may fetch the request and show more.
///
/// An answer of 200 means a delivery, and 410 an unregistered address. Requests are repeated after 429, 5xx and a
/// connection error; `Retry-After` in seconds is obeyed. Every other answer is final.
///
/// `BadDeviceToken` and `DeviceTokenNotForTopic` count as refused, and not as unregistered. The service also gives
/// these answers for valid tokens when the environment or the topic of the gateway is wrong. Otherwise, one wrong
/// setting would remove the identifiers of all devices. A device that has registered an invalid token costs one request
/// for each notification.
public struct APNsGateway: NotificationGateway, Redacted {
    /// The service that has issued the device tokens.
    public enum Environment: String, Sendable, Hashable, CaseIterable {
        /// Apps from the App Store, TestFlight and an enterprise.
        case production
        /// Apps that Xcode has installed.
        case development
    }

    /// The default text of the alert.
    public static let defaultAlert = "Open the app to see a request."

    private let origin: String
    private var topic: String
    private let alert: String
    private let token: ProviderToken
    private let client: GatewayClient

    /// Creates a gateway.
    ///
    /// - Parameters:
    ///   - key: The key that signs the provider token.
    ///   - topic: The bundle identifier of the app. See ``isTopic(_:)``.
    ///   - environment: The service that has issued the device tokens.
    ///   - alert: The text that the user sees. See ``isAlert(_:)``.
    ///   - client: The client that sends the requests.
    ///   - time: The clock of the provider token.
    /// - Returns: nil for a topic or an alert that is not allowed.
    public init?(
        key: borrowing APNsKey, topic: String, environment: Environment = .production,
        alert: String = APNsGateway.defaultAlert, client: GatewayClient, time: any TimeSource = SystemTimeSource()
    ) {
        let origin =
            switch environment {
            case .production: "https://api.push.apple.com"
            case .development: "https://api.sandbox.push.apple.com"
            }
        self.init(key: key, topic: topic, origin: origin, alert: alert, client: client, time: time)
    }

    /// Creates a gateway to another service. Tests use a separate one.
    package init?(
        key: borrowing APNsKey, topic: String, origin: String, alert: String = APNsGateway.defaultAlert,
        client: GatewayClient, time: any TimeSource
    ) {
        guard Self.isTopic(topic), Self.isAlert(alert) else { return nil }
        self.origin = origin
        self.topic = topic
        self.alert = alert
        token = ProviderToken(key, time: time)
        self.client = client
    }

    /// Returns the gateway of another app of the same team.
    ///
    /// Both send with the same provider token: the service refuses a provider that creates more than one in 20 minutes.
    ///
    /// - Parameter topic: The bundle identifier of the app. See ``isTopic(_:)``.
    /// - Returns: nil for a topic that is not allowed.
    public func serving(topic: String) -> APNsGateway? {
        guard Self.isTopic(topic) else { return nil }
        var gateway = self
        gateway.topic = topic
        return gateway
    }

    /// Returns whether a text is a bundle identifier: 1 to 155 letters, digits, hyphens and dots of ASCII.
    public static func isTopic(_ text: String) -> Bool {
        (1...155).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
                    || $0 == 0x2E
            }
    }

    /// Returns whether a text can be an alert: 1 to 200 bytes of UTF-8 that follow the rules for texts in
    /// <doc:Approvals>.
    public static func isAlert(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count) && DisplayText.hasAllowedCharacters(text) && DisplayText.isSeen(text)
    }

    /// Returns the name of the only service; `nil` for an address that is not a device token.
    public func service(of address: String) -> String? { Self.isDeviceToken(address) ? "" : nil }

    /// Sends a notification. An address that is not a device token is refused without a request.
    public func deliver(_ notification: GatewayNotification, to address: String) async throws -> NotificationDelivery {
        guard Self.isDeviceToken(address) else { return .refused }
        let body = try JSONBody.encode(APNsBody(notification, alert: alert))
        guard body.count <= Self.maximumBodyByteCount else { return .refused }
        var text = try token.current()
        var answer = try await send(body, of: notification, to: address, token: text)
        if answer.isExpiredToken {
            // It is too early for another token. A later attempt may get one.
            guard let replacement = try token.replacement(of: text) else {
                return .failed(retryAfter: answer.retryAfter)
            }
            text = replacement
            answer = try await send(body, of: notification, to: address, token: text)
        }
        switch answer.status {
        case 200: return .delivered
        case 410: return .unregistered
        case 403 where answer.isExpiredToken: return .failed(retryAfter: answer.retryAfter)
        case 429: return .deferred(retryAfter: answer.retryAfter)
        case 500...599: return .failed(retryAfter: answer.retryAfter)
        default: return .refused
        }
    }

    private func send(
        _ body: [UInt8], of notification: GatewayNotification, to address: String, token: String
    ) async throws -> GatewayClient.Answer {
        try await client.post(
            body, to: "\(origin)/3/device/\(address)",
            headers: [
                ("authorization", "bearer \(token)"), ("apns-topic", topic), ("apns-push-type", "alert"),
                ("apns-priority", "10"), ("apns-expiration", "\(notification.expiresAt.secondsSinceEpoch)"),
                ("apns-id", Self.messageID(of: notification, address: address)),
                ("apns-collapse-id", Hex.encode(notification.id)), ("content-type", "application/json"),
            ], needsHTTP2: true, readingBodyOf: [403])
    }

    /// The maximum number of bytes of a notification, by the documentation of the service.
    private static let maximumBodyByteCount = 4_096

    /// Returns whether an address can go into a path as a device token: 1 to 200 hexadecimal digits. The service does
    /// not promise a length.
    private static func isDeviceToken(_ address: String) -> Bool {
        (1...200).contains(address.utf8.count)
            && address.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || (0x41...0x46).contains($0)
            }
    }

    /// Returns the id of a notification for a device, the same at each attempt: a UUID of version 8 (RFC 9562, section
    /// 5.8).
    private static func messageID(of notification: GatewayNotification, address: String) -> String {
        var hash = SHA256()
        hash.update(data: notification.id)
        hash.update(data: Array(address.utf8))
        var bytes = Array(hash.finalize().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let groups = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
        return groups.map { Hex.encode(Array($0)) }.joined(separator: "-")
    }
}

/// The body of a request to the service.
private struct APNsBody: Encodable {
    struct Service: Encodable {
        let alert: String
        let sound = "default"
        let mutableContent = 1

        enum CodingKeys: String, CodingKey {
            case alert
            case sound
            case mutableContent = "mutable-content"
        }
    }

    let aps: Service
    let pointer: String

    init(_ notification: GatewayNotification, alert: String) {
        aps = Service(alert: alert)
        pointer = notification.pointer.text
    }
}

extension GatewayClient.Answer {
    /// Whether the service refuses the provider token because of its age.
    fileprivate var isExpiredToken: Bool {
        struct Reason: Decodable { let reason: String }
        guard status == 403 else { return false }
        return (try? JSONDecoder().decode(Reason.self, from: Data(body)))?.reason == "ExpiredProviderToken"
    }
}
