import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// Approvals and codes by an enrolled method, and the fallback to the password.
@Suite struct EnrolledMethodFlowTests {
    @Test(arguments: [(AuthenticationMethod.biometric, MethodProtection.system), (.face, .provider)])
    func `an approval by an enrolled method asks for no password, and the receipt names the method`(
        method: AuthenticationMethod, protection: MethodProtection
    ) async throws {
        let scene = try await MethodScene(method, protection: protection)
        try await scene.enroll()
        let user = ScriptedUser([])
        let (words, statement) = try await scene.approve(user: user)
        #expect(words == ApprovalRun.answeredWords(.login))
        #expect(user.prompts.isEmpty)
        #expect((statement?.method, statement?.verifiedMethod) == (method, method))
        #expect(scene.keys.prompts.last?.displayData != nil)
    }

    @Test func `a check that fails falls back to the password, and the receipt says so`() async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        scene.keys.willAnswer(.refused(.failed))
        let (words, statement) = try await scene.approve()
        #expect(
            words == [
                "approval 1/2", "approval: login", "warning: fellBackToPassword", "approval 2/2", "succeeded",
            ])
        #expect(statement?.verifiedMethod == .password && statement?.fallback == .failed)
    }

    @Test func `a check without a living person is reported, and the password follows`() async throws {
        let scene = try await MethodScene(.face, protection: .provider)
        scene.keys.willAnswer(.refused(.livenessFailed))
        #expect(try await scene.enroll() == ["warning: livenessFailed", "aborted: methodFailed"])
        try await scene.enroll()
        scene.keys.willAnswer(.refused(.livenessFailed))
        let (words, statement) = try await scene.approve()
        #expect(
            words == [
                "approval 1/2", "approval: login", "warning: livenessFailed", "warning: fellBackToPassword",
                "approval 2/2", "succeeded",
            ])
        #expect(statement?.verifiedMethod == .password && statement?.fallback == .failed)
        scene.keys.willAnswer(.refused(.livenessFailed))
        let codes = try await story(
            scene.app().oneTimePassword(for: "alice", protection: .face, synchronizingWithin: nil))
        #expect(codes == ["warning: livenessFailed", "warning: fellBackToPassword", "code", "succeeded"])
    }

    @Test func `a policy without a fallback refuses the password instead of the method`() async throws {
        let scene = try await MethodScene(fallbacks: [])
        try await scene.enroll()
        scene.keys.willAnswer(.refused(.failed))
        #expect(try await scene.approve().words.last == "aborted: methodRefused")
    }

    @Test func `a user who cancels the check gives up, and nothing is sent`() async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        scene.keys.willAnswer(.refused(.aborted))
        let (words, statement) = try await scene.approve()
        #expect(words == ["approval 1/2", "approval: login", "aborted: canceled"])
        #expect(statement == nil)
    }

    @Test(arguments: [false, true])
    func `a user rejects by the method where possession is enough, and falls back to the password`(
        fails: Bool
    ) async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        if fails { scene.keys.willAnswer(.refused(.failed)) }
        let report = try await scene.stage.platform.requestLogin("alice")
        let run = try await ApprovalRun(scene.app().execute(#require(report.pointer))) {
            #expect($0.rejectionMethod == .possession)
            try await $0.reject(.notMe, by: .biometric)
        }
        let warnings = fails ? ["warning: fellBackToPassword"] : []
        #expect(run.words == ["approval 1/2", "approval: login"] + warnings + ["approval 2/2", "succeeded"])
        let statement = try #require(run.answered?.statement)
        #expect(statement.decision == .rejected(.notMe) && statement.verifiedMethod == (fails ? .password : .biometric))
        #expect(statement.fallback == (fails ? .failed : .chosenByUser))
    }

    @Test func `keys that the system has made unusable end the enrollment on both sides`() async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        scene.keys.willAnswer(.refused(.invalidated))
        let (_, statement) = try await scene.approve()
        #expect(statement?.verifiedMethod == .password && statement?.fallback == .notEnrolled)
        let (record, device) = (try await scene.record(), try await scene.device())
        #expect(record.enrolledMethods.isEmpty && device.enrolledMethods.isEmpty)
    }

    @Test(arguments: [
        (Availability.notEnrolled, FallbackReason.notEnrolled), (.unavailable, .notAvailable),
    ])
    func `a method that cannot be used now falls back with the reason`(
        availability: Availability, reason: FallbackReason
    ) async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        scene.keys.become(availability)
        let statement = try await scene.approve().statement
        #expect(statement?.verifiedMethod == .password && statement?.fallback == reason)
    }

    @Test func `a method that the platform no longer knows is dropped, and the password follows`() async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        // The registration ends at the platform alone.
        let session = ChannelSession(account: scene.account, orchestrator: try scene.app())
        _ = try await session.exchange { _ in .methodRemove(.biometric) }
        let (words, statement) = try await scene.approve()
        #expect(
            words == [
                "approval 1/2", "approval: login", "warning: fellBackToPassword", "approval 2/2", "succeeded",
            ])
        #expect(statement?.verifiedMethod == .password && statement?.fallback == .notEnrolled)
        let record = try await scene.record()
        #expect(record.enrolledMethods.isEmpty)
    }

    @Test func `a provider that throws an error of its own is named by it`() async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        scene.keys.willAnswer(.broken)
        await #expect(throws: OrchestrationError(.unexpected)) { _ = try await scene.approve() }
    }

    @Test func `a provider that hangs ends an approval with its expiry`() async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        scene.keys.willAnswer(.hangs)
        let report = try await scene.stage.platform.requestLogin("alice")
        let flow = try scene.app().execute(#require(report.pointer))
        let task = Task { try await ApprovalRun(flow) { try await $0.approve() }.words }
        await scene.stage.time.sleepers(1)
        scene.stage.advance(seconds: 121)
        let words = try await task.value
        #expect(words == ["approval 1/2", "approval: login", "outdated: approvalExpired"])
    }

    @Test func `a code by an enrolled method logs in as that method, and falls back as an approval does`() async throws
    {
        let scene = try await MethodScene()
        try await scene.enroll()
        let made = try await scene.app(user: ScriptedUser([])).user("alice").oneTimePassword(
            protection: .biometric, synchronizingWithin: nil)
        let login = try await scene.stage.platform.login("alice", code: made.oneTimePassword)
        #expect(login.method == .biometric && made.method == .biometric)
        scene.stage.advance(seconds: 30)
        scene.keys.willAnswer(.refused(.failed))
        let words = try await story(
            scene.app().oneTimePassword(for: "alice", protection: .biometric, synchronizingWithin: nil))
        #expect(words == ["warning: fellBackToPassword", "code", "succeeded"])
    }

    @Test func `a software provider is possession to the platform`() async throws {
        let scene = try await MethodScene(protection: .software)
        try await scene.enroll()
        #expect(try await scene.approve().words.last == "aborted: methodRefused")
    }
}
