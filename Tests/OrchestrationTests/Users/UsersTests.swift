import OrchestrationTesting
import Testing
import TrustedIdentity

@testable import Orchestration

@Suite struct UsersTests {
    @Test func `nobody is known before an activation`() async throws {
        let users = try await Stage().orchestrator().users
        #expect(try await users.list().isEmpty)
        #expect(try await !users.isActivated("alice"))
        await #expect(throws: OrchestrationError(.userUnknown)) { try await users.information("alice") }
        await #expect(throws: OrchestrationError(.userUnknown)) { try await users.delete("alice") }
        await #expect(throws: OrchestrationError(.invalidUser)) { try await users.isActivated("a@b@c") }
    }

    @Test func `the domain of a call goes before the default`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let users = try stage.orchestrator().users
        #expect(try await users.isActivated("alice"))
        #expect(try await users.isActivated("alice@master"))
        #expect(try await users.isActivated("alice", domain: "MASTER"))
        #expect(try await !users.isActivated("alice", domain: "shop"))
        #expect(try await !users.isActivated("alice@shop"))
    }

    @Test func `the information says what the platform issued and holds no secret`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let information = try await stage.orchestrator().users.information("alice")
        #expect(information.account.text == "alice@master")
        #expect(information.passwordPolicy == .default)
        #expect(information.applications.map(\.kind) == [.timeBased, .counterBased, .challenge, .signature])
        #expect(information.deviceID.count == 32)
    }

    @Test func `deleting tells the platform, which forgets the device`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let users = try stage.orchestrator().users
        #expect(try await users.delete("alice").isEmpty)
        #expect(try await users.list().isEmpty)
        #expect(try await stage.store.names().isEmpty)
        let report = try await stage.platform.platform.account(ActivationExchange.account)
        #expect(report?.devices.allSatisfy { $0.state == .revoked } != false)
    }

    @Test func `deleting without a network works here and warns`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        stage.wire.cut(true)
        let users = try stage.orchestrator().users
        #expect(try await users.delete("alice") == [Warning(.platformNotInformed)])
        #expect(try await stage.store.names().isEmpty)
    }

    @Test func `damaged data of a user can be deleted`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let name = try #require(try await stage.store.names().first)
        try await stage.store.update(name) { _ in (.replace([1, 2, 3]), ()) }
        let users = try stage.orchestrator().users
        await #expect(throws: OrchestrationError(.storeCorrupt)) { try await users.information("alice") }
        #expect(try await users.delete("alice") == [Warning(.platformNotInformed)])
        #expect(try await stage.store.names().isEmpty)
        try await stage.activate()
        #expect(try await users.isActivated("alice"))
    }
}
