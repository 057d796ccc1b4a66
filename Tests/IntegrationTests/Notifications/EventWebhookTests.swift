import Foundation
import Hummingbird
import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport
import Testing
import TrustedIdentity
import TrustedIdentityServer

/// The webhook of events, against receivers on this machine.
@Suite struct EventWebhookTests {
    private static let secretText = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    /// The sample is no longer secret.
    private struct NoSecret: Error {}

    private let time = ManualTimeSource()
    private let event = PlatformEvent(
        id: [UInt8](0..<16), .approvalNotMe, time: Timestamp(millisecondsSinceEpoch: 1_767_225_600_123),
        account: "zoë@master", device: [UInt8](repeating: 0xAB, count: 16), reason: "notMe", requestID: "order/17",
        apiKey: "k1")

    private static func secret() throws -> WebhookSecret {
        guard let secret = WebhookSecret(text: SecretBytes(copying: secretText.utf8)) else { throw NoSecret() }
        return secret
    }

    private func deliver(_ event: PlatformEvent, to url: String, by client: GatewayClient) async throws -> EventDelivery
    {
        let webhook = try #require(try EventWebhook(url: url, secret: Self.secret(), client: client, time: time))
        return try await webhook.deliver(event)
    }

    @Test func `a request over TLS has the event, and another program confirms its signature`() async throws {
        try await PushService.serving { _ in
            .init(status: 204)
        } _: { receiver in
            let result = try await PushService.withClient { client in
                try await deliver(event, to: receiver.origin + "/events?a=b", by: client)
            }
            #expect(result == .delivered)
            let request = try #require(receiver.requests.first)
            #expect(receiver.requests.count == 1 && request.path == "/events?a=b")
            #expect(
                String(decoding: request.body, as: UTF8.self)
                    == #"{"data":{"account":"zoë@master","apiKey":"k1","device":"abababababababababababababababab","#
                    + #""id":"000102030405060708090a0b0c0d0e0f","reason":"notMe","requestID":"order/17"},"#
                    + #""timestamp":"2026-01-01T00:00:00.123Z","type":"approval.not-me"}"#)
            #expect(request.headers["content-type"] == "application/json")
            #expect(request.headers["webhook-id"] == "000102030405060708090a0b0c0d0e0f")
            #expect(request.headers["webhook-timestamp"] == "\(time.now().secondsSinceEpoch)")
            let signed = Array("000102030405060708090a0b0c0d0e0f.\(time.now().secondsSinceEpoch).".utf8) + request.body
            let expected = try await Self.signature(of: signed)
            #expect(request.headers["webhook-signature"] == "v1," + expected)
            let other = try await Self.signature(of: signed + [0])
            #expect(request.headers["webhook-signature"] != "v1," + other)
        }
    }

