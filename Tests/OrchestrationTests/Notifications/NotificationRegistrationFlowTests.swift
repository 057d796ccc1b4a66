import OrchestrationTesting
import Testing
import TrustedIdentity

@testable import Orchestration

@Suite struct NotificationRegistrationFlowTests {
    @Test func `an activation registers the pull channel and finishes the account`() async throws {
        let stage = try await Stage()
        let information = try await stage.activate()
        let account = try await stage.platform.platform.account(ActivationExchange.account)
        #expect(account?.devices.map(\.state) == [.active])
        #expect(information.notificationIdentifier == "pull:" + information.deviceID)
    }

    @Test func `an activation may leave the channel to a later call, and nothing is announced until then`()
        async throws
    {
        let stage = try await Stage()
        let orchestrator = try stage.orchestrator()
        let code = try await stage.platform.register("alice")
        let words = try await story(orchestrator.activate("alice", with: code, registersNotifications: false))
        #expect(words.suffix(2) == ["warning: notificationsPending", "succeeded"])
        let information = try await orchestrator.user("alice").information
        #expect(information.notificationIdentifier == nil)
        let before = try await stage.platform.platform.account(ActivationExchange.account)
        #expect(before?.devices.map(\.state) == [.pendingNotification])
        _ = try await stage.platform.requestLogin("alice")
        #expect(try await orchestrator.user("alice").pendingApprovals().map(\.isAnnounced) == [false])
        #expect(
            try await story(orchestrator.registerNotifications(for: "alice"))
                == ["notificationRegistration 1/1", "succeeded"])
        let after = try await stage.platform.platform.account(ActivationExchange.account)
        #expect(after?.devices.map(\.state) == [.active])
        let identifier = try await orchestrator.user("alice").information.notificationIdentifier
        #expect(identifier == "pull:" + information.deviceID)
        _ = try await stage.platform.requestLogin("alice")
        #expect(try await orchestrator.user("alice").pendingApprovals().last?.isAnnounced == true)
    }

    @Test func `an identifier of a push service replaces the one before`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let orchestrator = try stage.orchestrator()
        for identifier in ["token-1", "token-2"] {
            let user = try await orchestrator.user("alice").registerNotifications(identifier: .push(identifier))
            #expect(user.notificationIdentifier == identifier)
        }
    }

    @Test(arguments: ["", String(repeating: "x", count: 1_025), "a\u{0}", "a\nb", "a\u{202E}b"])
    func `an impossible identifier never leaves the device`(identifier: String) async throws {
        let stage = try await Stage()
        try await stage.activate()
        let sent = stage.wire.sent.count
        await #expect(throws: OrchestrationError(.invalidArgument)) {
            try await stage.orchestrator().registerNotifications(for: "alice", identifier: .push(identifier)).result()
        }
        #expect(stage.wire.sent.count == sent)
    }

    @Test func `an unknown user, a broken network and a lost answer`() async throws {
        let stage = try await Stage()
        await #expect(throws: OrchestrationError(.notActivated)) {
            try await stage.orchestrator().registerNotifications(for: "alice").result()
        }
        try await stage.activate()
        stage.wire.tamper({ _ in throw OrchestrationError(.transport) })
        _ = try await stage.orchestrator().registerNotifications(for: "alice").result()
        stage.wire.cut(true)
        await #expect(throws: OrchestrationError(.transport)) {
            try await stage.orchestrator().registerNotifications(for: "alice").result()
        }
    }
}
