import Foundation
import Hummingbird
import Orchestration
import OrchestrationHTTP
import OrchestrationTesting
import TestSupport
import Testing
import TrustedIdentity

@Suite struct EndToEndTests {
    static let password = "482915"
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [PostQuantumPreference.off, .required])
    func `a device is activated and a login accepted over HTTP`(postQuantum: PostQuantumPreference) async throws {
        let device = try orchestrators(postQuantum: postQuantum)
        try await LivePlatform.running(in: folder) { live in
            let app = try await device(HTTPTransport(endpoint: live.address, timeout: .milliseconds(300_000)))
            let code = try await live.register("alice")
            #expect(try await live.activationStatus(of: "alice") == "pending")
            #expect(try await live.authenticators(of: "alice") == [])
            let user = try await app.user("alice").activate(with: code)
            #expect(user.isPostQuantum == (postQuantum == .required))
            #expect(try await live.activationStatus(of: "alice") == "activated")
            let authenticators = try await live.authenticators(of: "alice")
            #expect(user.serialNumbers == authenticators.flatMap { ["\($0)-1", "\($0)-2"] })

            let made = try await app.user("alice").oneTimePassword()
            let login = try await live.logIn("alice", code: made.oneTimePassword)
            #expect(login.status == "accepted")
            #expect(login.hostCode != nil && login.hostCode == made.hostCode)
            let again = try await live.logIn("alice", code: made.oneTimePassword)
            #expect(again.status == "failed")
            #expect(again.hostCode == nil)

            let site = AuditActor.apiKey(String(live.apiKey.prefix { $0 != "." }))
            let entries = try await live.platform.audit(limit: 100)
            func actor(of event: AuditEvent) -> AuditActor? { entries.first { $0.event == event }?.actor }
            let device = try #require(entries.first { $0.event == .activationCompleted }?.device)
            #expect(actor(of: .registered) == site && actor(of: .loginAccepted) == site)
            #expect(actor(of: .loginRefused) == site && actor(of: .activationTried) == .stranger)
            #expect(
                actor(of: .activationKeyed) == .device(device) && actor(of: .activationCompleted) == .device(device))
            // The first entry is the creation of the API key, in this process.
            #expect(entries.dropLast().allSatisfy { $0.address == "127.0.0.1" && $0.correlationID?.count == 32 })
        }
    }

    @Test func `the platform may restart between any two commands`() async throws {
        let app = try await orchestrators()(FreshPlatformTransport(folder: folder))
        try await activate(app)
        let made = try await app.user("alice").oneTimePassword()
        let status = try await LivePlatform.running(in: folder) { live in
            try await live.logIn("alice", code: made.oneTimePassword).status
        }
        #expect(status == "accepted")
    }

    @Test(arguments: 0..<4)
    func `the platform may restart between a command and its repetition`(step: Int) async throws {
        let plan = FaultPlan(script: Array(repeating: .noFault, count: step) + [.loseAnswer])
        let transport = FaultInjectingTransport(FreshPlatformTransport(folder: folder), plan: plan)
        try await activate(try await orchestrators()(transport))
        #expect(transport.log.count == 5)
    }

    @Test func `a code is made while the platform is down, with a warning`() async throws {
        let device = try orchestrators()
        try await activate(try await device(FreshPlatformTransport(folder: folder)))
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        var warnings: [Warning.Code] = []
        var code: String?
        let app = try await device(HTTPTransport(endpoint: url, timeout: .milliseconds(300_000)))
        for try await event in app.oneTimePassword(for: "alice") {
            if case .warning(let warning) = event { warnings.append(warning.code) }
            if case .succeeded(.oneTimePasswordMade(let made)) = event { code = made.oneTimePassword }
        }
        #expect(code?.count == 8)
        #expect(warnings == [.notSynchronized])
    }

    @Test(arguments: [
        (HTTPResponse.Status.internalServerError, #"{"errorCode":-1000}"#), (.ok, "rubbish"), (.ok, "{}"),
        (.ok, #"{"command":"gA"}"#), (.ok, #"{"command":""# + String(repeating: "A", count: 100_000) + #""}"#),
    ])
    func `an activation against a broken platform fails and leaves nothing`(
        status: HTTPResponse.Status, body: String
    ) async throws {
        let code = try await LivePlatform.running(in: folder) { try await $0.register("alice") }
        let device = try orchestrators()
        try await RogueServer.serving { _ in
            RogueServer.answer(status, body)
        } _: { url in
            let app = try await device(HTTPTransport(endpoint: url, timeout: .milliseconds(300_000)))
            let error = await #expect(throws: OrchestrationError.self) {
                try await app.activate("alice", with: code).result()
            }
            #expect([.transport, .invalidAnswer].contains(error?.code))
            #expect(try await app.users.list().isEmpty)
        }
        // No try of the activation password was lost.
        let app = try await device(FreshPlatformTransport(folder: folder))
        _ = try await app.activate("alice", with: code).result()
    }

    @Test func `an activation while the platform is down or slow fails with a transport error`() async throws {
        let device = try orchestrators()
        let down = try #require(URL(string: "http://127.0.0.1:1"))
        let code = try await LivePlatform.running(in: folder) { try await $0.register("alice") }
        let failing = try await device(HTTPTransport(endpoint: down))
        await #expect(throws: OrchestrationError(.transport)) {
            try await failing.activate("alice", with: code).result()
        }
        try await RogueServer.serving { _ in
            try await Task.sleep(for: .seconds(60))
            return RogueServer.answer(.ok, "")
        } _: { url in
            let slow = try await device(HTTPTransport(endpoint: url, timeout: .milliseconds(100)))
            await #expect(throws: OrchestrationError(.transport)) {
                try await slow.activate("alice", with: code).result()
            }
        }
    }

    /// Registers and activates alice.
    private func activate(_ app: Orchestrator) async throws {
        let code = try await LivePlatform.running(in: folder) { try await $0.register("alice") }
        _ = try await app.activate("alice", with: code).result()
    }

    /// Returns a function that creates the orchestrator of one device, for a transport.
    private func orchestrators(
        postQuantum: PostQuantumPreference = .preferred
    ) throws -> @Sendable (any Transport) async throws -> Orchestrator {
        let store = try FileStore(directory: folder.file("store"))
        let configuration = try Configuration.testing(postQuantum: postQuantum)
        return { transport in
            try await Orchestrator(
                configuration: configuration, transport: transport, providers: [ScriptedUser(password: Self.password)],
                store: store)
        }
    }
}
