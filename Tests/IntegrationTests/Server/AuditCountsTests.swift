import Foundation
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import TrustedIdentityServer

/// The counts of refused logins, as an administrator sees them.
@Suite struct AuditCountsTests {
    @Test func `an administrator sees counts of refused logins`() async throws {
        let time = ManualTimeSource(at: Timestamp(secondsSinceEpoch: 1_800_000_000))
        try await TestServer.run(time: time) { server in
            let body = #"{"objectType":"LoginInput","credentials":{"authenticator":{"OTP":"00000000"}}}"#
            for _ in 0..<AuditListing.limit + 3 {
                #expect(try await server.post("/v1/users/nobody/login", body).status == 200)
            }
            let counts: [AuditTally] = try await AdministrationClient(
                AdministrationRoutes(
                    base: Handlers(
                        platform: server.platform, configuration: ServerConfiguration(), random: SystemRandomSource(),
                        time: time))
            ).send(.get, "v1/audit/counts")
            #expect(counts.map(\.count).reduce(0, +) == AuditListing.limit + 3)
            #expect(counts.allSatisfy { $0.event == "login.refused" && $0.hour.rfc3339 == "2027-01-15T08:00:00.000Z" })
        }
    }
}
