internal import Crypto
public import Primitives
public import TrustedIdentity

/// A gateway to push services of the web (RFC 8030), for browsers and for UnifiedPush. The scheme of its identifiers is
/// `web-push`, and the address is `ENDPOINT#p256dh=KEY&auth=SECRET`: the members of the subscription, with the key and
/// the secret in Base64URL without padding.
///
/// Each message is encrypted for the device (RFC 8291), which means the push service cannot read it. The platform
/// identifies itself with a separate key (RFC 8292).
///
/// A device chooses the endpoint, so requests go only to the hosts of the configuration, by https, at its port, and
/// follow no redirect. An address with another endpoint is refused without a request.
///
/// An answer of 200, 201 or 202 means a delivery, and 404 or 410 an unregistered address. Requests are repeated after
/// 429, 5xx and a connection error; `Retry-After` in seconds is obeyed. Every other answer is final.
public struct WebPushGateway: NotificationGateway, Redacted {
    private let hosts: WebPushSubscription.Hosts
    private let identification: ServerIdentification
    private let client: GatewayClient
    private let time: any TimeSource
    private let random: any RandomSource

    /// Creates a gateway.
    ///
    /// - Parameters:
    ///   - key: The key that names the platform.
    ///   - subject: The contact of the operator. See ``isSubject(_:)``.
    ///   - hosts: The hosts that an endpoint may have.
    ///   - client: The client that sends the requests.
    ///   - time: The clock of the tokens.
    ///   - random: The source of the keys of messages.
    /// - Returns: nil for a subject that is not allowed.
    public init?(
        key: borrowing WebPushKey, subject: String, hosts: [WebPushHost], client: GatewayClient,
        time: any TimeSource = SystemTimeSource(), random: any RandomSource = SystemRandomSource()
    ) {
        self.init(
            key: key, subject: subject, hosts: hosts, testOrigin: nil, client: client, time: time, random: random)
    }

    /// Creates a gateway that also allows one origin on this machine. Tests use a service there.
    package init?(
        key: borrowing WebPushKey, subject: String, hosts: [WebPushHost], testOrigin: String?, client: GatewayClient,
        time: any TimeSource, random: any RandomSource
    ) {
        guard Self.isSubject(subject) else { return nil }
        self.hosts = WebPushSubscription.Hosts(allowed: hosts, testOrigin: testOrigin)
        identification = ServerIdentification(key, subject: subject, time: time)
        self.client = client
        self.time = time
        self.random = random
    }

    /// Returns whether a text is a contact (RFC 8292, section 2.1): `mailto:` and an address, or a URL with `https`, in up
    /// to 255 characters of ASCII. Its domain has a dot: push services refuse `localhost` and an address without a domain.
    public static func isSubject(_ text: String) -> Bool {
        guard text.utf8.count <= 255, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
        let domain: Substring
        if text.hasPrefix("mailto:") {
            let address = text.dropFirst("mailto:".count)
            guard let at = address.lastIndex(of: "@"), at > address.startIndex else { return false }
            domain = address[address.index(after: at)...]
        } else if text.hasPrefix("https://") {
            domain = text.dropFirst("https://".count).prefix { !"/:?#".contains($0) }
        } else {
            return false
        }
        return !domain.hasPrefix("*") && WebPushHost(domain.lowercased()) != nil
    }

    /// Sends a notification. An address of another form, and one with a host that is not allowed, are refused without a
    /// request.
    public func deliver(_ notification: GatewayNotification, to address: String) async throws -> NotificationDelivery {
        guard let subscription = WebPushSubscription(address, hosts: hosts) else { return .refused }
        // A pointer contains no character that JSON escapes.
        let message = Array(#"{"pointer":"\#(notification.pointer.text)"}"#.utf8)
        let body = try WebPushMessage.encrypt(message, for: subscription, key: freshKey(), salt: random.bytes(16))
        let seconds = max(0, notification.expiresAt.milliseconds(since: time.now()) / 1_000)
        let answer = try await client.post(
            body, to: subscription.endpoint,
            headers: [
                ("authorization", try identification.authorization(for: subscription.origin)),
                ("content-encoding", "aes128gcm"), ("content-type", "application/octet-stream"), ("ttl", "\(seconds)"),
                ("urgency", "high"), ("topic", Base64URL.encode(notification.id)),
            ])
        switch answer.status {
        case 200, 201, 202: return .delivered
        case 404, 410: return .unregistered
        case 429: return .deferred(retryAfter: answer.retryAfter)
        case 500...599: return .failed(retryAfter: answer.retryAfter)
        default: return .refused
        }
    }

    /// Returns the origin of the endpoint; `nil` for an address that is refused without a request.
    public func service(of address: String) -> String? { WebPushSubscription(address, hosts: hosts)?.origin }

    private func freshKey() -> P256.KeyAgreement.PrivateKey {
        while true {
            // One value in four billion is outside of the order of the curve.
            if let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: random.bytes(32)) { return key }
        }
    }
}
