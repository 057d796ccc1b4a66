import Crypto
import Foundation
import Hummingbird
import NIOCore
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity
import TrustedIdentityServer

/// The webhook, against a receiver on the loopback interface.
@Suite struct PushWebhookGatewayTests {
    private static let secretText = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private struct Received: Sendable {
        let headers: [String: String]
        let body: [UInt8]
    }

    /// The sample is no longer secret.
    private struct NoSecret: Error {}

    private let time = ManualTimeSource()
    private let notification: GatewayNotification

    init() {
        let id = [UInt8](0..<16)
        notification = GatewayNotification(
            id: id, pointer: ApprovalPointer(tenant: "default", id: id).command,
            expiresAt: Timestamp(secondsSinceEpoch: 1_767_225_720))
    }

    private func secret() throws -> WebhookSecret {
        guard let secret = WebhookSecret(text: SecretBytes(copying: (Self.secretText + "\n").utf8)) else {
            throw NoSecret()
        }
        return secret
    }

    private func deliver(to url: String, address: String = "a/b:c") async throws -> NotificationDelivery {
        let client = GatewayClient(connectTimeout: .seconds(600), timeout: .seconds(600))
        let result: Result<NotificationDelivery, any Error>
        do {
            let gateway = try #require(try PushWebhookGateway(url: url, secret: secret(), client: client, time: time))
            result = .success(try await gateway.deliver(notification, to: address))
        } catch {
            result = .failure(error)
        }
        await client.shutdown()
        return try result.get()
    }

    private func delivery(_ respond: @escaping @Sendable (Request) async throws -> Response) async throws
        -> NotificationDelivery?
    {
        let results = Recorder<NotificationDelivery>()
        try await RogueServer.serving(respond) { url in
            results.append(try await deliver(to: url.absoluteString))
        }
        return results.all.first
    }

    @Test func `a request has the notification, and a signature that the receiver can check`() async throws {
        let received = Recorder<Received>()
        let result = try await delivery { request in
            let body = try await request.body.collect(upTo: 65_536)
            var headers: [String: String] = [:]
            for field in request.headers { headers[field.name.canonicalName] = field.value }
            received.append(Received(headers: headers, body: Array(body.readableBytesView)))
            return Response(status: .noContent)
        }
        #expect(result == .delivered)
        let requests = received.all
        let request = try #require(requests.first)
        #expect(requests.count == 1)
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"data":{"address":"a/b:c","expiresAt":"2026-01-01T00:02:00.000Z","id":"# + "\""
                + Hex.encode(notification.id) + #"","pointer":""# + notification.pointer.text
                + #""},"type":"approval.announced"}"#)
        let id = try #require(request.headers["webhook-id"])
        let digest = SHA256.hash(data: Array("a/b:c".utf8))
        #expect(id == Hex.encode(notification.id) + "-" + Hex.encode(Array(digest.prefix(8))))
        let timestamp = try #require(request.headers["webhook-timestamp"])
        #expect(timestamp == "\(time.now().secondsSinceEpoch)")
        let key = SymmetricKey(data: try #require(Data(base64Encoded: String(Self.secretText.dropFirst(6)))))
        let signature = try #require(request.headers["webhook-signature"])
        let code = try #require(Data(base64Encoded: String(signature.dropFirst(3))))
        let signed = Array("\(id).\(timestamp).".utf8) + request.body
        #expect(signature.hasPrefix("v1,"))
        #expect(HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: signed, using: key))
        #expect(!HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: signed + [0], using: key))
    }

    @Test(arguments: [
        (200, nil, NotificationDelivery.delivered), (410, nil, .unregistered), (404, nil, .refused),
        (301, nil, .refused), (400, "5", .refused), (429, "120", .deferred(retryAfter: .seconds(120))),
        (425, nil, .deferred(retryAfter: nil)),
        (503, nil, .failed(retryAfter: nil)), (500, "Wed, 21 Oct 2026 07:28:00 GMT", .failed(retryAfter: nil)),
        (503, "-1", .failed(retryAfter: nil)), (503, "99999999999999999999", .failed(retryAfter: nil)),
        (408, "0", .failed(retryAfter: .zero)),
    ])
    func `the status decides what happens`(status: Int, retryAfter: String?, expected: NotificationDelivery)
        async throws
    {
        let requests = Recorder<String>()
        let result = try await delivery { request in
            requests.append(request.uri.path)
            var response = Response(status: .init(code: status))
            if let retryAfter { response.headers[.retryAfter] = retryAfter }
            response.headers[.location] = "/elsewhere"
            return response
        }
        #expect(result == expected)
        // A redirect is not followed.
        #expect(requests.all == ["/"])
    }

    @Test func `the body of an answer is not awaited`() async throws {
        let (chunks, _) = AsyncStream.makeStream(of: ByteBuffer.self)
        let result = try await delivery { _ in Response(status: .ok, body: ResponseBody(asyncSequence: chunks)) }
        #expect(result == .delivered)
    }

    @Test func `a delivery to a receiver that says nothing ends when it is canceled`() async throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let (silence, _) = AsyncStream.makeStream(of: Void.self)
        try await RogueServer.serving { _ in
            arrived.yield()
            for await _ in silence {}
            return Response(status: .ok)
        } _: { url in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: (any Error).self) { try await deliver(to: url.absoluteString) }
                }
                for await _ in arrivals { break }
                group.cancelAll()
            }
        }
    }

    @Test func `a receiver that is down is an error`() async throws {
        // The port of the discard service is not in use on a test machine.
        await #expect(throws: (any Error).self) { try await deliver(to: "http://127.0.0.1:9/") }
    }

    @Test(arguments: [
        ("https://push.example/notify?a=b", true), ("http://127.0.0.1:80/", true), ("http://[::1]/", true),
        ("http://localhost/", true), ("http://push.example/", false), ("http://127.0.0.1.example/", false),
        ("https://user@push.example/", false), ("https://push.example/#a", false), ("https:///a", false),
        ("ftp://push.example/", false), ("push.example", false), ("https://a b/", false), ("", false),
        ("https://push.example/" + String(repeating: "a", count: 2_048), false),
    ])
    func `only https, and http to this machine, are addresses`(url: String, isAllowed: Bool) async throws {
        #expect(PushWebhookGateway.isAllowed(url: url) == isAllowed)
        let client = GatewayClient(connectTimeout: .seconds(600), timeout: .seconds(600))
        let isMade = try PushWebhookGateway(url: url, secret: secret(), client: client, time: time) != nil
        await client.shutdown()
        #expect(isMade == isAllowed)
    }

    @Test func `a gateway prints neither its address nor its secret`() async throws {
        let client = GatewayClient()
        let gateway = try #require(
            try PushWebhookGateway(url: "https://push.example/canary", secret: secret(), client: client, time: time))
        await client.shutdown()
        var dumped = ""
        dump(gateway, to: &dumped)
        #expect("\(gateway)" == "PushWebhookGateway" && String(reflecting: gateway) == "PushWebhookGateway")
        #expect(dumped == "- PushWebhookGateway\n")
    }

    @Test(arguments: [
        "", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa==", "whsec_!",
        "whsec_" + Data(count: 23).base64EncodedString(), "whsec_" + Data(count: 65).base64EncodedString(),
    ])
    func `another form is no secret`(text: String) {
        let isSecret = WebhookSecret(text: SecretBytes(copying: text.utf8)) != nil
        #expect(!isSecret)
    }
}
