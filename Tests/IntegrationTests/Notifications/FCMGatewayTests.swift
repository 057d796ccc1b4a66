import Crypto
import CryptoExtras
import Foundation
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity
import TrustedIdentityServer

/// The gateway to Firebase Cloud Messaging, against a service on this machine that is the token endpoint, too.
@Suite struct FCMGatewayTests {
    typealias Answer = PushService.Answer

    private struct Claims: Decodable {
        let iss: String
        let scope: String
        let aud: String
        let iat: Int64
        let exp: Int64
    }

    /// A key of 2,048 bits. Making one takes long.
    private static let key = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    private let time = ManualTimeSource()
    private let notification: GatewayNotification

    init() {
        let id = [UInt8](0..<16)
        notification = GatewayNotification(
            id: id, pointer: ApprovalPointer(tenant: "default", id: id).command,
            expiresAt: ManualTimeSource().now().advanced(milliseconds: 119_500))
    }

    private static func file(
        tokenURL: String, type: String = "service_account", project: String = "bank-app-1", key: String? = nil
    ) throws -> String {
        let members = [
            "type": type, "project_id": project, "private_key_id": "k1", "client_email": "push@bank-app-1.example",
            "private_key": try key ?? self.key.get().pkcs8PEMRepresentation, "token_uri": tokenURL, "client_id": "1",
        ]
        return String(decoding: try JSONEncoder().encode(members), as: UTF8.self)
    }

    private static func isAccount(_ text: String) -> Bool {
        let account = FCMServiceAccount(text: SecretBytes(copying: text.utf8))
        return account != nil
    }

    /// Runs a closure with a gateway to a service, and closes its connections.
    private func using<R: Sendable>(
        _ origin: String, tokenPath: String = "/token", collapseKey: String? = nil, timeout: Duration = .seconds(600),
        _ body: (FCMGateway) async throws -> R
    ) async throws -> R {
        try await PushService.withClient(timeout: timeout) { client in
            let text = try Self.file(tokenURL: origin + tokenPath)
            guard let account = FCMServiceAccount(text: SecretBytes(copying: text.utf8)) else {
                throw URLError(.badURL)
            }
            return try await body(
                FCMGateway(account: account, origin: origin, collapseKey: collapseKey, client: client, time: time))
        }
    }

