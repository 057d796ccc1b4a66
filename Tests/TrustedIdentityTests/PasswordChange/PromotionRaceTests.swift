import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Synchronization
import Testing

@testable import TrustedIdentity

/// A typed code with the new password and its proof, at the same time: both promote, and the change happens once.
struct PromotionRaceTests {
    enum First: CaseIterable { case code, proof }

    @Test(arguments: 0..<40)
    func `a typed code and a proof at the same time promote once`(round: Int) async throws {
        let scene = try await Scene()
        let platform = scene.harness.platform
        let (harness, code, command) = (scene.harness, scene.code, scene.proof.command)
        async let decision = harness.login(code)
        async let answer = platform.execute(command)
        let (login, proof) = (try await decision, try await answer)
        try await scene.requirePromotion(login, scene.device.open(proof, to: scene.proof))
    }

    @Test(arguments: First.allCases)
    func `a promotion between the reads and the write of the other one is not undone`(first: First) async throws {
        let scene = try await Scene()
        let held = FaultInjectingDatabase(scene.harness.store)
        let platform = try await scene.harness.platform(on: held)
        let (harness, code, proof) = (scene.harness, scene.code, scene.proof)
        let meanwhile = Meanwhile()
        let decision: LoginDecision
        let answer: OrchestrationCommand
        switch first {
        case .code:
            held.beforeNextWrite { meanwhile.decision = try await harness.login(code) }
            answer = try await platform.execute(proof.command)
            decision = try #require(meanwhile.decision)
        case .proof:
            held.beforeNextWrite { meanwhile.answer = try await harness.platform.execute(proof.command) }
            decision = try await scene.login(on: platform)
            answer = try #require(meanwhile.answer)
        }
        #expect(!held.isArmed)
        try await scene.requirePromotion(decision, scene.device.open(answer, to: proof))
    }

    /// A device that has stored its new password and not proven it, with its code and its proof.
    private struct Scene {
        let harness: Harness
        let device: Authenticator
        let code: String
        let earlierCode: String
        let proof: Authenticator.Sent

        init() async throws {
            harness = try await Harness()
            device = try await harness.activate()
            let offer = try #require(try await device.offeredChange(by: harness))
            earlierCode = try device.code(counter: 0)
            device.take(offer)
            code = try device.code(at: harness.time.now())
            proof = try await device.seal(.passwordProve, proof: .password, to: harness)
        }

        func login(on platform: Platform) async throws -> LoginDecision {
            try await platform.login(
                LoginRequest(account: Harness.account(), credential: .oneTimePassword(code)))
        }

        /// Requires that both were accepted, and that the password was changed once and for good.
        func requirePromotion(_ decision: LoginDecision, _ answer: AnswerMessage) async throws {
            #expect(decision.status == .accepted, "\(decision.reason)")
            #expect(answer.refusal == nil)
            let row = try #require(try await harness.device(device))
            #expect((row.generation, row.offeredGeneration, row.passwordFailures) == (1, 1, 0))
            #expect(try await harness.events(.passwordChanged).map(\.device) == [device.id])
            #expect(try await harness.platform.account(Harness.account())?.failures.isEmpty == true)
            #expect(try await harness.login(earlierCode, application: .app2).reason == .wrongCredential)
            harness.time.advance(seconds: 60)
            #expect(try await harness.login(device.code(at: harness.time.now())).status == .accepted)
        }
    }

    /// What the work between the reads and the write has led to.
    private final class Meanwhile: Sendable {
        private let results = Mutex<(decision: LoginDecision?, answer: OrchestrationCommand?)>((nil, nil))

        var decision: LoginDecision? {
            get { results.withLock { $0.decision } }
            set { results.withLock { $0.decision = newValue } }
        }

        var answer: OrchestrationCommand? {
            get { results.withLock { $0.answer } }
            set { results.withLock { $0.answer = newValue } }
        }
    }
}
