import OrchestrationTesting
import Testing
import TrustedIdentity

@testable import Orchestration

/// Every call that names a user takes a domain, which precedes the default one.
@Suite struct FlowDomainTests {
    private let stage: Stage
    private let orchestrator: Orchestrator

    /// Activates alice in the domain `shop`.
    init() async throws {
        stage = try await Stage()
        orchestrator = try stage.orchestrator(user: ScriptedUser(password: Stage.password))
        let activationPassword = try await stage.platform.register("alice@shop")
        let user = try await orchestrator.activation(
            for: .init(user: "alice", domain: "shop", activationPassword: activationPassword))
        #expect(user.account.text == "alice@shop")
    }

    @Test func `an activation takes the domain of the call before the default`() async throws {
        #expect(try await orchestrator.users.list().map(\.account?.text) == ["alice@shop"])
        await #expect(throws: OrchestrationError(.alreadyActivated)) {
            try await orchestrator.activation(for: .init(resuming: "alice", domain: "SHOP"))
        }
        await #expect(throws: OrchestrationError(.userUnknown)) {
            try await orchestrator.activation(for: .init(resuming: "alice"))
        }
        await #expect(throws: OrchestrationError(.invalidUser)) {
            try await orchestrator.activation(for: .init(resuming: "alice", domain: "a b"))
        }
    }

    @Test func `a registration of notifications takes the domain of the call before the default`() async throws {
        let user = try await orchestrator.notificationRegistration(for: .init(user: "alice", domain: "shop"))
        #expect(user.account.text == "alice@shop")
        await #expect(throws: OrchestrationError(.notActivated)) {
            try await orchestrator.notificationRegistration(for: .init(user: "alice"))
        }
    }

    @Test func `a one-time password takes the domain of the call before the default`() async throws {
        let code = try await orchestrator.oneTimePassword(for: .init(user: "alice", domain: "shop"))
        let decision = try await stage.platform.login("alice@shop", code: code.oneTimePassword)
        #expect(decision.status == .accepted)
        await #expect(throws: OrchestrationError(.notActivated)) {
            try await orchestrator.oneTimePassword(for: .init(user: "alice"))
        }
    }

    @Test func `the methods of users take the domain of the call before the default`() async throws {
        let users = orchestrator.users
        #expect(try await users.isActivated("alice", domain: "shop"))
        #expect(try await !users.isActivated("alice"))
        #expect(try await users.information("alice", domain: "shop").account.text == "alice@shop")
        await #expect(throws: OrchestrationError(.userUnknown)) { try await users.information("alice") }
        await #expect(throws: OrchestrationError(.userUnknown)) { try await users.delete("alice") }
        #expect(try await users.delete("alice", domain: "shop").isEmpty)
        #expect(try await users.list().isEmpty)
    }
}
