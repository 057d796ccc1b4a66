import Crypto
import Foundation
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import TrustedIdentityServer

/// The encryption of messages for push services of the web.
@Suite struct WebPushMessageTests {
    /// The values of RFC 8291, appendix A.
    private enum Vector {
        static let plaintext = "V2hlbiBJIGdyb3cgdXAsIEkgd2FudCB0byBiZSBhIHdhdGVybWVsb24"
        static let platformKey = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
        static let devicePublicKey =
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
        static let authentication = "BTBZMqHH6r4Tts7J_aSIgg"
        static let body =
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    }

    @Test func `a message is that of the standard, byte by byte`() throws {
        let host = try #require(WebPushHost("push.example.net"))
        let address = "https://push.example.net/p#p256dh=\(Vector.devicePublicKey)&auth=\(Vector.authentication)"
        let subscription = try #require(
            WebPushSubscription(address, hosts: .init(allowed: [host], testOrigin: nil)))
        let body = try WebPushMessage.encrypt(
            Base64URL.decode(Vector.plaintext), for: subscription,
            key: P256.KeyAgreement.PrivateKey(rawRepresentation: Base64URL.decode(Vector.platformKey)),
            salt: Base64URL.decode(Vector.salt))
        #expect(Base64URL.encode(body) == Vector.body)
        // Another salt, and another secret of the device, give another text.
        let salted = try WebPushMessage.encrypt(
            Base64URL.decode(Vector.plaintext), for: subscription,
            key: P256.KeyAgreement.PrivateKey(rawRepresentation: Base64URL.decode(Vector.platformKey)),
            salt: [UInt8](repeating: 0, count: 16))
        #expect(salted.count == body.count && salted.suffix(58) != body.suffix(58))
    }
}

/// The gateway to push services of the web, against a service on this machine.
@Suite struct WebPushGatewayTests {
    private struct Claims: Decodable {
        let aud: String
        let exp: Int64
        let sub: String
    }

    private static let secret = [UInt8](repeating: 7, count: 16)

    private let key = P256.Signing.PrivateKey()
    private let device = P256.KeyAgreement.PrivateKey()
    private let time = ManualTimeSource()
    private let notification: GatewayNotification

    init() {
        let id = [UInt8](0..<16)
        notification = GatewayNotification(
            id: id, pointer: ApprovalPointer(tenant: "default", id: id).command,
            expiresAt: ManualTimeSource().now().advanced(milliseconds: 119_500))
    }

    private func address(_ endpoint: String) -> String {
        "\(endpoint)#p256dh=\(Base64URL.encode(Array(device.publicKey.x963Representation)))"
            + "&auth=\(Base64URL.encode(Self.secret))"
    }

