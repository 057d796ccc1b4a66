import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// The removal of a method on all devices, from the question for the password to what the other device does.
@Suite struct MethodRemovalEverywhereTests {
    /// Two devices of a user, which have enrolled a method.
    private struct Scene {
        let phone: MethodScene
        private let store = MemoryStore()
        private let deviceKeys = DeterministicDeviceKeys(seed: 6)
        private let keys = ScriptedMethodKeys(.biometric)

        init() async throws {
            phone = try await MethodScene()
            try await phone.enroll()
            let code = try await phone.stage.platform.register("alice")
            let tablet = try tablet()
            try await tablet.user("alice").activate(with: code)
            try await tablet.user("alice").enroll(.biometric)
        }

        func tablet() throws -> Orchestrator {
            try phone.stage.orchestrator(providers: [phone.stage.user, keys], store: store, keys: deviceKeys)
        }

        func tabletRecord() async throws -> UserRecord {
            try #require(try await tablet().environment.vault.record(phone.account))
        }

        func removeEverywhere(user: ScriptedUser? = nil) async throws -> [String] {
            try await story(phone.app(user: user).remove(.biometric, of: "alice", everywhere: true))
        }

        /// The methods that the platform has registered, for all devices.
        func registered() async throws -> [AuthenticationMethod] {
            let name = phone.account.text
            let devices = try await phone.stage.platform.store.read { try $0.devices(of: name) }
            return devices.flatMap(\.enrolledMethods).map(\.method)
        }
    }

    @Test func `a removal on all devices asks for the password, and the other device falls back to it`() async throws {
        let scene = try await Scene()
        let user = ScriptedUser([.password(MethodScene.wrongPassword), .password(Stage.password)])
        let words = try await scene.removeEverywhere(user: user)
        #expect(
            words == [
                "rejected: \(InputRejection.wrongPassword(remainingTries: 4))", "methodRemoval 1/1",
                "warning: failedPasswords(1)", "succeeded",
            ])
        #expect(user.prompts.map(\.text) == Array(repeating: PromptText.methodRemoval.defaultText, count: 2))
        let (record, registered) = (try await scene.phone.record(), try await scene.registered())
        #expect(record.enrolledMethods.isEmpty && registered.isEmpty)
        // The other device has its keys until it asks the platform.
        var tablet = try await scene.tabletRecord()
        #expect(tablet.enrolledMethods.map(\.method) == [.biometric])
        let report = try await scene.phone.stage.platform.requestLogin("alice")
        let run = try await ApprovalRun(scene.tablet().execute(#require(report.pointer))) { try await $0.approve() }
        #expect(
            run.words == [
                "approval 1/2", "approval: login", "warning: fellBackToPassword", "approval 2/2", "succeeded",
            ])
        let statement = try #require(run.answered?.statement)
        #expect(statement.verifiedMethod == .password && statement.fallback == .notEnrolled)
        tablet = try await scene.tabletRecord()
        #expect(tablet.enrolledMethods.isEmpty)
    }

    @Test func `the other device learns of the removal when it synchronizes, and enrolls again`() async throws {
        let scene = try await Scene()
        let user = try await scene.phone.app().user("alice").remove(.biometric, everywhere: true)
        #expect(user.enrolledMethods.isEmpty)
        let session = ChannelSession(account: scene.phone.account, orchestrator: try scene.tablet())
        _ = try await session.synchronize()
        let tablet = try await scene.tabletRecord()
        #expect(tablet.enrolledMethods.isEmpty)
        try await scene.tablet().user("alice").enroll(.biometric)
        let registered = try await scene.registered()
        #expect(registered == [.biometric])
    }

    @Test func `a user who cancels the password removes nothing, and neither does a device without a network`()
        async throws
    {
        let scene = try await Scene()
        #expect(try await scene.removeEverywhere(user: ScriptedUser([.abort])) == ["aborted: canceled"])
        scene.phone.stage.wire.cut(true)
        await #expect(throws: OrchestrationError(.transport)) { _ = try await scene.removeEverywhere() }
        scene.phone.stage.wire.cut(false)
        let (record, registered) = (try await scene.phone.record(), try await scene.registered())
        #expect(record.enrolledMethods.count == 1 && registered.count == 2)
        #expect(try await scene.phone.approve().statement?.verifiedMethod == .biometric)
    }

    @Test func `a removal whose answer is lost has ended the method, and the device learns it at its next answer`()
        async throws
    {
        let scene = try await Scene()
        let cut: @Sendable (OrchestrationCommand) async throws -> OrchestrationCommand = { _ in
            throw OrchestrationError(.transport)
        }
        scene.phone.stage.wire.tamper(cut, cut, cut)
        await #expect(throws: OrchestrationError(.transport)) { _ = try await scene.removeEverywhere() }
        let registered = try await scene.registered()
        #expect(registered.isEmpty)
        let statement = try await scene.phone.approve().statement
        #expect(statement?.verifiedMethod == .password && statement?.fallback == .notEnrolled)
        let record = try await scene.phone.record()
        #expect(record.enrolledMethods.isEmpty)
    }

    @Test func `an enrollment of an enrolled method replaces its keys on both sides`() async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        let first = try await scene.record().enrolledMethods
        #expect(try await scene.enroll() == ["methodRegistration 1/1", "succeeded"])
        let second = try await scene.record().enrolledMethods
        #expect(first.count == 1 && second.count == 1 && first != second)
        let device = try await scene.device()
        #expect(device.enrolledMethods.map(\.key) == second.map(\.publicKey))
        #expect(try await scene.approve().statement?.verifiedMethod == .biometric)
    }

    @Test func `a change of the password advises to renew the enrolled methods of the device`() async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        let words = try await story(
            scene.app(user: PasswordChangeScene.user()).changePassword(of: "alice"))
        #expect(
            words == ["passwordChange 1/2", "passwordChange 2/2", "warning: renewEnrolledMethods", "succeeded"])
        let record = try await scene.record()
        #expect(record.enrolledMethods.count == 1)
    }
}
