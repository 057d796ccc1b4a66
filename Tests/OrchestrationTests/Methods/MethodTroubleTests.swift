import Crypto
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import Testing
import TrustedIdentity

@testable import Orchestration

/// Enrolled methods whose platform was restored, whose provider misbehaves, or which another process enrolls at the
/// same time.
@Suite struct MethodTroubleTests {
    private static let lost: @Sendable (OrchestrationCommand) async throws -> OrchestrationCommand = { _ in
        throw OrchestrationError(.transport)
    }

    /// Loses the answer to a registration of other keys, so that the platform knows only those, and the device only the
    /// first.
    private func loseSecondEnrollment(_ scene: MethodScene) async throws {
        scene.stage.wire.tamper(Self.lost, Self.lost, Self.lost)
        await #expect(throws: OrchestrationError(.transport)) { try await scene.enroll() }
        let device = try await scene.device()
        let record = try await scene.record()
        #expect(device.enrolledMethods.map(\.key) != record.enrolledMethods.map(\.publicKey))
    }

    // What the platform does not know.

    @Test(arguments: [true, false])
    func `keys that the platform does not know make one wrong code, and the password follows`(
        isRestored: Bool
    ) async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        if isRestored {
            try await scene.stage.platform.platform.markRestored(revocations: .nothingRevoked)
            scene.stage.advance(seconds: 11)
        } else {
            try await loseSecondEnrollment(scene)
        }
        let codes = Mutex<[String]>([])
        var words: [String] = []
        for try await event in try scene.app().oneTimePassword(for: "alice", protection: .biometric) {
            if case .oneTimePasswordReady(let code) = event { codes.withLock { $0.append(code.oneTimePassword) } }
            words.append(event.word)
        }
        #expect(
            words == [
                "code", "synchronization 1/1", "warning: fellBackToPassword", "code", "synchronization 1/1",
                "succeeded",
            ])
        let made = codes.withLock { $0 }
        let logins = [
            try await scene.stage.platform.login("alice", code: made[0]),
            try await scene.stage.platform.login("alice", code: made[1]),
        ]
        // The synchronization after a restore has used the present time step.
        #expect(logins.map(\.reason) == [.wrongCredential, isRestored ? .usedCode : .accepted])
        let record = try await scene.record()
        #expect(record.enrolledMethods.isEmpty)
        scene.stage.advance(seconds: 30)
        let next = try await story(scene.app().oneTimePassword(for: "alice", protection: .biometric))
        #expect(
            next == [
                "warning: fellBackToPassword", "code", "synchronization 1/1", "warning: failedCodes(1)", "succeeded",
            ])
        // The method can be enrolled again.
        scene.stage.advance(seconds: 30)
        let again = try await scene.enroll().last
        let statement = try await scene.approve().statement
        #expect(again == "succeeded" && statement?.verifiedMethod == .biometric)
    }

    @Test func `a synchronization keeps what the platform knows, and what was enrolled after it`() throws {
        var record = try Sample.record()
        let keys = [AuthenticationMethod.biometric, .face].map {
            EnrolledMethodKey(method: $0, handle: [1], publicKey: [UInt8](repeating: $0.rawValue, count: 33))
        }
        for key in keys { record.enroll(key) }
        let asked = record
        record.dropMethods(
            enrolledIn: asked, exceptFor: keys.map { RegisteredMethod($0.method, publicKey: $0.publicKey) })
        #expect(record.enrolledMethods == keys)
        let later = EnrolledMethodKey(method: .face, handle: [2], publicKey: [UInt8](repeating: 9, count: 33))
        record.enroll(later)
        record.dropMethods(
            enrolledIn: asked, exceptFor: [RegisteredMethod(.biometric, publicKey: keys[1].publicKey)])
        #expect(record.enrolledMethods == [later])
    }

    // Several processes.

    @Test func `an enrollment of another process during an approval is kept, and approves`() async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        scene.keys.willAnswer(.signAnswer, .after { try await scene.enroll() })
        let (words, statement) = try await scene.approve()
        #expect(words == ApprovalRun.answeredWords(.login) && statement?.verifiedMethod == .biometric)
        let (record, device) = (try await scene.record(), try await scene.device())
        #expect(record.enrolledMethods.map(\.publicKey) == device.enrolledMethods.map(\.key))
        #expect(record.enrolledMethods.count == 1)
    }

    @Test func `an enrollment of another process during the check is asked for`() async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        for _ in 0..<2 { scene.keys.willAnswer(.after { try await scene.enroll() }) }
        let (words, statement) = try await scene.approve()
        #expect(words == ApprovalRun.answeredWords(.login) && statement?.verifiedMethod == .biometric)
        scene.keys.willAnswer(.after { try await scene.enroll() })
        let codes = try await story(scene.app().oneTimePassword(for: "alice", protection: .biometric))
        #expect(codes == ["code", "synchronization 1/1", "succeeded"])
    }

    @Test(arguments: [ScriptedMethodKeys.Call.beginEnrollment, .signRegistration, .store])
    func `two enrollments at once leave one, or none that can be enrolled again`(
        place: ScriptedMethodKeys.Call
    ) async throws {
        let scene = try await MethodScene()
        let inner = Mutex<[String]>([])
        scene.keys.willAnswer(
            place,
            .after {
                let words = try await scene.enroll()
                inner.withLock { $0 = words }
            })
        let outer = try await scene.enroll()
        #expect(outer.last == "succeeded" && inner.withLock { $0.last } == "succeeded")
        try await requireUsable(scene)
    }

    @Test func `an enrollment that is canceled leaves that of another process`() async throws {
        let scene = try await MethodScene()
        scene.keys.willAnswer(
            .signRegistration,
            .after {
                try await scene.enroll()
                throw UserAuthenticationError.aborted
            })
        #expect(try await scene.enroll() == ["aborted: canceled"])
        let statement = try await scene.approve().statement
        #expect(statement?.verifiedMethod == .biometric)
    }

    // The receipt of an answer whose keys have ended.

    @Test(arguments: ["enroll", "remove", "restore"])
    func `the receipt of an answer is collected after its keys have ended`(change: String) async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        let report = try await scene.stage.platform.requestLogin("alice")
        let pointer = try #require(report.pointer)
        scene.stage.wire.tamper({ $0 }, Self.lost, Self.lost, Self.lost)
        await #expect(throws: OrchestrationError(.transport)) {
            try await ApprovalRun(scene.app().execute(pointer)) { try await $0.approve() }
        }
        switch change {
        case "enroll": try await scene.enroll()
        case "remove": _ = try await scene.remove()
        default:
            try await scene.stage.platform.platform.markRestored(revocations: .nothingRevoked)
            scene.stage.advance(seconds: 11)
        }
        let run = try await ApprovalRun(scene.app().execute(pointer)) { try await $0.approve() }
        #expect(run.words == ["approval 2/2", "succeeded"])
        #expect(run.answered?.statement.verifiedMethod == .biometric)
        let record = try await scene.record()
        #expect(record.pendingAnswers.isEmpty)
    }

    // Providers that misbehave.

    @Test(arguments: [ScriptedMethodKeys.Call.availability, .beginEnrollment, .signRegistration, .store])
    func `a provider that hangs in a call of an enrollment does not keep a canceled flow`(
        call: ScriptedMethodKeys.Call
    ) async throws {
        let scene = try await MethodScene()
        scene.keys.willAnswer(call, .hangs)
        try await requireEnd(of: try scene.app().enroll(.biometric, for: "alice"), in: call, scene)
        try await requireUsable(scene)
    }

    @Test func `a provider that hangs in a deletion does not keep a removal or the deletion of a user`() async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        scene.keys.willAnswer(.deleteKeys, .hangs)
        try await requireEnd(
            of: try scene.app().remove(.biometric, of: "alice"), in: .deleteKeys, scene)
        let calls = scene.keys.calls.count
        scene.keys.willAnswer(.deleteKeys, .hangs)
        let app = try scene.app()
        let task = Task { try await app.user("alice").delete() }
        while !scene.keys.calls[calls...].contains(.deleteKeys) { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a provider that hangs in the signature ends an approval with its expiry or a cancellation`()
        async throws
    {
        let scene = try await MethodScene()
        try await scene.enroll()
        for isCanceled in [true, false] {
            let before = scene.keys.calls.filter { $0 == .signAnswer }.count
            scene.keys.willAnswer(.signAnswer, .hangs)
            let report = try await scene.stage.platform.requestLogin("alice")
            let flow = try scene.app().execute(#require(report.pointer))
            let task = Task { try await ApprovalRun(flow) { try await $0.approve() }.words }
            while scene.keys.calls.count(where: { $0 == .signAnswer }) == before {
                try await Task.sleep(for: .milliseconds(1))
            }
            if isCanceled {
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            } else {
                await scene.stage.time.sleepers(1)
                scene.stage.advance(seconds: 121)
                let words = try await task.value
                #expect(words.last == "outdated: approvalExpired")
            }
        }
    }

    @Test func `a signature that fails is a check that fails`() async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        for (error, reason) in [
            (UserAuthenticationError.failed, FallbackReason.failed), (.unavailable, .notAvailable),
        ] {
            scene.keys.willAnswer(.signAnswer, .refused(error))
            let statement = try await scene.approve().statement
            #expect(statement?.verifiedMethod == .password && statement?.fallback == reason)
        }
        scene.keys.willAnswer(.signAnswer, .refused(.aborted))
        #expect(try await scene.approve().words.last == "aborted: canceled")
        scene.keys.willAnswer(.signAnswer, .refused(.invalidated))
        let statement = try await scene.approve().statement
        #expect(statement?.verifiedMethod == .password && statement?.fallback == .notEnrolled)
        let (record, device) = (try await scene.record(), try await scene.device())
        #expect(record.enrolledMethods.isEmpty && device.enrolledMethods.isEmpty)
    }

    @Test func `a provider that cannot store is an error of the store`() async throws {
        let scene = try await MethodScene()
        scene.keys.willAnswer(.store, .refused(.invalidated))
        await #expect(throws: OrchestrationError(.storeUnavailable)) { try await scene.enroll() }
        try await requireUsable(scene)
    }

    @Test func `a code without a network does not wait for the platform after keys have ended`() async throws {
        let scene = try await MethodScene()
        try await scene.enroll()
        scene.keys.willAnswer(.refused(.invalidated))
        let flow = try scene.app(transport: SilentTransport()).oneTimePassword(
            for: "alice", protection: .biometric, synchronizingWithin: nil)
        let task = Task { try await story(flow) }
        await scene.stage.time.sleepers(1)
        scene.stage.advance(seconds: 5)
        let words = try await task.value
        #expect(words == ["warning: fellBackToPassword", "code", "succeeded"])
    }

    @Test(arguments: [(0, 33), (1_025, 33), (1, 32), (1, 34), (1, 65)])
    func `a key of another form is refused before the password is asked for`(handle: Int, key: Int) async throws {
        let provider = OddMethodKeys { _ in
            .finished(
                MethodKey(
                    handle: [UInt8](repeating: 1, count: handle), publicKey: [UInt8](repeating: 2, count: key)
                ) { _ in throw OrchestrationError(.deviceKeyUnavailable) })
        }
        try await requireRefusal(of: provider)
    }

    @Test(arguments: [
        [MethodEnrollment.Step(number: 0, total: 0)], [MethodEnrollment.Step(number: 2, total: 3)],
        [MethodEnrollment.Step(number: 1, total: 2), MethodEnrollment.Step(number: 1, total: 2)],
        [MethodEnrollment.Step(number: 1, total: 1), MethodEnrollment.Step(number: 2, total: 1)],
        (1...65).map { MethodEnrollment.Step(number: $0, total: 65) },
    ])
    func `steps that do not count to their total are refused`(steps: [MethodEnrollment.Step]) async throws {
        try await requireRefusal(of: OddMethodKeys { .step(steps[min($0, steps.count - 1)]) })
    }

    // Helpers.

    /// Requires that a flow that is canceled in a call of the provider ends.
    private func requireEnd(
        of flow: AsyncThrowingStream<FlowEvent, any Error>, in call: ScriptedMethodKeys.Call, _ scene: MethodScene
    ) async throws {
        let before = scene.keys.calls.count
        let task = Task { try await story(flow) }
        while !scene.keys.calls[before...].contains(call) { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    private func requireRefusal(of provider: OddMethodKeys) async throws {
        let stage = try await Stage()
        try await stage.activate()
        let user = ScriptedUser([])
        let app = try stage.orchestrator(providers: [user, provider])
        await #expect(throws: OrchestrationError(.deviceKeyUnavailable)) {
            try await app.enroll(.face, for: "alice").result()
        }
        #expect(user.prompts.isEmpty)
    }

    /// Requires that the method is enrolled on both sides or can be enrolled again, and that the password is valid.
    private func requireUsable(_ scene: MethodScene) async throws { try await scene.requireUsable() }
}

/// A transport that never answers.
private struct SilentTransport: Transport {
    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        try await Task.sleep(for: .seconds(3_600))
        throw CancellationError()
    }
}

/// A provider whose enrollment returns what a test wants.
private struct OddMethodKeys: MethodKeyProvider {
    let method = AuthenticationMethod.face
    let protection = MethodProtection.provider
    let progress: @Sendable (Int) -> MethodEnrollment.Progress

    init(_ progress: @escaping @Sendable (Int) -> MethodEnrollment.Progress) { self.progress = progress }

    func availability() async -> Availability { .available }
    func beginEnrollment(for name: StoreName, _ prompt: Prompt) async throws -> MethodEnrollment {
        let count = Atomic(0)
        return MethodEnrollment { [progress] in progress(count.add(1, ordering: .relaxed).oldValue) }
    }
    func store(_ secret: SymmetricKey, handle: [UInt8]) async throws {}
    func open(handle: [UInt8], _ prompt: Prompt) async throws -> OpenedMethodKey {
        throw UserAuthenticationError.invalidated
    }
    func deleteKey(handle: [UInt8]) async throws {}
    func deleteKeys(of name: StoreName, except handle: [UInt8]?) async throws {}
}