    /// Runs a closure with a gateway to a service, and closes its connections.
    private func using<R: Sendable>(
        _ origin: String?, hosts: [String] = [], trusting certificate: String = PushService.certificate,
        _ body: (WebPushGateway) async throws -> R
    ) async throws -> R {
        try await PushService.withClient(trusting: certificate) { client in
            try await body(try #require(gateway(origin, hosts: hosts.compactMap(WebPushHost.init), client: client)))
        }
    }

    private func gateway(_ origin: String?, hosts: [WebPushHost], client: GatewayClient) -> WebPushGateway? {
        guard let key = WebPushKey(text: SecretBytes(copying: key.pemRepresentation.utf8)) else { return nil }
        return WebPushGateway(
            key: key, subject: "mailto:push@bank.example", hosts: hosts, testOrigin: origin, client: client,
            time: time, random: SystemRandomSource())
    }

    /// Returns the claims of the token of a request after a check of its signature.
    private func claims(_ request: PushService.Received) throws -> Claims {
        let header = try #require(request.headers["authorization"])
        let fields = header.dropFirst("vapid t=".count).split(separator: ", k=")
        try #require(header.hasPrefix("vapid t=") && fields.count == 2)
        #expect(fields[1] == Base64URL.encode(Array(key.publicKey.x963Representation)))
        let parts = fields[0].split(separator: ".")
        try #require(parts.count == 3)
        #expect(String(decoding: try Base64URL.decode(parts[0]), as: UTF8.self) == #"{"alg":"ES256","typ":"JWT"}"#)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: Base64URL.decode(parts[2]))
        #expect(key.publicKey.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8)))
        return try JSONDecoder().decode(Claims.self, from: Data(try Base64URL.decode(parts[1])))
    }

    /// Decrypts a message as a device does.
    private func opened(_ body: [UInt8]) throws -> String {
        try #require(body.count > 86 && body[20] == 65)
        let (salt, platform) = (Array(body[..<16]), Array(body[21..<86]))
        let material = try device.sharedSecretFromKeyAgreement(with: .init(x963Representation: platform))
            .hkdfDerivedSymmetricKey(
                using: SHA256.self, salt: Self.secret,
                sharedInfo: Array("WebPush: info\u{0}".utf8) + Array(device.publicKey.x963Representation) + platform,
                outputByteCount: 32)
        func derived(_ label: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material, salt: salt, info: Array("Content-Encoding: \(label)\u{0}".utf8),
                outputByteCount: count)
        }
        let nonce = unsafe derived("nonce", 12).withUnsafeBytes { unsafe Data($0) }
        let box = try AES.GCM.SealedBox(
            nonce: .init(data: nonce), ciphertext: body[86...].dropLast(16), tag: body.suffix(16))
        let text = try AES.GCM.open(box, using: derived("aes128gcm", 16))
        #expect(text.last == 2)
        return String(decoding: text.dropLast(), as: UTF8.self)
    }

    @Test func `a request has a message that only the device reads, and a token that the service can check`()
        async throws
    {
        try await PushService.serving { _ in
            .init(status: 201)
        } _: { service in
            try await using(service.origin) { gateway in
                for _ in 0..<2 {
                    let result = try await gateway.deliver(notification, to: address(service.origin + "/push/a?b=c"))
                    #expect(result == .delivered)
                }
                time.advance(seconds: 6 * 3_600)
                _ = try await gateway.deliver(notification, to: address(service.origin + "/push/a"))
            }
            let requests = service.requests
            try #require(requests.count == 3)
            #expect(requests.map(\.path) == ["/push/a?b=c", "/push/a?b=c", "/push/a"])
            let headers = requests[0].headers
            #expect(headers["content-encoding"] == "aes128gcm" && headers["content-type"] == "application/octet-stream")
            #expect(headers["ttl"] == "119" && headers["urgency"] == "high")
            #expect(headers["topic"] == Base64URL.encode(notification.id) && headers["topic"]?.count == 22)
            #expect(try opened(requests[0].body) == #"{"pointer":"\#(notification.pointer.text)"}"#)
            #expect(requests[2].headers["ttl"] == "0")
            // Each message has fresh keys.
            #expect(requests[0].body.prefix(86) != requests[1].body.prefix(86))
            let (first, last) = (try claims(requests[0]), try claims(requests[2]))
            #expect(first.aud == service.origin && first.sub == "mailto:push@bank.example")
            #expect(first.exp == ManualTimeSource().now().secondsSinceEpoch + 12 * 3_600)
            #expect(last.exp == first.exp + 6 * 3_600)
            #expect(headers["authorization"] == requests[1].headers["authorization"])
        }
    }

