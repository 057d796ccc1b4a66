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
        let user = try await orchestrator.user("alice", domain: "shop").activate(with: activationPassword)
        #expect(user.account.text == "alice@shop")
    }

    @Test func `an activation takes the domain of the call before the default`() async throws {
        #expect(try await orchestrator.users.list().map(\.account?.text) == ["alice@shop"])
        await #expect(throws: OrchestrationError(.alreadyActivated)) {
            try await orchestrator.user("alice", domain: "SHOP").resumeActivation()
        }
        await #expect(throws: OrchestrationError(.userUnknown)) {
            try await orchestrator.user("alice").resumeActivation()
        }
        await #expect(throws: OrchestrationError(.invalidUser)) {
            try await orchestrator.user("alice", domain: "a b").resumeActivation()
        }
    }

    @Test func `a registration of notifications takes the domain of the call before the default`() async throws {
        let user = try await orchestrator.user("alice", domain: "shop").registerNotifications()
        #expect(user.account.text == "alice@shop")
        await #expect(throws: OrchestrationError(.notActivated)) {
            try await orchestrator.user("alice").registerNotifications()
        }
    }

    @Test func `a one-time password takes the domain of the call before the default`() async throws {
        let code = try await orchestrator.user("alice", domain: "shop").oneTimePassword()
        let decision = try await stage.platform.login("alice@shop", code: code.oneTimePassword)
        #expect(decision.status == .accepted)
        await #expect(throws: OrchestrationError(.notActivated)) {
            try await orchestrator.user("alice").oneTimePassword()
        }
    }

    @Test func `the methods of users take the domain of the call before the default`() async throws {
        let app = orchestrator
        #expect(try await app.user("alice", domain: "shop").isActivated)
        #expect(try await !app.user("alice").isActivated)
        #expect(try await app.user("alice", domain: "shop").information.account.text == "alice@shop")
        await #expect(throws: OrchestrationError(.userUnknown)) { try await app.user("alice").information }
        await #expect(throws: OrchestrationError(.userUnknown)) { try await app.user("alice").delete() }
        #expect(try await app.user("alice", domain: "shop").delete().isEmpty)
        #expect(try await app.users.list().isEmpty)
    }
}