    /// Returns the HMAC-SHA-256 that OpenSSL makes with the secret, in Base64.
    private static func signature(of bytes: [UInt8]) async throws -> String {
        let folder = try TemporaryFolder()
        let (message, code) = (folder.file("message"), folder.file("code"))
        try Data(bytes).write(to: URL(fileURLWithPath: message))
        let key = try #require(Data(base64Encoded: String(secretText.dropFirst(6)))).map { String(format: "%02x", $0) }
        let status: Int32 = try await withCheckedThrowingContinuation { continuation in
            do {
                _ = try ChildProcess(
                    [
                        "/usr/bin/openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", "hexkey:\(key.joined())",
                        "-binary", "-out", code, message,
                    ], environment: [:]
                ) { continuation.resume(returning: $0) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        try #require(status == 0)
        return try Data(contentsOf: URL(fileURLWithPath: code)).base64EncodedString()
    }

    @Test func `the members of an event without values are missing, and a mark has a count`() async throws {
        let bodies = Recorder<String>()
        try await PushService.serving { request in
            bodies.append(String(decoding: request.body, as: UTF8.self))
            return .init(status: 200)
        } _: { receiver in
            try await PushService.withClient { client in
                let moment = Timestamp(secondsSinceEpoch: 1_767_225_600)
                let id = [UInt8](repeating: 0, count: 16)
                for event in [
                    PlatformEvent(id: id, .eventsDropped, time: moment, count: 7),
                    PlatformEvent(
                        id: id, .throttleBlocked, time: moment, account: "a@b", reason: "code",
                        until: moment.advanced(seconds: 60)),
                ] {
                    let result = try await deliver(event, to: receiver.origin, by: client)
                    #expect(result == .delivered)
                }
            }
        }
        let id = String(repeating: "0", count: 32)
        #expect(
            bodies.all == [
                #"{"data":{"count":7,"id":"\#(id)"},"timestamp":"2026-01-01T00:00:00.000Z","type":"events.dropped"}"#,
                #"{"data":{"account":"a@b","id":"\#(id)","reason":"code","until":"2026-01-01T00:01:00.000Z"},"#
                    + #""timestamp":"2026-01-01T00:00:00.000Z","type":"throttle.blocked"}"#,
            ])
    }

    @Test(arguments: [
        (200, nil, EventDelivery.delivered), (204, nil, .delivered),
        (301, nil, .failed(retryAfter: nil, answer: 301)), (307, nil, .failed(retryAfter: nil, answer: 307)),
        (400, nil, .failed(retryAfter: nil, answer: 400)), (401, nil, .failed(retryAfter: nil, answer: 401)),
        (404, "7", .failed(retryAfter: .seconds(7), answer: 404)),
        (410, "1", .failed(retryAfter: .seconds(3_600), answer: 410)),
        (429, "120", .failed(retryAfter: .seconds(120), answer: 429)),
        (503, "Wed, 21 Oct 2026 07:28:00 GMT", .failed(retryAfter: nil, answer: 503)),
        (500, "99999999999999999999", .failed(retryAfter: nil, answer: 500)),
    ])
    func `only 2xx is a delivery, and a redirect is not followed`(
        status: Int, retryAfter: String?, expected: EventDelivery
    ) async throws {
        try await PushService.serving { _ in
            var answer = PushService.Answer(status: status, headers: ["location": "/elsewhere"])
            answer.headers["retry-after"] = retryAfter
            return answer
        } _: { receiver in
            let result = try await PushService.withClient { client in
                try await deliver(event, to: receiver.origin + "/a", by: client)
            }
            #expect(result == expected)
            #expect(receiver.requests.map(\.path) == ["/a"])
        }
    }

    @Test func `an answer without an end is not awaited`() async throws {
        let (chunks, _) = AsyncStream.makeStream(of: ByteBuffer.self)
        let client = GatewayClient(connectTimeout: .seconds(600), timeout: .seconds(600))
        let results = Recorder<EventDelivery>()
        try await RogueServer.serving { _ in
            Response(status: .ok, body: ResponseBody(asyncSequence: chunks))
        } _: { url in
            results.append(try await deliver(event, to: url.absoluteString, by: client))
        }
        await client.shutdown()
        #expect(results.all == [.delivered])
    }

    @Test func `a receiver with a certificate that is not trusted gets nothing`() async throws {
        try await PushService.serving { _ in
            .init(status: 200)
        } _: { receiver in
            let client = GatewayClient(connectTimeout: .seconds(600), timeout: .seconds(600))
            await #expect(throws: (any Error).self) { _ = try await deliver(event, to: receiver.origin, by: client) }
            await client.shutdown()
            #expect(receiver.requests.isEmpty)
        }
    }

    @Test func `a webhook prints neither its address nor its secret`() async throws {
        let client = GatewayClient()
        let webhook = try #require(
            try EventWebhook(url: "https://bank.example/canary", secret: Self.secret(), client: client, time: time))
        await client.shutdown()
        var dumped = ""
        dump(webhook, to: &dumped)
        #expect("\(webhook)" == "EventWebhook" && String(reflecting: webhook) == "EventWebhook")
        #expect(dumped == "- EventWebhook\n")
        let isMade = try EventWebhook(url: "http://bank.example/", secret: Self.secret(), client: client) != nil
        #expect(!isMade)
    }
}
