import OrchestrationTesting
import Primitives
import TrustedIdentity

@testable import Orchestration

/// Logins with right and wrong passwords, by the user or by an attacker who has the device.
final class WrongPasswordWalk {
    private let world: WalkWorld
    private let process: Orchestrator
    private var model = ThrottleModel()

    init(_ world: WalkWorld) throws {
        self.world = world
        process = try world.process()
    }

    func run(operations: Int) async throws {
        // The share of wrong passwords differs between walks. There are no other faults.
        let share = world.chance.pick([60, 90, 100])
        for _ in 0..<(share == 100 ? 2 * operations : operations) {
            switch world.chance.draw(0...99) {
            case 0..<80: try await logIn(isRight: world.chance.draw(0...99) >= share)
            case 80..<90: world.time.advance(seconds: Int64(world.chance.draw(60...5_000)))
            case 90..<94: world.time.advance(seconds: Int64(world.chance.draw(80_000...200_000)))
            case 94..<98: try await contact()
            default:
                // In a walk with wrong passwords only, nothing is lifted before the limit of 50.
                if share < 100 || model.total >= 50 { try await lift() }
            }
            try await inspect()
        }
    }

    private func logIn(isRight: Bool) async throws {
        world.time.advance(seconds: 31)
        var isRight = isRight
        if let end = model.blockedUntil, model.isBlocked(at: world.time.now()), world.chance.draw(0...9) < 6 {
            world.time.set(to: max(end, world.time.now()))
        } else if model.isBlocked(at: world.time.now()) {
            // During a block right and wrong passwords get the same answer, so half of them are right.
            isRight = world.chance.draw(0...1) == 0
        }
        world.user.change(
            WalkUser.Weakness(choosesBadly: 0, confirmsWrongly: 0, mistypes: isRight ? 0 : 100, givesUp: 0, leaves: 0))
        let run = try await FlowRun.of(
            process.oneTimePassword(for: world.account.text, synchronizingWithin: nil))
        guard let code = run.code?.oneTimePassword else { throw world.failure("no code: \(run.word)") }
        try world.require(
            code.utf8.count == 8 && code.utf8.allSatisfy { (48...57).contains($0) }, "a code of another form")
        let now = world.time.now()
        let isBlocked = model.isBlocked(at: now)
        let decision = try await world.platform.login(
            LoginRequest(account: world.account, credential: .oneTimePassword(code)))
        world.trace.add("\(isRight ? "right" : "wrong"): \(decision.reason)")
        if isBlocked {
            world.tally.count(isRight ? "right.blocked" : "wrong.blocked")
            try world.require(decision.reason == .blocked, "a code was checked in a block")
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

    /// Contacts the platform, which reports the number of failed codes.
    private func contact() async throws {
        let run = try await FlowRun.of(
            process.oneTimePassword(for: world.account.text, synchronizingWithin: .milliseconds(60_000))
        )
        let reported = run.warnings.filter { $0.code.description.hasPrefix("failedCodes") }
        let expected = model.report()
        if expected > 0 { world.tally.count("reported") }
        try world.require(
            reported.map(\.code) == (expected > 0 ? [.failedCodes(expected)] : []),
            "\(reported) is reported, and \(expected) failures were expected")
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
        try world.require(isBlocked == model.isBlocked(at: now), "blocked: \(isBlocked), expected the opposite")
        try world.require(
            (throttle?.consecutive ?? 0) == model.row && (throttle?.total ?? 0) == model.total
                && (throttle?.unreported ?? 0) == model.unreported,
            "counted \(String(describing: throttle)), and should be \(model)")
        try world.require(
            try await world.devices().allSatisfy { $0.state != .locked }, "typed codes have locked the device")
    }
}
