import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// Enrollments that are killed or lose the network: afterwards the method is enrolled on both sides or can be enrolled
/// again, and the password is valid in any case.
@Suite struct MethodEnrollmentCrashTests {
    @Test(arguments: [1, 2, 3, -1, -2, -3], [true, false])
    func `a process that ends at a write of the store leaves a method that can be used or enrolled`(
        place: Int, isSecond: Bool
    ) async throws {
        // A negative place is before the write.
        let (write, isBefore) = (abs(place), place < 0)
        let scene = try await MethodScene()
        if isSecond { try await scene.enroll() }
        let store = BreakingStore(scene.stage.store, at: write, isBefore: isBefore)
        var words: [String] = []
        do {
            words = try await scene.enroll(store: store)
        } catch is CancellationError {
            #expect(write <= 2)
        }
        // The answer, and the record that names the keys.
        let writes = await store.writes
        #expect(writes == min(write, 2) && (words.last == "succeeded") == (write == 3))
        let isEnrolled = write == 3 || write == 2 && !isBefore
        try await requireUsable(scene, isEnrolled: isEnrolled, wasEnrolled: isSecond)
    }

    @Test(
        arguments: [ScriptedMethodKeys.Call.beginEnrollment, .signRegistration, .store, .deleteKeys], [true, false])
    func `a process that ends in a call of the provider leaves a method that can be used or enrolled`(
        call: ScriptedMethodKeys.Call, isSecond: Bool
    ) async throws {
        let scene = try await MethodScene()
        if isSecond { try await scene.enroll() }
        scene.keys.willAnswer(call, .after { throw CancellationError() })
        do {
            // No enrollment deletes other keys.
            let words = try await scene.enroll()
            #expect(call == .deleteKeys && words.last == "succeeded")
        } catch is CancellationError {
            #expect(call != .deleteKeys)
        }
        let isKept = isSecond && call != .store
        try await requireUsable(scene, isEnrolled: call == .deleteKeys || isKept, wasEnrolled: isSecond)
    }

    @Test(arguments: BreakingTransport.Break.allCases, [true, false])
    func `a network that is lost at the registration leaves a method that can be used or enrolled`(
        kind: BreakingTransport.Break, isSecond: Bool
    ) async throws {
        let scene = try await MethodScene()
        if isSecond { try await scene.enroll() }
        let transport = BreakingTransport(scene.stage.platform.transport, kind, at: 1)
        do {
            _ = try await scene.enroll(transport: transport)
            Issue.record("the registration had no answer")
        } catch let error as OrchestrationError {
            #expect(error == OrchestrationError(.transport))
        } catch is CancellationError {}
        let hasArrived = [.killedAfterArrival, .answerLost].contains(kind)
        try await requireUsable(scene, isEnrolled: isSecond && !hasArrived, wasEnrolled: isSecond)
    }

    @Test(arguments: 1...3)
    func `an app that is left at an event leaves a method that can be used or enrolled`(event: Int) async throws {
        let scene = try await MethodScene(.face, protection: .provider, steps: 1)
        let flow = try scene.app().enroll(.face, for: "alice")
        var seen = 0
        for try await _ in flow {
            seen += 1
            if seen == event { break }
        }
        try await requireUsable(scene, isEnrolled: event > 1, wasEnrolled: false)
    }

    /// Requires what the suite is about, and whether an approval is by the method.
    private func requireUsable(_ scene: MethodScene, isEnrolled: Bool, wasEnrolled: Bool) async throws {
        let record = try await scene.record()
        #expect(record.enrolledMethods.isEmpty == !(isEnrolled || wasEnrolled))
        let statement = try await scene.approve().statement
        #expect(statement?.verifiedMethod == (isEnrolled ? scene.method : .password))
        try await scene.requireUsable()
    }
}

extension MethodScene {
    /// Requires that the method is enrolled on both sides or can be enrolled again, that the password is valid, and
    /// that nothing of the device was counted.
    func requireUsable() async throws {
        stage.advance(seconds: 30)
        let code = try await stage.orchestrator(user: ScriptedUser(password: Stage.password)).user("alice")
            .oneTimePassword()
        let login = try await stage.platform.login("alice", code: code.oneTimePassword)
        #expect(login.status == .accepted && login.method == .password)
        let words = try await approve().words
        #expect(words.last == "succeeded")
        let again = try await enroll()
        let statement = try await approve().statement
        #expect(again.last == "succeeded" && statement?.verifiedMethod == method)
        let (record, device) = (try await record(), try await device())
        #expect(record.enrolledMethods.map(\.publicKey) == device.enrolledMethods.map(\.key))
        #expect(device.passwordFailures == 0 && record.enrolledMethods.count == 1)
    }
}