    /// Returns the answer of the token endpoint.
    private static func grant(_ token: String, seconds: Int = 3_600) -> Answer {
        Answer(body: #"{"access_token":"\#(token)","expires_in":\#(seconds),"token_type":"Bearer"}"#)
    }

    @Test func `a message has the pointer, and the token that the assertion of the account is worth`() async throws {
        try await PushService.serving { request in
            request.path == "/token" ? Self.grant("t1") : Answer(body: #"{"name":"projects/p/messages/1"}"#)
        } _: { service in
            let result = try await using(service.origin) { try await $0.deliver(notification, to: "dev:1\"") }
            #expect(result == .delivered)
            let requests = service.requests
            try #require(requests.map(\.path) == ["/token", "/v1/projects/bank-app-1/messages:send"])
            #expect(requests[0].headers["content-type"] == "application/x-www-form-urlencoded")
            let form = String(decoding: requests[0].body, as: UTF8.self)
            let prefix = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
            #expect(form.hasPrefix(prefix))
            let parts = form.dropFirst(prefix.count).split(separator: ".")
            try #require(parts.count == 3)
            #expect(
                String(decoding: try Base64URL.decode(parts[0]), as: UTF8.self)
                    == #"{"alg":"RS256","kid":"k1","typ":"JWT"}"#)
            let claims = try JSONDecoder().decode(Claims.self, from: Data(try Base64URL.decode(parts[1])))
            #expect(claims.iss == "push@bank-app-1.example" && claims.aud == service.origin + "/token")
            #expect(claims.scope == "https://www.googleapis.com/auth/firebase.messaging")
            #expect(claims.iat == time.now().secondsSinceEpoch && claims.exp == claims.iat + 3_600)
            let signature = _RSA.Signing.RSASignature(rawRepresentation: try Base64URL.decode(parts[2]))
            let publicKey = try Self.key.get().publicKey
            let signed = Array("\(parts[0]).\(parts[1])".utf8)
            #expect(publicKey.isValidSignature(signature, for: signed, padding: .insecurePKCS1v1_5))
            #expect(!publicKey.isValidSignature(signature, for: signed + [0], padding: .insecurePKCS1v1_5))
            #expect(requests[1].headers["authorization"] == "Bearer t1")
            #expect(
                String(decoding: requests[1].body, as: UTF8.self)
                    == #"{"message":{"android":{"priority":"HIGH","ttl":"119s"},"data":{"pointer":""#
                    + notification.pointer.text + #""},"token":"dev:1\""}}"#)
        }
    }

    @Test func `a collapse key is the same in all messages`() async throws {
        try await PushService.serving { request in
            request.path == "/token" ? Self.grant("t1") : Answer()
        } _: { service in
            let results = try await using(service.origin, collapseKey: "approval") { gateway in
                [
                    try await gateway.deliver(notification, to: "a"), try await gateway.deliver(notification, to: "b"),
                ]
            }
            #expect(results == [.delivered, .delivered])
            let bodies = service.requests.dropFirst().map { String(decoding: $0.body, as: UTF8.self) }
            let android = #""android":{"collapse_key":"approval","priority":"HIGH","ttl":"119s"}"#
            #expect(bodies.count == 2 && bodies.allSatisfy { $0.contains(android) })
        }
        #expect(FCMGateway.isCollapseKey(String(repeating: "a", count: 64)))
        for text in ["", "a b", "é", String(repeating: "a", count: 65)] { #expect(!FCMGateway.isCollapseKey(text)) }
    }

    @Test(
        arguments: [
            (200, nil, "", NotificationDelivery.delivered),
            (
                404, nil, #"{"error":{"code":404,"status":"NOT_FOUND","details":[{},{"errorCode":"UNREGISTERED"}]}}"#,
                .unregistered
            ),
            (404, nil, #"{"error":{"code":404,"status":"NOT_FOUND"}}"#, .refused), (404, nil, "<html>", .refused),
            (400, nil, #"{"error":{"code":400,"details":[{"errorCode":"INVALID_ARGUMENT"}]}}"#, .refused),
            (403, nil, #"{"error":{"code":403,"details":[{"errorCode":"SENDER_ID_MISMATCH"}]}}"#, .refused),
            (301, nil, "", .refused), (401, nil, "", .failed(retryAfter: nil)),
            (429, "60", "", .deferred(retryAfter: .seconds(60))), (500, nil, "", .failed(retryAfter: nil)),
            (503, "7", "", .failed(retryAfter: .seconds(7))),
        ] as [(Int, String?, String, NotificationDelivery)])
    func `the status decides what happens`(
        status: Int, retryAfter: String?, body: String, expected: NotificationDelivery
    ) async throws {
        let headers = retryAfter.map { ["retry-after": $0] } ?? [:]
        try await PushService.serving { request in
            request.path == "/token" ? Self.grant("t1") : Answer(status: status, headers: headers, body: body)
        } _: { service in
            let result = try await using(service.origin) { try await $0.deliver(notification, to: "a") }
            #expect(result == expected)
            #expect(service.requests.count == 2)
        }
    }

    @Test func `deliveries that begin together ask for one token, which is renewed five minutes before its end`()
        async throws
    {
        let asked = Recorder<Int>()
        try await PushService.serving { request in
            guard request.path == "/token" else { return Answer() }
            asked.append(1)
            return Self.grant("t\(asked.all.count)")
        } _: { service in
            try await using(service.origin) { gateway in
                try await withThrowingTaskGroup(of: NotificationDelivery.self) { group in
                    for _ in 0..<32 { group.addTask { try await gateway.deliver(notification, to: "a") } }
                    for try await result in group { #expect(result == .delivered) }
                }
                #expect(asked.all.count == 1)
                time.advance(seconds: 55 * 60 - 1)
                _ = try await gateway.deliver(notification, to: "a")
                #expect(asked.all.count == 1)
                time.advance(seconds: 1)
                _ = try await gateway.deliver(notification, to: "a")
                #expect(asked.all.count == 2)
                #expect(service.requests.last?.headers["authorization"] == "Bearer t2")
            }
        }
    }

    @Test func `a refused token is replaced once, and not within a minute`() async throws {
        let asked = Recorder<Int>()
        try await PushService.serving { request in
            guard request.path == "/token" else {
                return Answer(status: request.headers["authorization"] == "Bearer t2" ? 200 : 401)
            }
            asked.append(1)
            return Self.grant("t\(asked.all.count)")
        } _: { service in
            try await using(service.origin) { gateway in
                let early = try await gateway.deliver(notification, to: "a")
                #expect(early == .failed(retryAfter: nil) && asked.all.count == 1)
                time.advance(seconds: 60)
                let result = try await gateway.deliver(notification, to: "a")
                #expect(result == .delivered && asked.all.count == 2)
                #expect(service.requests.count == 5)
            }
        }
    }

    @Test(arguments: [
        Answer(status: 400, body: #"{"error":"invalid_grant"}"#), Answer(status: 500), Answer(body: "rubbish"),
        Answer(body: #"{"access_token":"a b","expires_in":3600}"#),
        Answer(body: #"{"access_token":"","expires_in":1}"#),
        Answer(body: #"{"access_token":"a","expires_in":0}"#), Answer(status: 302, headers: ["location": "/other"]),
    ])
    func `a token endpoint that grants nothing is a failure`(answer: Answer) async throws {
        try await PushService.serving { _ in
            answer
        } _: { service in
            let result = try await using(service.origin) { try await $0.deliver(notification, to: "a") }
            #expect(result == .failed(retryAfter: nil))
            #expect(service.requests.map(\.path) == ["/token"])
        }
    }

    @Test func `a token endpoint that asks for time gets it`() async throws {
        try await PushService.serving { _ in
            Answer(status: 503, headers: ["retry-after": "30"])
        } _: { service in
            let result = try await using(service.origin) { try await $0.deliver(notification, to: "a") }
            #expect(result == .failed(retryAfter: .seconds(30)))
        }
    }

    @Test(.timeLimit(.minutes(20)))
    func `an answer of the token endpoint that does not end is an error after its time, and the next one is taken`()
        async throws
    {
        try await PushService.serving { request in
            guard request.path == "/token" else { return Answer() }
            var answer = Self.grant("t1")
            answer.isEndless = request.connection == 1
            return answer
        } _: { service in
            _ = try await using(service.origin, timeout: .seconds(1)) { gateway in
                await #expect(throws: (any Error).self) { try await gateway.deliver(notification, to: "a") }
            }
            try await using(service.origin) { gateway in
                let result = try await gateway.deliver(notification, to: "a")
                #expect(result == .delivered)
            }
        }
    }

    @Test func `a token endpoint that fails is not asked by each delivery, and a token is used until its end`()
        async throws
    {
        let asked = Recorder<Int>()
        try await PushService.serving { request in
            guard request.path == "/token" else { return Answer() }
            asked.append(1)
            return [2, 3].contains(asked.all.count)
                ? Answer(status: 503, headers: ["retry-after": asked.all.count == 2 ? "30" : "999999"])
                : Self.grant("t\(asked.all.count)")
        } _: { service in
            try await using(service.origin) { gateway in
                func deliver(_ count: Int) async throws -> [NotificationDelivery] {
                    var results: [NotificationDelivery] = []
                    for _ in 0..<count { results.append(try await gateway.deliver(notification, to: "a")) }
                    return results
                }
                let first = try await deliver(1)
                #expect(first == [.delivered])
                time.advance(seconds: 55 * 60)
                let refused = try await deliver(3)
                #expect(refused == [.failed(retryAfter: .seconds(30)), .delivered, .delivered])
                #expect(service.requests.last?.headers["authorization"] == "Bearer t1" && asked.all.count == 2)
                time.advance(seconds: 30)
                let absurd = try await deliver(2)
                #expect(absurd == [.failed(retryAfter: .seconds(999_999)), .delivered] && asked.all.count == 3)
                // The token has ended. An absurd time is not obeyed for longer than ten minutes.
                time.advance(seconds: 5 * 60 - 30)
                let ended = try await deliver(2)
                #expect(ended == Array(repeating: .failed(retryAfter: .seconds(330)), count: 2))
                #expect(asked.all.count == 3)
                time.advance(seconds: 330)
                let last = try await deliver(1)
                #expect(last == [.delivered] && asked.all.count == 4)
            }
        }
    }

    @Test func `a token with a short lifetime is used for the half of it`() async throws {
        let asked = Recorder<Int>()
        try await PushService.serving { request in
            guard request.path == "/token" else { return Answer() }
            asked.append(1)
            return Self.grant("t\(asked.all.count)", seconds: 60)
        } _: { service in
            try await using(service.origin) { gateway in
                for (seconds, count) in [(0, 1), (29, 1), (1, 2)] as [(Int64, Int)] {
                    time.advance(seconds: seconds)
                    let result = try await gateway.deliver(notification, to: "a")
                    #expect(result == .delivered && asked.all.count == count)
                }
            }
        }
    }

    @Test func `a delivery that waits for a token ends when it is canceled, and the others get the token`() async throws
    {
        let (silence, speak) = AsyncStream.makeStream(of: Void.self)
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        try await PushService.serving { request in
            guard request.path == "/token" else { return Answer() }
            arrived.yield()
            for await _ in silence { break }
            return Self.grant("t1")
        } _: { service in
            try await using(service.origin) { gateway in
                async let patient = gateway.deliver(notification, to: "a")
                for await _ in arrivals { break }
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        await #expect(throws: CancellationError.self) {
                            try await gateway.deliver(notification, to: "b")
                        }
                    }
                    group.cancelAll()
                }
                speak.yield()
                let result = try await patient
                #expect(result == .delivered)
                #expect(service.requests.map(\.path) == ["/token", "/v1/projects/bank-app-1/messages:send"])
            }
        }
    }

    @Test func `an empty address is refused without a request`() async throws {
        // Nothing listens there.
        let result = try await using("https://localhost:9") { try await $0.deliver(notification, to: "") }
        #expect(result == .refused)
    }

    @Test func `a gateway prints neither its account nor its key`() async throws {
        try await using("https://canary.example") { gateway in
            var dumped = ""
            dump(gateway, to: &dumped)
            #expect("\(gateway)" == "FCMGateway" && String(reflecting: gateway) == "FCMGateway")
            #expect(dumped == "- FCMGateway\n")
        }
    }

    @Test func `only the key file of a service account with an RSA key is an account`() throws {
        let url = "https://oauth2.example/token"
        let text = try Self.file(tokenURL: url)
        #expect(Self.isAccount(text))
        #expect(!Self.isAccount("") && !Self.isAccount("{}") && !Self.isAccount(String(text.dropLast())))
        #expect(!Self.isAccount(try Self.file(tokenURL: url, type: "authorized_user")))
        for project in ["", "a/b", "A", "a b", "ä"] {
            #expect(!Self.isAccount(try Self.file(tokenURL: url, project: project)))
        }
        for url in ["http://oauth2.example/token", "https://", "oauth2.example", "https://u@oauth2.example/", ""] {
            #expect(!Self.isAccount(try Self.file(tokenURL: url)))
        }
        #expect(!Self.isAccount(try Self.file(tokenURL: url, key: P256.Signing.PrivateKey().pemRepresentation)))
        #expect(!Self.isAccount(try Self.file(tokenURL: url, key: "rubbish")))
    }
}
