import Orchestration
import OrchestrationTesting
import Testing
import TrustedIdentity
import Wire

@Suite struct KitPlatformTests {
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
        #expect(error?.underlying is PlatformError)
    }
}
