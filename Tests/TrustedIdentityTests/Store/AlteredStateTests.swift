import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The row about the platform, which says what is suspended, changed or removed without the master key.
struct AlteredStateTests {
    static let edits: [(name: String, edit: @Sendable (inout PlatformStateRecord) -> Void)] = [
        ("created_at", { $0.createdAt = $0.createdAt.advanced(milliseconds: 1) }),
        ("restored_at", { $0.restoredAt = nil }),
        ("epoch", { $0.epoch = 0 }),
        ("restored_sequence", { $0.restoredSequence += 1 }),
        ("suspended_below", { $0.suspendedBelow = 0 }),
        ("suspended_below_before", { $0.suspendedBelowBefore = 1 }),
        ("audit_size", { $0.auditSize += 1 }),
        ("version", { $0.version += 1 }),
    ]

    func prepared() async throws -> (Harness, Authenticator, NewAPIKey) {
        let harness = try await Harness()
        let device = try await harness.activate()
        let key = try await harness.platform.createAPIKey(scope: .administrator, name: "ops")
        try await harness.platform.markRestored(revocations: .unknown)
        harness.time.advance(milliseconds: 1)
        return (harness, device, key)
    }

    @Test(arguments: edits.indices) func `an edit is detected at the next use and at the next start`(index: Int)
        async throws
    {
        let (harness, device, key) = try await prepared()
        try await harness.store.write { store in
            var state = try #require(try store.platformState())
            Self.edits[index].edit(&state)
            try store.alter(state)
        }
        let platform = harness.platform
        await #expect(throws: PlatformError(.alteredRow)) { _ = try await platform.authenticate(apiKey: key.secret) }
        await #expect(throws: PlatformError(.alteredRow)) { _ = try await harness.login("00000000") }
        let sent = try await device.seal(SuspensionTests.sync, to: harness)
        await #expect(throws: PlatformError(.alteredRow)) { _ = try await platform.execute(sent.command) }
        await #expect(throws: PlatformError(.alteredRow)) { try await platform.markRestored(revocations: .unknown) }
        await #expect(throws: PlatformError(.alteredRow)) { _ = try await harness.restarted() }
    }

    @Test func `another tenant in the row is found first`() async throws {
        let (harness, _, _) = try await prepared()
        try await harness.store.write { store in
            var state = try #require(try store.platformState())
            state.tenant = "other"
            try store.alter(state)
        }
        await #expect(throws: PlatformError(.wrongTenant)) { _ = try await harness.restarted() }
    }
}
