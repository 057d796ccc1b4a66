import Orchestration
import OrchestrationTesting
import Primitives
import TrustedIdentity

/// Signatures and codes over challenges that are made and typed.
extension LoginWalk {
    /// Signs a transaction and sends the signature, perhaps minutes later and twice.
    func sign() async throws {
        // A platform accepts no signature after eleven that it never saw.
        guard skipped[.app4, default: 0] < 10 else { return world.tally.count("sign.exhausted") }
        let fields = [
            DataField(label: "Amount", value: "\(world.chance.draw(1...9_999)) EUR"), DataField(value: "Zoë"),
        ]
        guard let shown = try await show(.app4, over: fields, on: anyProcess()) else { return }
        pass(seconds: world.chance.draw(0...200))
        try await type(shown)
        if world.chance.draw(0...3) == 0 { try await typeAgain(shown) }
    }

    /// Asks for a challenge and logs in with the code over it.
    func logInByChallenge() async throws {
        // A challenge of the moment of a restore may be one from before it.
        pass(seconds: world.chance.draw(1...10))
        let challenge = try await persistently {
            try await world.platform.generateChallenge(for: world.account, checkDigit: true)
        }.value
        let isRestored = try await device().isRestored
        let run = try await FlowRun.of(
            anyProcess().oneTimePassword(
                for: world.account.text, application: .app3, challenge: challenge.digits, synchronizingWithin: nil))
        try requireNoAlarm(run)
        guard let code = run.code?.oneTimePassword else { return }
        pass(seconds: world.chance.draw(0...200))
        let request = LoginRequest(
            account: world.account, credential: .challengeResponse(code, requestID: challenge.requestID))
        let (decision, wasLost) = try await persistently { try await world.platform.login(request) }
        world.trace.add("login by challenge: \(decision.reason)")
        world.tally.count("login.app3.\(decision.reason.rawValue)")
        guard !isRestored else {
            return try world.require(
                decision.reason == .notSynchronized, "a restored platform accepts a challenge: \(decision.reason)")
        }
        try world.require(
            decision.status == .accepted || (wasLost && decision.reason == .usedChallenge),
            "a code over a challenge is refused: \(decision.reason)")
        let (again, _) = try await persistently { try await world.platform.login(request) }
        try world.require(again.reason == .usedChallenge, "a challenge was used twice: \(again.reason)")
    }

    /// Repeats a call of the platform when its store fails.
    func persistently<R>(_ call: () async throws -> R) async throws -> (value: R, wasLost: Bool) {
        var wasLost = false
        for _ in 0..<20 {
            do {
                return (try await call(), wasLost)
            } catch let error as PlatformError where error.code == .storeFailed {
                wasLost = true
            }
        }
        throw world.failure("the platform never decides")
    }
}
