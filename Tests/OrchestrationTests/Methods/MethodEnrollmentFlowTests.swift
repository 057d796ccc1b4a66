import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// The enrollment of a method and its removal, from the provider to the platform.
@Suite struct MethodEnrollmentFlowTests {
    @Test func `an enrollment shows its steps, asks for the password, and ends with keys on both sides`() async throws {
        let scene = try await MethodScene(.face, protection: .provider, steps: 3)
        let words = try await scene.enroll()
        #expect(
            words == ["enrollment 1/3", "enrollment 2/3", "enrollment 3/3", "methodRegistration 1/1", "succeeded"])
        let record = try await scene.record()
        let device = try await scene.device()
        #expect(record.enrolledMethods.map(\.method) == [.face])
        #expect(device.enrolledMethods.map(\.key) == record.enrolledMethods.map(\.publicKey))
        #expect(device.enrolledMethods.map(\.protection) == [.provider])
        let app = try scene.app()
        let information = try await app.user("alice").information
        #expect(information.enrolledMethods == [.face])
        #expect(await app.enrollableMethods() == [.face])
        scene.keys.become(.unavailable)
        #expect(await app.enrollableMethods().isEmpty)
    }

    @Test func `a wrong password is asked for again, with the same key`() async throws {
        let scene = try await MethodScene()
        let user = ScriptedUser([.password(MethodScene.wrongPassword), .password(Stage.password)])
        let words = try await scene.enroll(user: user)
        #expect(
            words == [
                "rejected: \(InputRejection.wrongPassword(remainingTries: 4))", "methodRegistration 1/1",
                "warning: failedPasswords(1)", "succeeded",
            ])
        #expect(scene.keys.prompts.count == 1)
        #expect(user.prompts.map(\.purpose) == [.authenticate, .authenticate])
        #expect(user.prompts.map(\.text) == Array(repeating: PromptText.methodEnrollment.defaultText, count: 2))
    }

    @Test func `the last wrong password locks the device, and nothing is enrolled`() async throws {
        let scene = try await MethodScene()
        let words = try await scene.enroll(user: ScriptedUser(password: MethodScene.wrongPassword))
        #expect(words.last == "aborted: userLocked")
        let enrolled = try await scene.record().enrolledMethods
        #expect(enrolled.isEmpty)
    }

    @Test(arguments: 0..<3)
    func `an enrollment that is canceled at a step leaves nothing`(step: Int) async throws {
        let scene = try await MethodScene(.face, protection: .provider, steps: 2)
        for _ in 0..<step { scene.keys.willAnswer(.recognized) }
        scene.keys.willAnswer(.refused(.aborted))
        #expect(try await scene.enroll().last == "aborted: canceled")
        let (record, device) = (try await scene.record(), try await scene.device())
        #expect(record.enrolledMethods.isEmpty && device.enrolledMethods.isEmpty)
    }

    @Test func `a check that fails ends the enrollment, and so does a user who cancels the password`() async throws {
        let scene = try await MethodScene()
        scene.keys.willAnswer(.refused(.failed))
        #expect(try await scene.enroll() == ["aborted: methodFailed"])
        #expect(try await scene.enroll(user: ScriptedUser([.abort])) == ["aborted: canceled"])
        let device = try await scene.device()
        #expect(device.enrolledMethods.isEmpty)
    }

    @Test func `an enrollment without a provider, or with one that cannot ask, is an error`() async throws {
        let scene = try await MethodScene()
        let bare = try scene.stage.orchestrator()
        await #expect(throws: OrchestrationError(.providerUnavailable)) {
            try await bare.enroll(.biometric, for: "alice").result()
        }
        scene.keys.become(.notEnrolled)
        await #expect(throws: OrchestrationError(.providerUnavailable)) {
            try await scene.app().enroll(.biometric, for: "alice").result()
        }
        for method in [AuthenticationMethod.possession, .password] {
            await #expect(throws: OrchestrationError(.invalidConfiguration)) {
                try await scene.app().enroll(method, for: "alice").result()
            }
        }
    }

    @Test func `a provider that hangs does not keep a flow that is canceled`() async throws {
        let scene = try await MethodScene()
        scene.keys.willAnswer(.hangs)
        let flow = try scene.app().enroll(.biometric, for: "alice")
        let task = Task { try await flow.result() }
        while scene.keys.prompts.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `an answer that is lost is repeated, and an interrupted enrollment is replaced by the next`()
        async throws
    {
        let scene = try await MethodScene()
        scene.stage.wire.tamper { _ in throw OrchestrationError(.transport) }
        #expect(try await scene.enroll().last == "succeeded")
        let first = try await scene.record().enrolledMethods
        // The platform registers another key, and no answer arrives.
        let cut: @Sendable (OrchestrationCommand) async throws -> OrchestrationCommand = { _ in
            throw OrchestrationError(.transport)
        }
        scene.stage.wire.tamper(cut, cut, cut)
        await #expect(throws: OrchestrationError(.transport)) {
            try await scene.app().enroll(.biometric, for: "alice").result()
        }
        let kept = try await scene.record().enrolledMethods
        #expect(kept == first)
        // The platform knows the later key only, so that the device falls back, and enrolls again.
        let statement = try await scene.approve().statement
        #expect(statement?.verifiedMethod == .password && statement?.fallback == .notEnrolled)
        #expect(try await scene.enroll().last == "succeeded")
        #expect(try await scene.approve().statement?.verifiedMethod == .biometric)
    }

    @Test func `a removal deletes the keys first, and says when the platform was not informed`() async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        scene.stage.wire.cut(true)
        #expect(try await scene.remove() == ["warning: methodRemovalNotConfirmed", "succeeded"])
        var (record, device) = (try await scene.record(), try await scene.device())
        #expect(record.enrolledMethods.isEmpty && device.enrolledMethods.count == 1)
        scene.stage.wire.cut(false)
        #expect(try await scene.remove() == ["methodRemoval 1/1", "succeeded"])
        (record, device) = (try await scene.record(), try await scene.device())
        #expect(record.enrolledMethods.isEmpty && device.enrolledMethods.isEmpty)
    }

    @Test func `a user is deleted, with a warning, when a provider cannot delete the keys of a method`() async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        scene.keys.willAnswer(.deleteKeys, .refused(.unavailable))
        let app = try scene.app()
        let warnings = try await app.user("alice").delete()
        #expect(warnings.map(\.code) == [.methodKeysLeft])
        #expect(warnings.first?.cause?.code == .storeUnavailable)
        let stored = try await app.users.list()
        #expect(stored.isEmpty)
    }
}
