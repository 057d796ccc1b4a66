import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The application server that asks, from its API key to the receipt.
struct PrincipalTests {
    @Test func `equal requests of two application servers differ in the principal, on the device and in the receipt`()
        async throws
    {
        let harness = try await Harness()
        let phone = try await harness.activate()
        var seen: [ApprovalPrincipal] = []
        var stated: [ApprovalPrincipal] = []
        for name in ["Bank", "Shop"] {
            let key = try await harness.platform.createAPIKey(scope: .applicationServer, name: name)
            let caller = try #require(try await harness.platform.authenticate(apiKey: key.secret))
            harness.time.advance(seconds: 60)
            let report = try await harness.platform.requestApproval(
                ApprovalParameters(
                    .login, of: Harness.account(), sessionID: "s", requestID: "r",
                    principal: ApprovalPrincipal(id: caller.id, name: caller.name)))
            seen.append(try await phone.fetch(report, from: harness).content.principal)
            let receipt = try #require(try await phone.decide(.approved, on: report, with: harness).receipt)
            stated.append(try Receipt(receipt).verify(with: harness.platform.publishedKeys()).principal)
        }
        #expect(seen.map(\.name) == ["Bank", "Shop"])
        #expect(stated == seen)
        #expect(stated.first?.id != stated.last?.id)
    }

    @Test func `code that embeds the platform and names no principal has the name of the tenant`() async throws {
        let harness = try await Harness()
        let phone = try await harness.activate()
        let report = try await harness.requestLogin()
        let principal = try await phone.fetch(report, from: harness).content.principal
        #expect(principal.id.isEmpty && principal.name == phone.address.tenant)
    }
}
