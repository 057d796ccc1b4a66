import OrchestrationTesting
import Primitives
import TrustedIdentity

@testable import Orchestration

/// A user, or somebody else with the device in their hands, who types wrong passwords in between.
final class WrongPasswordWalk {
    private let world: WalkWorld
    private let process: Orchestrator
    private var model = ThrottleModel()

    init(_ world: WalkWorld) throws {
        self.world = world
        process = try world.process()
    }

    func run(operations: Int) async throws {
        // Some walks know the password better than others; nothing else goes wrong.
        let share = world.fate.pick([60, 90, 100])
        for _ in 0..<(share == 100 ? 2 * operations : operations) {
            switch world.fate.draw(0...99) {
            case 0..<80: try await logIn(isRight: world.fate.draw(0...99) >= share)
            case 80..<90: world.time.advance(seconds: Int64(world.fate.draw(60...5_000)))
            case 90..<94: world.time.advance(seconds: Int64(world.fate.draw(80_000...200_000)))
            case 94..<98: try await contact()
            default:
                // Who never knows the password is left to the limit.
                if share < 100 || model.total >= 50 { try await lift() }
            }
            try await inspect()
        }
    }

    private func logIn(isRight: Bool) async throws {
        world.time.advance(seconds: 31)
        var isRight = isRight
        if let end = model.blockedUntil, model.isBlocked(at: world.time.now()), world.fate.draw(0...9) < 6 {
            world.time.set(to: max(end, world.time.now()))
        } else if model.isBlocked(at: world.time.now()) {
            // Nobody who waits out a block knows more; nobody who does not is helped by knowing.
            isRight = world.fate.draw(0...1) == 0
        }
        world.user.change(
            WalkUser.Weakness(choosesBadly: 0, confirmsWrongly: 0, mistypes: isRight ? 0 : 100, givesUp: 0, leaves: 0))
        let run = try await FlowRun.of(
            process.authenticateLocally(
                OneTimePasswordParameters(user: world.account.text, synchronization: .never)))
        guard let code = run.code?.oneTimePassword else { throw world.failure("no code: \(run.word)") }
        try world.require(
            code.utf8.count == 8 && code.utf8.allSatisfy { (48...57).contains($0) }, "a code that gives itself away")
        let now = world.time.now()
        let isBlocked = model.isBlocked(at: now)
        let decision = try await world.platform.login(
            LoginRequest(account: world.account, credential: .oneTimePassword(code)))
        world.trace.add("\(isRight ? "right" : "wrong"): \(decision.reason)")
        if isBlocked {
            world.tally.count(isRight ? "right.blocked" : "wrong.blocked")
            try world.require(decision.reason == .blocked, "something was checked in a block")
        } else if isRight {
            world.tally.count("right.accepted")
            try world.require(decision.status == .accepted, "the right password is refused: \(decision.reason)")
            model.succeed()
        } else {
            world.tally.count("wrong.counted")
            try world.require(decision.reason == .wrongCredential, "a wrong password is \(decision.reason)")
            model.fail(at: now)
        }
    }

    /// At the next contact the user is told how many codes failed.
    private func contact() async throws {
        let run = try await FlowRun.of(
            process.authenticateLocally(
                OneTimePasswordParameters(user: world.account.text, synchronization: .atMost(.milliseconds(60_000))))
        )
        let told = run.warnings.filter { $0.code.description.hasPrefix("failedCodes") }
        let expected = model.tell()
        if expected > 0 { world.tally.count("told") }
        try world.require(
            told.map(\.code) == (expected > 0 ? [.failedCodes(expected)] : []),
            "the user is told \(told) and should be told \(expected)")
    }

    private func lift() async throws {
        world.trace.add("lifted")
        world.tally.count("lifted")
        if model.total >= 50 { world.tally.count("limit") }
        try await world.platform.liftBlocks(of: world.account)
        model.lift()
    }

    private func inspect() async throws {
        let now = world.time.now()
        let throttle = try await world.throttles().first { $0.key.kind == .code }
        let isBlocked = throttle.map { $0.total >= 50 || $0.blockedUntil.map { now < $0 } ?? false } ?? false
        try world.require(isBlocked == model.isBlocked(at: now), "blocked: \(isBlocked), and should not be so")
        try world.require(
            (throttle?.consecutive ?? 0) == model.row && (throttle?.total ?? 0) == model.total
                && (throttle?.unreported ?? 0) == model.unreported,
            "counted \(String(describing: throttle)), and should be \(model)")
        try world.require(
            try await world.devices().allSatisfy { $0.state != .locked }, "typed codes have locked the device")
    }
}
