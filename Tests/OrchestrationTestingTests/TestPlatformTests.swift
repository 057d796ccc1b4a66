import Orchestration
import OrchestrationProtocol
import OrchestrationTesting
import Testing
import TrustedIdentity

@Suite struct TestPlatformTests {
    @Test func `a registered user outlives a restart of the platform`() async throws {
        let platform = try await TestPlatform(seed: 3)
        let code = try await platform.register("alice")
        #expect(code.count == 14)
        let before = platform.platform
        try await platform.restart()
        #expect(platform.platform !== before)
        let alice = try AccountName(text: "alice", defaultDomain: "master")
        #expect(try await platform.platform.activationStatus(of: alice, timeout: .zero) == .pending)
    }

    @Test func `the same seed makes the same codes and another one others`() async throws {
        let code = try await TestPlatform(seed: 3).register("alice")
        #expect(try await TestPlatform(seed: 3).register("alice") == code)
        #expect(try await TestPlatform(seed: 4).register("alice") != code)
    }

    @Test func `what the platform refuses to read is a transport error`() async throws {
        let platform = try await TestPlatform()
        let rubbish = try OrchestrationCommand(bytes: [0x80])
        let error = await #expect(throws: OrchestrationError.self) { try await platform.transport.send(rubbish) }
        #expect(error?.code == .transport)
        #expect(error?.underlying as? PlatformError == PlatformError(.undecodableCommand))
    }

    @Test(arguments: [PostQuantumPreference.off, .required])
    func `a device of the kit is activated and logged in`(
        postQuantum: PostQuantumPreference
    ) async throws {
        let life = try await life(postQuantum: postQuantum)
        #expect(life.commands.count == 4)
        #expect(life.decision.status == .accepted)
        #expect(life.decision.hostCode == life.code.hostCode)
    }

    /// HPKE and X-Wing draw from the system and from nowhere else, so what follows the exchange differs in its bytes.
    @Test func `the same seeds agree the same keys and make the same codes`() async throws {
        let (first, second) = (try await life(postQuantum: .off), try await life(postQuantum: .off))
        #expect(first.commands.prefix(2) == second.commands.prefix(2))
        #expect(first.code.oneTimePassword == second.code.oneTimePassword)
        #expect(first.code.hostCode == second.code.hostCode)
    }

    /// Registers and activates alice and logs her in, and keeps the commands that left.
    private func life(
        postQuantum: PostQuantumPreference
    ) async throws -> (decision: LoginDecision, code: OneTimePasswordResult, commands: [[UInt8]]) {
        let platform = try await TestPlatform(seed: 5)
        let device = try TestDevice(seed: 6, time: platform.time, postQuantum: postQuantum)
        let app = try await device.orchestrator(
            transport: platform.transport, user: ScriptedUser(password: "482915"))
        let activationPassword = try await platform.register("alice")
        var commands: [[UInt8]] = []
        for try await event in app.activate("alice", with: activationPassword) {
            if case .stepCompleted(let step) = event { commands.append(step.command.bytes) }
        }
        let code = try await app.user("alice").oneTimePassword()
        return (try await platform.login("alice", code: code.oneTimePassword), code, commands)
    }
}
