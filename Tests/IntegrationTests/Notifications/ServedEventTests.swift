import Foundation
import Hummingbird
import OrchestrationTesting
import Synchronization
import TestSupport
import Testing

/// The events of `trusted-identity serve`, with a receiver that is down, a kill, and the commands of administration.
@Suite(.enabled(if: ServedPlatform.platform.isBuilt, "trusted-identity is not built"))
struct ServedEventTests {
    private struct Body: Decodable, Sendable {
        struct Content: Decodable, Sendable {
            let id: String
            let account: String?
        }

        let type: String
        let data: Content
    }

    private struct Status: Decodable {
        let isRecording: Bool
        let waiting: Int
        let failures: Int
        let answer: Int?
    }

    private static func status(_ platform: ServedPlatform) async throws -> Status {
        let result = try await platform.administer(["events", "status", "--json"])
        #expect(result.status == 0, "\(result.errors)")
        return try JSONDecoder().decode(Status.self, from: Data(result.output.utf8))
    }

    @Test func `events wait for a receiver that is down, survive a kill, and arrive in their order`() async throws {
        let folder = try TemporaryFolder()
        let secret = try folder.write("events.secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        let isUp = Mutex(false)
        let (arrivals, arrived) = AsyncStream.makeStream(of: Body.self)
        try await RogueServer.serving { request in
            guard isUp.withLock({ $0 }) else { return Response(status: .serviceUnavailable) }
            let body = try await request.body.collect(upTo: 65_536)
            arrived.yield(try JSONDecoder().decode(Body.self, from: Data(body.readableBytesView)))
            return Response(status: .noContent)
        } _: { receiver in
            let configuration = try folder.write(
                "platform.yaml", "events:\n  url: \(receiver.absoluteString)\n  secret: \(secret)\n")
            let options = ["--config", configuration]
            try await ServedPlatform.running(options: options) { platform in
                try await platform.send(
                    "POST", "v1/users/register", #"{"objectType":"RegisterUserInputEx","userID":"alice"}"#)
                for _ in 0..<3 {
                    let lifted = try await platform.administer(["user", "unblock", "alice"])
                    #expect(lifted.status == 0, "\(lifted.errors)")
                }
                var status = try await Self.status(platform)
                // On a busy machine an earlier attempt may have ended before the answer.
                while status.answer != 503 { status = try await Self.status(platform) }
                #expect(status.isRecording && status.waiting == 3 && status.failures > 0)
                try await platform.restart(after: SIGKILL, options: options)
                #expect(try await Self.status(platform).waiting == 3)
                isUp.withLock { $0 = true }
                var received: [Body] = []
                for await body in arrivals {
                    received.append(body)
                    if received.count == 3 { break }
                }
                #expect(received.map(\.type) == Array(repeating: "throttle.lifted", count: 3))
                #expect(received.map(\.data.account) == Array(repeating: "alice@master", count: 3))
                #expect(Set(received.map(\.data.id)).count == 3)
                while try await Self.status(platform).waiting > 0 {}
                // The program without a server records what it does, too, when it reads the setting.
                let text = try await platform.administer(["events", "status"])
                #expect(text.output.hasPrefix("recording: yes\nwaiting: 0\n"), "\(text.output)")
            }
        }
    }

    @Test func `a missing secret is an error before the data are opened, and one setting needs the other`()
        async throws
    {
        let folder = try TemporaryFolder()
        let data = folder.file("data")
        let missing = try await ServedPlatform.platform.run([
            "serve", "--data", data, "--events-url", "https://bank.example/", "--events-secret", folder.file("none"),
        ])
        #expect(missing.status == 6 && missing.errors.contains("of events.secret is missing"), "\(missing.errors)")
        let half = try await ServedPlatform.platform.run([
            "serve", "--data", data, "--events-url", "https://bank.example/",
        ])
        #expect(
            half.errors.contains(
                "events.url is named and events.secret is not: a webhook of events needs events.url and events.secret"),
            "\(half.errors)")
        #expect(!FileManager.default.fileExists(atPath: data))
    }
}
