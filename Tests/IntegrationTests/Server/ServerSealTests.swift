import Crypto
import Foundation
import Orchestration
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

/// Seals over HTTP.
@Suite struct ServerSealTests {
    private static let path = "/v1/users/alice%40master/seals/validate"
    private static let digest = Hex.encode(Array(SHA256.hash(data: Array("the contract".utf8))))
    private let time = ManualTimeSource(at: Timestamp(secondsSinceEpoch: 1_800_000_000))

    /// Registers alice, activates a device, and returns the app on it.
    private func activate(_ server: TestServer) async throws -> UserHandle {
        let registration = try await server.post("/v1/users/register", ServerEndpointTests.registration)
        let password = try #require(registration.text("activationPassword"))
        let platform = server.platform
        let app = try await TestDevice(seed: 1, time: time).orchestrator(
            transport: InProcessTransport { platform }, user: ScriptedUser(password: "482915"))
        let alice = app.user("alice")
        _ = try await alice.activate(with: password)
        return alice
    }

    @Test func `a seal over a named file approves once, with a host code`() async throws {
        try await TestServer.run(time: time) { server in
            let alice = try await activate(server)
            let made = try await alice.seal(.bytes(Array("the contract".utf8), named: "Verträge.pdf"))
            #expect(made.digest == Self.digest)
            func body(_ name: String, _ digest: String) -> String {
                #"{"requestID":"s-1","seal":"\#(made.seal)","name":"\#(name)","digest":"\#(digest)","clientIP":"192.0.2.1"}"#
            }
            let wrong = try await server.post(Self.path, body("Vertrag.pdf", Self.digest))
            #expect(wrong.status == 200 && wrong.text("sessionStatus") == "failed" && wrong.text("hostCode") == nil)
            let accepted = try await server.post(Self.path, body(#"Vertra\u0308ge.pdf"#, Self.digest.uppercased()))
            #expect(accepted.status == 200 && accepted.text("sessionStatus") == "accepted")
            #expect(accepted.json["riskResponseCode"] as? Int == 0 && accepted.text("requestID") == "s-1")
            #expect(accepted.text("hostCode") != nil && accepted.text("hostCode") == made.hostCode)
            let again = try await server.post(Self.path, body("Verträge.pdf", Self.digest))
            #expect(again.text("sessionStatus") == "failed" && again.text("declineReason") == nil)
            let administrator = try await server.post(
                Self.path, body("Verträge.pdf", Self.digest), key: server.administratorKey)
            #expect(administrator.text("declineReason") == "usedCode")
        }
    }

    @Test func `a seal over a text is taken with the text, and with its digest`() async throws {
        try await TestServer.run(time: time) { server in
            let alice = try await activate(server)
            for body in [#""text":"the contract""#, #""digest":"\#(Self.digest)""#] {
                let made = try await alice.seal(.text("the contract"))
                let answer = try await server.post(Self.path, #"{"seal":"\#(made.seal)",\#(body)}"#)
                #expect(answer.text("sessionStatus") == "accepted")
            }
        }
    }

    @Test func `a seal is not accepted as a signature, nor a signature as a seal`() async throws {
        try await TestServer.run(time: time) { server in
            let alice = try await activate(server)
            let seal = try await alice.seal(.text("1"), synchronizingWithin: nil)
            let signature = try await alice.sign([DataField(value: "1")], synchronizingWithin: nil)
            let transaction = try await server.post(
                "/v1/users/alice%40master/transactions/validate",
                #"""
                {"objectType":"TransactionInput","data":{"standard":{"dataFields":["1"],"signature":"\#(seal.seal)"}}}
                """#)
            #expect(transaction.text("sessionStatus") == "failed")
            let sealed = try await server.post(Self.path, #"{"seal":"\#(signature.signature)","text":"1"}"#)
            #expect(sealed.text("sessionStatus") == "failed")
        }
    }

    @Test(arguments: [
        (#"{"text":"1"}"#, "seal"), (#"{"seal":"","text":"1"}"#, "seal"), (#"{"seal":"1"}"#, "digest"),
        (#"{"seal":"123456789012345678901234567890123","text":"1"}"#, "seal"),
        (#"{"seal":"1","digest":"DIGEST","text":"1"}"#, "digest"), (#"{"seal":"1","name":"a","text":"1"}"#, "name"),
        (#"{"seal":"1","text":""}"#, "text"), (#"{"seal":"1","text":"a\nb"}"#, "text"),
        (#"{"seal":"1","text":"LONG"}"#, "text"), (#"{"seal":"1","digest":"00"}"#, "digest"),
        (#"{"seal":"1","digest":"zz"}"#, "digest"), (#"{"seal":"1","digest":"DIGEST00"}"#, "digest"),
        (#"{"seal":"1","digest":"DIGEST","name":""}"#, "name"),
        (#"{"seal":"1","digest":"DIGEST","name":"a\u202Eb"}"#, "name"),
        (#"{"seal":"1","digest":"DIGEST","name":"NAME"}"#, "name"),
    ])
    func `data outside its limits is a 400 that names the field`(body: String, field: String) async throws {
        try await TestServer.run(time: time) { server in
            let body = body.replacing("DIGEST", with: Self.digest).replacing(
                "LONG", with: String(repeating: "x", count: 4_097)
            )
            .replacing("NAME", with: String(repeating: "x", count: 256))
            let answer = try await server.post(Self.path, body)
            #expect(answer.status == 400 && answer.errorCode == -1001 && answer.fields == [field])
        }
    }

    @Test func `where the policy accepts no seals, every request is answered with the same error`() async throws {
        var configuration = PlatformConfiguration()
        configuration.policy.codes.seals = false
        try await TestServer.run(configuration, time: time) { server in
            for user in ["alice", "nobody"] {
                let answer = try await server.post("/v1/users/\(user)/seals/validate", #"{"seal":"1","text":"1"}"#)
                #expect(answer.status == 403 && answer.errorCode == -1701)
            }
        }
    }
}
