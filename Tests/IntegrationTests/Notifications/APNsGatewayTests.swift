import Crypto
import Foundation
import Orchestration
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing
import TrustedIdentity
import TrustedIdentityServer

/// The gateway to the Apple Push Notification service, against a service on this machine.
@Suite struct APNsGatewayTests {
    /// A token with its parts.
    private struct Token: Decodable {
        let iss: String
        let iat: Int64
    }

    private static let deviceToken = String(repeating: "0aF9", count: 16)
    private static let expired = PushService.Answer(status: 403, body: #"{"reason":"ExpiredProviderToken"}"#)

    private let key = P256.Signing.PrivateKey()
    private let time = ManualTimeSource()
    private let notification: GatewayNotification

    init() {
        let id = [UInt8](0..<16)
        notification = GatewayNotification(
            id: id, pointer: ApprovalPointer(tenant: "default", id: id).command,
            expiresAt: Timestamp(secondsSinceEpoch: 1_767_225_720))
    }

    /// Runs a closure with a gateway to a service, and closes its connections.
    private func using<R: Sendable>(
        _ origin: String, trusting certificate: String = PushService.certificate,
        _ body: (APNsGateway) async throws -> R
    ) async throws -> R {
        try await PushService.withClient(trusting: certificate) { client in
            try await body(try #require(try gateway(origin, client: client)))
        }
    }

    private func gateway(_ origin: String, client: GatewayClient) throws -> APNsGateway? {
        guard
            let key = APNsKey(
                text: SecretBytes(copying: key.pemRepresentation.utf8), keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
        else { return nil }
        return APNsGateway(
            key: key, topic: "com.example.app", origin: origin, alert: "Öffnen", client: client, time: time)
    }

    /// Returns the token of a request after a check of its signature.
    private func token(_ request: PushService.Received) throws -> Token {
        let parts = try #require(request.headers["authorization"]).dropFirst(7).split(separator: ".")
        try #require(parts.count == 3)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: Base64URL.decode(parts[2]))
        let signed = Array("\(parts[0]).\(parts[1])".utf8)
        #expect(key.publicKey.isValidSignature(signature, for: signed))
        #expect(!key.publicKey.isValidSignature(signature, for: signed + [0]))
        #expect(
            String(decoding: try Base64URL.decode(parts[0]), as: UTF8.self) == #"{"alg":"ES256","kid":"ABC123DEFG"}"#)
        return try JSONDecoder().decode(Token.self, from: Data(try Base64URL.decode(parts[1])))
    }

    @Test func `a request has the notification, the headers of the service and a token that it can check`() async throws
    {
        try await PushService.serving { _ in
            .init()
        } _: { service in
            let results = try await using(service.origin) { gateway in
                [
                    try await gateway.deliver(notification, to: Self.deviceToken),
                    try await gateway.deliver(notification, to: Self.deviceToken),
                    try await gateway.deliver(notification, to: "ab"),
                ]
            }
            #expect(results == [.delivered, .delivered, .delivered])
            let requests = service.requests
            try #require(requests.count == 3)
            let request = requests[0]
            #expect(request.path == "/3/device/\(Self.deviceToken)" && request.isHTTP2)
            #expect(
                String(decoding: request.body, as: UTF8.self)
                    == #"{"aps":{"alert":"Öffnen","mutable-content":1,"sound":"default"},"pointer":""#
                    + notification.pointer.text + #""}"#)
            #expect(request.headers["authorization"]?.hasPrefix("bearer ") == true)
            #expect(request.headers["apns-topic"] == "com.example.app")
            #expect(request.headers["apns-push-type"] == "alert" && request.headers["apns-priority"] == "10")
            #expect(request.headers["apns-expiration"] == "1767225720")
            #expect(request.headers["apns-collapse-id"] == Hex.encode(notification.id))
            let token = try token(request)
            #expect(token.iss == "DEF123GHIJ" && token.iat == time.now().secondsSinceEpoch)
            // The same at each attempt, and another one for another device.
            let ids = requests.compactMap { $0.headers["apns-id"].flatMap(UUID.init) }
            #expect(ids.count == 3 && ids[0] == ids[1] && ids[0] != ids[2])
            #expect(requests.allSatisfy { $0.connection == 1 })
            #expect(Set(requests.map { $0.headers["authorization"] }).count == 1)
        }
    }

    @Test(arguments: [
        (200, nil, "", NotificationDelivery.delivered), (410, nil, #"{"reason":"Unregistered"}"#, .unregistered),
        (400, nil, #"{"reason":"BadDeviceToken"}"#, .refused),
        (400, nil, #"{"reason":"DeviceTokenNotForTopic"}"#, .refused), (301, nil, "", .refused),
        (403, nil, #"{"reason":"InvalidProviderToken"}"#, .refused), (403, nil, "<html>", .refused),
        (404, nil, "", .refused), (413, nil, "", .refused), (429, "7", "", .deferred(retryAfter: .seconds(7))),
        (500, nil, "", .failed(retryAfter: nil)), (503, "120", "", .failed(retryAfter: .seconds(120))),
    ])
    func `the status decides what happens`(
        status: Int, retryAfter: String?, body: String, expected: NotificationDelivery
    ) async throws {
        let headers = retryAfter.map { ["retry-after": $0] } ?? [:]
        try await PushService.serving { _ in
            .init(status: status, headers: headers, body: body)
        } _: { service in
            let result = try await using(service.origin) { try await $0.deliver(notification, to: "0a") }
            #expect(result == expected)
            #expect(service.requests.count == 1)
        }
    }

    @Test func `another app of the team has its topic, and the provider token of the first one`() async throws {
        try await PushService.serving { _ in
            .init()
        } _: { service in
            let results = try await using(service.origin) { gateway in
                let other = try #require(gateway.serving(topic: "com.example.business"))
                let isRefused = gateway.serving(topic: "a/b") == nil
                #expect(isRefused)
                return [
                    try await other.deliver(notification, to: "0a"), try await gateway.deliver(notification, to: "0a"),
                ]
            }
            #expect(results == [.delivered, .delivered])
            let requests = service.requests
            #expect(requests.map { $0.headers["apns-topic"] } == ["com.example.business", "com.example.app"])
            #expect(Set(requests.map { $0.headers["authorization"] }).count == 1)
        }
    }

    @Test func `deliveries that begin together have one token, which is renewed after fifty minutes`() async throws {
        try await PushService.serving { _ in
            .init()
        } _: { service in
            try await using(service.origin) { gateway in
                try await withThrowingTaskGroup(of: NotificationDelivery.self) { group in
                    for _ in 0..<32 { group.addTask { try await gateway.deliver(notification, to: "0a") } }
                    for try await result in group { #expect(result == .delivered) }
                }
                #expect(Set(service.requests.map { $0.headers["authorization"] }).count == 1)
                time.advance(seconds: 50 * 60 - 1)
                _ = try await gateway.deliver(notification, to: "0a")
                #expect(Set(service.requests.map { $0.headers["authorization"] }).count == 1)
                time.advance(seconds: 1)
                _ = try await gateway.deliver(notification, to: "0a")
                let last = try #require(service.requests.last)
                #expect(try token(last).iat == time.now().secondsSinceEpoch)
            }
        }
    }

    @Test func `an expired token is made anew once, and not within twenty minutes`() async throws {
        try await PushService.serving { _ in
            Self.expired
        } _: { service in
            try await using(service.origin) { gateway in
                // The service does not take a new token: it is too early for another one.
                let first = try await gateway.deliver(notification, to: "0a")
                #expect(first == .failed(retryAfter: nil) && service.requests.count == 1)
                time.advance(seconds: 20 * 60 - 1)
                let second = try await gateway.deliver(notification, to: "0a")
                #expect(second == .failed(retryAfter: nil) && service.requests.count == 2)
                time.advance(seconds: 1)
                let third = try await gateway.deliver(notification, to: "0a")
                #expect(third == .failed(retryAfter: nil) && service.requests.count == 4)
                #expect(Set(service.requests.map { $0.headers["authorization"] }).count == 2)
            }
        }
    }

    @Test func `a token that the service calls expired is replaced within the delivery`() async throws {
        let first = Recorder<String>()
        try await PushService.serving { request in
            let token = request.headers["authorization"] ?? ""
            if first.all.isEmpty { first.append(token) }
            return first.all == [token] ? Self.expired : .init()
        } _: { service in
            try await using(service.origin) { gateway in
                _ = try await gateway.deliver(notification, to: "0a")
                time.advance(seconds: 20 * 60)
                let result = try await gateway.deliver(notification, to: "0a")
                #expect(result == .delivered && service.requests.count == 3)
            }
        }
    }

    @Test func `after a GOAWAY the next delivery opens another connection`() async throws {
        try await PushService.serving {
            .init(goesAway: $0.connection == 1)
        } _: { service in
            try await using(service.origin) { gateway in
                for _ in 0..<3 {
                    let result = try await gateway.deliver(notification, to: "0a")
                    #expect(result == .delivered)
                }
            }
            #expect(service.requests.map(\.connection) == [1, 2, 2])
        }
    }

    @Test func `a slow answer is awaited, and one that never comes ends when the delivery is canceled`() async throws {
        let (silence, speak) = AsyncStream.makeStream(of: Void.self)
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        try await PushService.serving { request in
            guard request.path.hasSuffix("/0a") else { return .init() }
            arrived.yield()
            for await _ in silence { break }
            return .init()
        } _: { service in
            try await using(service.origin) { gateway in
                async let slow = gateway.deliver(notification, to: "0a")
                for await _ in arrivals { break }
                speak.yield()
                let answered = try await slow
                #expect(answered == .delivered)
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        await #expect(throws: (any Error).self) { try await gateway.deliver(notification, to: "0a") }
                    }
                    for await _ in arrivals { break }
                    group.cancelAll()
                }
                // The connection takes further requests.
                let next = try await gateway.deliver(notification, to: "0b")
                #expect(next == .delivered)
            }
            let connections = service.requests.map(\.connection)
            #expect(connections.count == 3 && connections[1] == connections[2], "\(connections)")
            speak.finish()
        }
    }

    @Test func `a delivery to a service that says nothing at all ends when it is canceled`() async throws {
        try await PushService.serving(.nothing) { _ in
            .init()
        } _: { service in
            try await PushService.withClient(connectTimeout: .seconds(5)) { client in
                let gateway = try #require(try gateway(service.origin, client: client))
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        await #expect(throws: (any Error).self) { try await gateway.deliver(notification, to: "0a") }
                    }
                    while service.connectionCount == 0 { try? await Task.sleep(for: .milliseconds(1)) }
                    group.cancelAll()
                }
            }
        }
    }

    @Test(arguments: [PushService.Language.http1, .http1Unnamed, .http2OverEarlyTLS, .rubbish])
    func `a service that does not speak HTTP 2 over a present TLS gets no request`(language: PushService.Language)
        async throws
    {
        try await PushService.serving(language) { _ in
            .init()
        } _: { service in
            try await using(service.origin) { gateway in
                for _ in 0..<2 {
                    await #expect(throws: (any Error).self) { try await gateway.deliver(notification, to: "0a") }
                }
            }
            #expect(service.requests.isEmpty && service.connectionCount >= 2)
        }
    }

    @Test func `a service with an untrusted certificate, and one that is down, are errors`() async throws {
        try await PushService.serving { _ in
            .init()
        } _: { service in
            await #expect(throws: (any Error).self) {
                try await using(service.origin, trusting: TLSClient.path("renewed-server.pem")) {
                    try await $0.deliver(notification, to: "0a")
                }
            }
            #expect(service.requests.isEmpty)
        }
        // The port of the discard service is not in use on a test machine.
        await #expect(throws: (any Error).self) {
            try await using("https://localhost:9") { try await $0.deliver(notification, to: "0a") }
        }
    }

    @Test(arguments: [
        "", "0g", "a/b", "../3", "0a?b", "0a#b", " 0a", "0a\r\n", "ä", String(repeating: "a", count: 201),
    ])
    func `an address that is no device token is refused without a request`(address: String) async throws {
        // Nothing listens there.
        let result = try await using("https://localhost:9") { try await $0.deliver(notification, to: address) }
        #expect(result == .refused)
    }

    @Test func `a gateway prints neither its address nor its key`() async throws {
        try await using("https://canary.example") { gateway in
            var dumped = ""
            dump(gateway, to: &dumped)
            #expect("\(gateway)" == "APNsGateway" && String(reflecting: gateway) == "APNsGateway")
            #expect(dumped == "- APNsGateway\n")
        }
    }

    @Test func `only a key of P-256 in PKCS 8 with its two ids is a key`() {
        func isKey(_ text: String, keyID: String = "ABC123DEFG", teamID: String = "DEF123GHIJ") -> Bool {
            APNsKey(text: SecretBytes(copying: text.utf8), keyID: keyID, teamID: teamID) != nil
        }
        let text = key.pemRepresentation
        #expect(isKey(text) && isKey(text + "\n"))
        #expect(!isKey("") && !isKey(String(text.dropLast(40))) && !isKey(key.publicKey.pemRepresentation))
        #expect(!isKey(P384.Signing.PrivateKey().pemRepresentation))
        #expect(!isKey(text, keyID: "abc123defg") && !isKey(text, keyID: "ABC123DEF") && !isKey(text, teamID: ""))
    }

    @Test func `a topic is a bundle identifier, and an alert a short text`() {
        #expect(APNsGateway.isTopic("com.example-1.App") && APNsGateway.isTopic(String(repeating: "a", count: 155)))
        for topic in ["", "a b", "a/b", "ä", "a\n", String(repeating: "a", count: 156)] {
            #expect(!APNsGateway.isTopic(topic))
        }
        #expect(APNsGateway.isAlert(String(repeating: "ä", count: 100)) && APNsGateway.isAlert("a b"))
        for alert in ["", " ", "a\nb", "\u{7F}", "\u{200B}", String(repeating: "ä", count: 101)] {
            #expect(!APNsGateway.isAlert(alert))
        }
    }
}

/// A platform with its server and a push service.
@Suite struct PushedLoginTests {
    private static func gateway(_ origin: String, client: GatewayClient) -> APNsGateway? {
        guard
            let key = APNsKey(
                text: SecretBytes(copying: P256.Signing.PrivateKey().pemRepresentation.utf8), keyID: "ABC123DEFG",
                teamID: "DEF123GHIJ")
        else { return nil }
        return APNsGateway(
            key: key, topic: "com.example.app", origin: origin, client: client, time: SystemTimeSource())
    }

    @Test func `a login reaches the service, and an answer of 410 drops the identifier`() async throws {
        let folder = try TemporaryFolder()
        let phone = try TestPhone(folder: folder)
        try await PushService.serving { _ in
            .init(status: 410)
        } _: { service in
            try await PushService.withClient { client in
                let gateway = try #require(Self.gateway(service.origin, client: client))
                try await LivePlatform.running(in: folder, gateways: ["apns": gateway]) { live in
                    let app = try await phone.activated(on: live)
                    _ = try await app.registerNotifications(for: "alice", identifier: .push("apns:0a")).result()
                    let reply = try await Site(live).logIn(#""timeout":0,"requestID":"r1""#)
                    try await Patience.wait(for: "entry about the removal") {
                        try await live.platform.audit(limit: 100).contains { $0.event == .notificationsUnregistered }
                    }
                    let pointer = try #require(reply.text("requestMessage"))
                    let body = try #require(service.requests.first?.body)
                    #expect(String(decoding: body, as: UTF8.self).contains(#""pointer":"\#(pointer)""#))
                    #expect(service.requests.count == 1)
                }
            }
        }
    }
}
