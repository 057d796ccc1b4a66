import Foundation
import Hummingbird
import Orchestration
import OrchestrationHTTP
import OrchestrationTesting
import TestSupport
import Testing

/// The webhook of `trusted-identity serve`.
@Suite(.enabled(if: ServedPlatform.platform.isBuilt, "trusted-identity is not built"))
struct ServedWebhookTests {
    /// The members of a notification that identify the device and the request.
    private struct Announced: Decodable, Sendable {
        struct Content: Decodable, Sendable {
            let address: String
            let pointer: String
        }

        let data: Content
    }

    private static func secretFile(
        in folder: TemporaryFolder, text: String = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n"
    ) throws -> String {
        let path = try folder.write("webhook.secret", text)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return path
    }

    @Test func `a login reaches the receiver that the configuration names`() async throws {
        let folder = try TemporaryFolder()
        let secret = try Self.secretFile(in: folder)
        let (arrivals, arrived) = AsyncStream.makeStream(of: Announced.self)
        try await RogueServer.serving { request in
            let body = try await request.body.collect(upTo: 65_536)
            arrived.yield(try JSONDecoder().decode(Announced.self, from: Data(body.readableBytesView)))
            return Response(status: .noContent)
        } _: { receiver in
            let options = ["--webhook-url", receiver.absoluteString, "--webhook-secret", secret]
            try await ServedPlatform.running(options: options) { platform in
                let registered = try await platform.send(
                    "POST", "v1/users/register", #"{"objectType":"RegisterUserInputEx","userID":"alice"}"#)
                let password = try #require(registered["activationPassword"] as? String)
                let device = try await Orchestrator(
                    configuration: .testing(postQuantum: .off),
                    transport: try HTTPTransport(endpoint: platform.address),
                    providers: [ScriptedUser(password: "482915")], store: MemoryStore())
                try await device.user("alice").activate(with: password)
                _ = try await device.registerNotifications(for: "alice", identifier: .push("webhook:phone-1")).result()
                let login = try await platform.login("r1")
                let announced = try #require(await arrivals.first { _ in true })
                #expect(announced.data.address == "phone-1")
                #expect(announced.data.pointer == login["requestMessage"] as? String)
            }
        }
    }

    @Test func `a missing secret and one of another form are errors before the data are opened`() async throws {
        let folder = try TemporaryFolder()
        let data = folder.file("data")
        for (path, message) in [
            (folder.file("none"), "is missing"),
            (try Self.secretFile(in: folder, text: "whsec_short\n"), "holds no secret of a webhook"),
        ] {
            let result = try await ServedPlatform.platform.run([
                "serve", "--data", data, "--webhook-url", "https://push.example/", "--webhook-secret", path,
            ])
            #expect(result.status == 6 && result.errors.contains(message), "\(result.errors)")
            #expect(!FileManager.default.fileExists(atPath: data))
        }
    }
}
