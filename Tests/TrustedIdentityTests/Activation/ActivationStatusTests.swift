import OrchestrationTesting
import Primitives
import SecureChannel
import Testing

@testable import TrustedIdentity

struct ActivationStatusTests {
    @Test func `a long poll is woken by the activation`() async throws {
        let harness = try await Harness()
        let device = try await Authenticator.exchangeKeys(code: harness.register(), with: harness)
        async let status = harness.status(seconds: 60)
        await harness.time.sleepers(1)
        try await device.complete(with: harness)
        #expect(try await status == .activated)
    }

    @Test func `a long poll ends at its time, and with the activation password`() async throws {
        let harness = try await Harness()
        _ = try await harness.register()
        async let first = harness.status(seconds: 30)
        await harness.time.sleepers(1)
        harness.time.advance(milliseconds: 30_000)
        #expect(try await first == .timeout)
        harness.time.advance(milliseconds: 500_000)
        async let second = harness.status(seconds: 300)
        await harness.time.sleepers(1)
        harness.time.advance(milliseconds: 70_000)
        #expect(try await second == .timeout)
    }

    @Test func `what is not pending is answered at once`() async throws {
        let harness = try await Harness()
        #expect(try await harness.status("nobody@master", seconds: 60) == .unknown)
        _ = try await harness.activate()
        #expect(try await harness.status(seconds: 60) == .activated)
    }

    @Test func `a canceled poll ends`() async throws {
        let harness = try await Harness()
        _ = try await harness.register()
        let poll = Task { try await harness.status(seconds: 60) }
        await harness.time.sleepers(1)
        poll.cancel()
        await #expect(throws: CancellationError.self) { try await poll.value }
    }
}
