import OneTimePassword
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The statements of logins and challenges.
@Suite struct LoginCostTests {
    @Test func `an accepted login of an account with one device runs 11 statements`() async throws {
        let site = try await CountedPlatform()
        for _ in 0..<2 {
            site.time.advance(milliseconds: 30_000)
            let code = try TOTP(key: site.key(application: 1), digits: 8).code(at: site.time.now()).digits
            let statements = try await site.statements {
                let decision = try await site.platform.login(
                    .init(account: Harness.account(), credential: .oneTimePassword(code)))
                #expect(decision.status == .accepted)
            }
            // Reads of the account, the platform, the counts of failures, the risk, the devices and the counters; then
            // the platform, the counts, the device, the counter and the log.
            #expect(statements.count == 11, "\(statements)")
        }
        try await site.store.close()
    }

    @Test func `a challenge of an unknown user costs the same statements`() async throws {
        let site = try await CountedPlatform()
        func statements(_ user: String) async throws -> [String] {
            try await site.statements { _ = try await site.platform.generateChallenge(for: Harness.account(user)) }
        }
        let known = try await statements(Harness.alice)
        let unknown = try await statements("nobody@master")
        // The oldest challenges, and the new one.
        #expect(known.count == 2 && unknown == known, "\(known) \(unknown)")
        try await site.store.close()
    }
}