    @Test(
        arguments: [
            (200, nil, NotificationDelivery.delivered), (201, nil, .delivered), (202, nil, .delivered),
            (404, nil, .unregistered), (410, nil, .unregistered), (204, nil, .refused), (301, nil, .refused),
            (307, nil, .refused), (400, nil, .refused), (401, nil, .refused), (403, nil, .refused),
            (413, nil, .refused),
            (429, "120", .deferred(retryAfter: .seconds(120))), (500, nil, .failed(retryAfter: nil)),
            (503, "7", .failed(retryAfter: .seconds(7))),
        ] as [(Int, String?, NotificationDelivery)])
    func `the status decides what happens`(status: Int, retryAfter: String?, expected: NotificationDelivery)
        async throws
    {
        var headers = ["location": "/elsewhere"]
        headers["retry-after"] = retryAfter
        let answer = PushService.Answer(status: status, headers: headers)
        try await PushService.serving { _ in
            answer
        } _: { service in
            let result = try await using(service.origin) {
                try await $0.deliver(notification, to: address(service.origin + "/a"))
            }
            #expect(result == expected)
            // A redirect is not followed.
            #expect(service.requests.count == 1)
        }
    }

    @Test func `a service with an untrusted certificate, and one that talks rubbish, are errors`() async throws {
        try await PushService.serving { _ in
            .init()
        } _: { service in
            await #expect(throws: (any Error).self) {
                try await using(service.origin, trusting: TLSClient.path("renewed-server.pem")) {
                    try await $0.deliver(notification, to: address(service.origin + "/a"))
                }
            }
            #expect(service.requests.isEmpty)
        }
        try await PushService.serving(.rubbish) { _ in
            .init()
        } _: { service in
            await #expect(throws: (any Error).self) {
                try await using(service.origin) {
                    try await $0.deliver(notification, to: address(service.origin + "/a"))
                }
            }
        }
    }

    @Test(arguments: [
        "https://push.example/a", "https://a.push.example/", "https://b.a.push.example/a?b=%20", "https://one.example/",
    ])
    func `an endpoint with an allowed host is taken`(endpoint: String) {
        let hosts = WebPushSubscription.Hosts(
            allowed: ["push.example", "*.push.example", "one.example"].compactMap(WebPushHost.init), testOrigin: nil)
        let subscription = WebPushSubscription(address(endpoint), hosts: hosts)
        #expect(subscription?.endpoint == endpoint && subscription?.authentication == Self.secret)
        #expect(subscription.map { endpoint.hasPrefix($0.origin + "/") } == true)
    }

    @Test(arguments: [
        "http://push.example/a", "https://push.example", "https://evil.example/", "https://push.example.evil.example/",
        "https://evilpush.example/", "https://one.example.push.example@evil.example/", "https://push.example:8443/",
        "https://push.example:443/", "https://user@push.example/", "https://push.example\\@evil.example/",
        "https://127.0.0.1/", "https://2130706433/", "https://0x7f.1/", "https://[::1]/", "https://localhost/",
        "https://a.localhost/", "https://PUSH.example/", "https://push%2Eexample/", "https://push.example./",
        "https://.push.example/", "https:///a", "https://push.example/a b", "https://push.example/\r\nx: y",
        "//push.example/",
        "HTTPS://push.example/", "https://push.example/ä", "https://push.example/?a#b", "", "push.example/a",
    ])
    func `another endpoint is refused without a request`(endpoint: String) async throws {
        let result = try await using(nil, hosts: ["push.example", "*.push.example"]) {
            try await $0.deliver(notification, to: address(endpoint))
        }
        #expect(result == .refused)
    }

    @Test func `endpoints of one host lead to one service, and refused ones to none`() async throws {
        try await using(nil, hosts: ["push.example", "*.push.example"]) { gateway in
            #expect(gateway.service(of: address("https://push.example/a")) == "https://push.example")
            #expect(gateway.service(of: address("https://push.example/b?c")) == "https://push.example")
            #expect(gateway.service(of: address("https://a.push.example/a")) == "https://a.push.example")
            for endpoint in ["https://evil.example/a", "", "https://push.example"] {
                #expect(gateway.service(of: address(endpoint)) == nil)
            }
            #expect(gateway.service(of: "https://push.example/a#p256dh=&auth=") == nil)
        }
    }

    @Test func `keys of another form are refused`() throws {
        let host = try #require(WebPushHost("push.example"))
        let point = Array(device.publicKey.x963Representation)
        func isTaken(key: String, secret: String, separator: String = "&") -> Bool {
            WebPushSubscription(
                "https://push.example/a#p256dh=\(key)\(separator)auth=\(secret)",
                hosts: .init(allowed: [host], testOrigin: nil)) != nil
        }
        let (key, secret) = (Base64URL.encode(point), Base64URL.encode(Self.secret))
        #expect(isTaken(key: key, secret: secret))
        #expect(!isTaken(key: key + "=", secret: secret) && !isTaken(key: key, secret: secret + "=="))
        #expect(!isTaken(key: "", secret: secret) && !isTaken(key: key, secret: ""))
        #expect(!isTaken(key: key, secret: secret, separator: ";") && !isTaken(key: key, secret: secret + "&a=b"))
        #expect(!isTaken(key: Base64URL.encode(point.dropLast()), secret: secret))
        #expect(!isTaken(key: key, secret: Base64URL.encode(Self.secret + [0])))
        // Not a point of the curve, and a compressed one.
        #expect(!isTaken(key: Base64URL.encode([4] + [UInt8](repeating: 1, count: 64)), secret: secret))
        #expect(!isTaken(key: Base64URL.encode(Array(device.publicKey.compressedRepresentation)), secret: secret))
        let hosts = WebPushSubscription.Hosts(allowed: [host], testOrigin: nil)
        let padding = 1_024 - address("https://push.example/").utf8.count
        #expect(
            WebPushSubscription(
                address("https://push.example/" + String(repeating: "a", count: padding)), hosts: hosts) != nil)
        #expect(
            WebPushSubscription(
                address("https://push.example/" + String(repeating: "a", count: padding + 1)), hosts: hosts) == nil)
        #expect(WebPushSubscription("https://push.example/a", hosts: hosts) == nil)
    }

    @Test(arguments: [
        ("push.example", true), ("*.push.example", true), ("updates.push.services.mozilla.com", true), ("a-b.c1", true),
        ("*", false), ("*.com", false), ("localhost", false), ("a.localhost", false), ("127.0.0.1", false),
        ("0x7f.1", false), ("[::1]", false), ("*.*.example", false), ("a*.example", false), ("Push.example", false),
        ("push.example:443", false), ("https://push.example", false), ("a..b", false), ("-a.example", false),
        ("a-.example", false), ("", false), ("push.example.", false), ("ä.example", false),
        (String(repeating: "a", count: 64) + ".example", false),
    ])
    func `a host is a domain name, or all names below one`(text: String, isHost: Bool) {
        #expect((WebPushHost(text) != nil) == isHost)
    }

    @Test(arguments: [
        ("mailto:push@bank.example", true), ("https://bank.example/push", true), ("mailto:", false),
        ("https://", false),
        ("push@bank.example", false), ("http://bank.example", false), ("mailto:a b", false), ("", false),
        ("mailto:" + String(repeating: "a", count: 249), false), ("https://Bank.Example:443?push", true),
        ("mailto:push", false), ("mailto:push@localhost", false), ("mailto:push@bank", false),
        ("mailto:@bank.example", false), ("https://localhost/push", false), ("https://192.0.2.1", false),
        ("https://*.bank.example", false), ("mailto:a@b@bank.example", true),
    ])
    func `a subject is an address of mail or of a site`(text: String, isSubject: Bool) {
        #expect(WebPushGateway.isSubject(text) == isSubject)
    }

    @Test func `a gateway prints neither its subject nor its key`() async throws {
        try await using(nil) { gateway in
            var dumped = ""
            dump(gateway, to: &dumped)
            #expect("\(gateway)" == "WebPushGateway" && String(reflecting: gateway) == "WebPushGateway")
            #expect(dumped == "- WebPushGateway\n")
        }
    }
}
