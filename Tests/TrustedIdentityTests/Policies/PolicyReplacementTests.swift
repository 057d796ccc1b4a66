import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// A policy that takes the place of another one while the platform runs.
@Suite struct PolicyReplacementTests {
    private static let hash = [UInt8](repeating: 0xA1, count: 32)

    private func policy(_ change: (inout Policy) throws -> Void) rethrows -> Policy {
        var policy = Policy.default
        try change(&policy)
        return policy
    }

    @Test func `typed codes, passwords and approvals are decided by the new policy, for every caller`() async throws {
        let harness = try await Harness()
        let caller = harness.platform.acting(for: AuditOrigin(actor: .stranger))
        let device = try await harness.activate()
        _ = try await harness.register("bob@master", staticPassword: "correct horse")
        let refusing = try required(PolicyRules([required(PolicyRule("none", then: .refuse))]))
        try await harness.platform.replacePolicy(
            with: policy {
                $0.codes.applications = [.app2]
                $0.codes.staticPasswords = false
                $0.logins = refusing
            }, hash: Self.hash)
        #expect(try await harness.login(device.code(at: harness.time.now())).reason == .applicationNotAllowed)
        for platform in [harness.platform, caller] {
            let login = LoginRequest(
                account: try Harness.account("bob@master"), credential: .staticPassword("correct horse"))
            #expect(try await platform.login(login).reason == .methodNotAllowed)
            let report = try await platform.requestApproval(ApprovalParameters(.login, of: Harness.account()))
            #expect(report.declineReason == .policy)
        }
        #expect(try await harness.restarted().platform.policy == .default, "an opened platform has its own policy")
    }

    @Test func `the audit log has the hash, and an entry that cannot be written keeps the earlier policy`() async throws
    {
        let harness = try await Harness()
        let store = FaultInjectingDatabase(harness.store)
        let platform = try await harness.platform(on: store)
        let other = policy { $0.codes.hostCodes = false }
        store.interrupt { _ in throw StoreError(.full) }
        await #expect(throws: PlatformError.self) { try await platform.replacePolicy(with: other, hash: Self.hash) }
        #expect(platform.policy == .default)
        #expect(try await harness.events(.policyReplaced).isEmpty)
        let error = await #expect(throws: PlatformError.self) {
            try await platform.replacePolicy(with: other, hash: Self.hash + [0])
        }
        #expect(error?.code == .malformedRequest && platform.policy == .default)
        try await platform.replacePolicy(with: other, hash: Self.hash)
        #expect(platform.policy == other)
        #expect(
            try await harness.events(.policyReplaced).map(\.reason) == [String(repeating: "a1", count: 32)])
    }
}
