import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// The calls of a user's handle: each is the flow of the same name, with its value.
@Suite struct UserHandleTests {
    @Test func `each verb is one call with a typed value`() async throws {
        let stage = try await Stage()
        let finger = ScriptedMethodKeys(.biometric)
        let app = try stage.orchestrator(providers: [ScriptedUser(password: Stage.password), finger])
        let alice = app.user("alice")
        #expect(try await !alice.isActivated)
        let activated = try await alice.activate(with: try await stage.platform.register("alice"))
        #expect(activated.account.text == "alice@master" && activated.state == .ready)
        #expect(try await alice.isActivated)
        #expect(try await alice.registerNotifications().notificationIdentifier?.hasPrefix("pull:") == true)
        #expect(
            try await alice.registerNotifications(identifier: .push("apns:token")).notificationIdentifier
                == "apns:token")
        #expect(try await alice.enroll(.biometric).enrolledMethods == [.biometric])
        let code = try await alice.oneTimePassword()
        #expect(try await stage.platform.login("alice", code: code.oneTimePassword).status == .accepted)
        let fields = [DataField(label: "Amount", value: "10 EUR")]
        let signature = try await alice.sign(fields)
        let decision = try await stage.platform.validate("alice", fields: fields, signature: signature.signature)
        #expect(decision.status == .accepted)
        #expect(try await alice.remove(.biometric).enrolledMethods.isEmpty)
        let pending = try await alice.pendingApprovals()
        #expect(pending.isEmpty)
        #expect(try await alice.delete().isEmpty)
        #expect(try await !alice.isActivated)
    }

    @Test func `a call drops what the stream reports, and throws its other ends`() async throws {
        let stage = try await Stage()
        try await stage.activate()
        let canceling = try stage.orchestrator(user: ScriptedUser([.abort])).user("alice")
        let error = await #expect(throws: OrchestrationError.self) { try await canceling.changePassword() }
        #expect(error?.code == .canceled)
        await #expect(throws: OrchestrationError(.invalidUser)) {
            try await stage.orchestrator().user("a/b").oneTimePassword()
        }
        await #expect(throws: OrchestrationError(.userUnknown)) {
            try await stage.orchestrator().user("bob").resumeActivation()
        }
    }

    @Test func `a handle asks for its own user alone`() async throws {
        let scene = try await ApprovalScene()
        let report = try await scene.platform.requestLogin("alice")
        let bob = try scene.app().user("bob")
        await #expect(throws: OrchestrationError(.notActivated)) {
            try await bob.execute(try #require(report.pointer))
        }
        guard case .approvalRequest(let request) = try await scene.app().user("alice").execute(#require(report.pointer))
        else {
            Issue.record("no request")
            return
        }
        #expect(request.account.text == "alice@master")
    }

    @Test func `a command may be bytes, base64url, hexadecimal digits or the text of a QR code`() async throws {
        let scene = try await ApprovalScene()
        let pointer = try #require(try await scene.platform.requestLogin("alice").pointer)
        let app = try scene.app()
        let flows = [
            app.execute(pointer), app.execute(pointer.bytes), app.execute(" \(pointer.text)\n"),
            app.execute(Hex.encode(pointer.bytes)), app.execute("\(pointer.qrText)\r\n"),
        ]
        for flow in flows {
            let words = try await story(flow) { _ in }
            #expect(words.dropLast() == ["approval 1/2", "approval: login"])
        }
        for flow in [app.execute(""), app.execute("no command"), app.execute([UInt8]()), app.execute([0x81])] {
            await #expect(throws: OrchestrationError(.commandUnknown)) { try await flow.result() }
        }
        await #expect(throws: OrchestrationError(.commandUnknown)) { try await app.user("alice").execute("x") }
        await #expect(throws: OrchestrationError(.commandUnknown)) { try await app.user("alice").execute([1]) }
    }

    @Test func `a pointer of another tenant opens nothing for a user either`() async throws {
        let stage = try await ApprovalStage()
        let other = ApprovalPointer(tenant: "other", id: [UInt8](repeating: 1, count: 16)).command
        let sent = stage.wire.sent.count
        let error = await #expect(throws: OrchestrationError.self) {
            try await stage.orchestrator().user("alice").execute(other)
        }
        #expect(error?.code == .approvalUnknown && stage.wire.sent.count == sent)
    }
}
