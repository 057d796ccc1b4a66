import OrchestrationTesting
import Primitives
import TestSupport
import Testing
import TrustedIdentity

@testable import Orchestration

/// The next flow on a device that the platform has revoked.
@Suite struct RevokedDeviceTests {
    let stage: Stage

    init() async throws {
        stage = try await Stage()
        try await stage.activate()
        let report = try #require(try await stage.platform.platform.account(ActivationExchange.account))
        try await stage.platform.platform.revokeDevice(report.devices[0].id, of: ActivationExchange.account)
    }

    @Test func `a registration of notifications ends with the cause, and locks the user on this device`() async throws {
        stage.advance(seconds: 86_400)
        let error = try await #require(throws: OrchestrationError.self) {
            try await stage.orchestrator().registerNotifications(for: "alice").result()
        }
        #expect(error.code == .revoked && error.recovery == .activateAgain)
        #expect(error.userMessage() == "This device was revoked. Please activate it again.")
        #expect(try await stage.orchestrator().user("alice").state == .deleted)

        // The next flow sends nothing, and has the same cause.
        let sent = stage.wire.sent.count
        await #expect(throws: OrchestrationError(.revoked)) {
            try await stage.orchestrator().registerNotifications(for: "alice").result()
        }
        #expect(stage.wire.sent.count == sent)
    }

    @Test func `a one-time password ends with the cause, and the next one is not made`() async throws {
        stage.advance(seconds: 86_400)
        let words = try await story(stage.orchestrator().oneTimePassword(for: "alice"))
        #expect(words == ["code", "aborted: revoked"])
        await #expect(throws: OrchestrationError(.revoked)) {
            try await stage.orchestrator().oneTimePassword(for: "alice").result()
        }
    }

    @Test func `after 31 days the platform does not know the device, and nothing on the device changes`() async throws {
        stage.advance(seconds: 31 * 86_400)
        let error = try await #require(throws: OrchestrationError.self) {
            try await stage.orchestrator().registerNotifications(for: "alice").result()
        }
        #expect(error.code == .transport)
        #expect(try await stage.orchestrator().user("alice").state == .ready)
        let made = try await stage.orchestrator().user("alice").oneTimePassword()
        #expect(try await stage.platform.login("alice", code: made.oneTimePassword).status == .refused)
    }

    @Test(arguments: [true, false])
    func `the user of a revoked device is deleted without a warning`(isKnown: Bool) async throws {
        if isKnown { _ = try await story(stage.orchestrator().registerNotifications(for: "alice")) }
        let sent = stage.wire.sent.count
        #expect(try await stage.orchestrator().user("alice").delete().isEmpty)
        #expect(stage.wire.sent.count == sent + (isKnown ? 0 : 1), "no request is sent after the refusal")
        #expect(try await stage.store.names().isEmpty)
    }

    @Test func `a revoked device is activated again in place`() async throws {
        _ = try await story(stage.orchestrator().registerNotifications(for: "alice"))
        try await stage.activate()
        let made = try await stage.orchestrator().user("alice").oneTimePassword()
        #expect(try await stage.platform.login("alice", code: made.oneTimePassword).status == .accepted)
    }
}
