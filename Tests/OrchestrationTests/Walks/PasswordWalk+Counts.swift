import OrchestrationTesting
import Primitives
import TrustedIdentity

@testable import Orchestration
@testable import TrustedIdentity

/// Wrong passwords, which are counted exactly. They are typed without faults, because a message that is lost has no
/// count that the device can know.
extension PasswordWalk {
    /// Types wrong passwords: in codes, or before the right one in a change or an approval.
    func mistype() async throws {
        try await withoutFaults {
            switch world.chance.draw(0...3) {
            case 0: try await typeWrongCode()
            case 1: try await typeEarlierCode()
            default: try await mistype(in: world.chance.draw(0...1) == 0 ? .change : .approval)
            }
        }
    }

    /// Types wrong passwords until the device is locked, and unlocks it. The walk ends on a platform that was restored.
    func lock() async throws {
        try await withoutFaults {
            let missing = PINPolicy.default.tries - failures
            user.know(.init(present: present, next: nextPassword(), wrong: missing))
            let run = try await FlowRun.of(processes[0].changePassword(of: world.account.text))
            guard case .aborted(.userLocked) = run.end else {
                throw world.failure("\(missing) more wrong passwords: \(run.word)")
            }
            try requireReported(run, missing - 1)
            let row = try await device.row()
            try world.require(
                row.state == .locked && row.lockReason == .wrongPassword, "five wrong passwords do not lock")
            world.tally.count("locked")
            isOver = row.isRestored
            if !isOver { try await unlock() }
        }
    }

    private func unlock() async throws {
        let code = try await world.platform.issueUnlockCode(for: world.account).code
        let next = nextPassword()
        user.know(.init(present: present, next: next))
        let run = try await FlowRun.of(processes[0].unlock(world.account.text, with: code))
        guard case .succeeded = run.end else { throw world.failure("an unlock without faults ends: \(run.word)") }
        world.tally.count("unlocked")
        failures = 0
        try await requirePromotion()
        try await inspect()
        try world.require(present == next, "the new password is not the valid one")
    }

    /// A flow in which wrong passwords are typed.
    private enum Place { case change, approval }

    private func mistype(in place: Place) async throws {
        let wrong = min(world.chance.draw(1...2), PINPolicy.default.tries - 1 - failures)
        guard wrong > 0 else { return }
        let givesUp = world.chance.draw(0...1) == 0
        let knowledge = ChangingUser.Knowledge(
            present: present, next: nextPassword(), wrong: wrong, givesUp: givesUp)
        let run: FlowRun
        switch place {
        case .change:
            user.know(knowledge)
            run = try await FlowRun.of(processes[0].changePassword(of: world.account.text))
        case .approval:
            guard let pointer = try await askForApproval() else { return }
            user.know(knowledge)
            run = try await answer(pointer, on: processes[0])
        }
        world.trace.add("\(place) after \(wrong) wrong passwords: \(run.word)")
        world.tally.count("wrong.\(place)\(givesUp ? ".given up" : "")")
        try requireReported(run, wrong)
        switch run.end {
        case .succeeded where !givesUp:
            failures = 0
            try await requirePromotion()
        case .aborted(.canceled) where givesUp: failures += wrong
        default: throw world.failure("a flow with \(wrong) wrong passwords ends: \(run.word)")
        }
    }

    /// Types a code that a wrong password has made.
    private func typeWrongCode() async throws {
        try await typeWrong(try await code(typing: ChangingUser.wrongPassword))
        world.tally.count("wrong.code")
    }

    /// Types a code after a change that was made before it, with the earlier password.
    private func typeEarlierCode() async throws {
        let code = try await code(typing: present)
        try await change(on: processes[0], mustSucceed: true)
        failures = 0
        try await typeWrong(code)
        world.tally.count("wrong.earlier code")
    }

    private func code(typing password: String) async throws -> String? {
        world.time.advance(seconds: Int64(world.chance.draw(65...95)))
        waitForBlock()
        return try await makeCode(typing: password, synchronizes: false)
    }

    /// Types a code that is wrong. It is counted, unless the platform was restored and compares no code of the device.
    private func typeWrong(_ code: String?) async throws {
        guard let code else { return }
        let isRestored = try await device.row().isRestored
        let decision = try await world.platform.login(
            LoginRequest(account: world.account, credential: .oneTimePassword(code)))
        try world.require(
            decision.reason == (isRestored ? .notSynchronized : .wrongCredential), "a wrong code: \(decision.reason)")
        if !isRestored { throttle.fail(at: world.time.now()) }
    }

    /// Requires the remaining tries that a flow has reported, one less each time.
    private func requireReported(_ run: FlowRun, _ wrong: Int) throws {
        let expected = (0..<wrong).map { number in
            InputRejection.wrongPassword(remainingTries: PINPolicy.default.tries - failures - number - 1)
        }
        try world.require(run.rejections == expected, "\(run.rejections) is reported, expected \(expected)")
    }

    /// Runs a part in which nothing is lost and nothing arrives late, and checks the counts after it.
    private func withoutFaults(_ part: () async throws -> Void) async throws {
        if world.time.now() < refusesUntil { world.time.set(to: refusesUntil) }
        try await world.chance.withoutFaults {
            await world.network.deliverLate()
            let before = try await device.row().passwordFailures
            try world.require([failures, 0].contains(before), "\(before) failures, and \(failures) were counted")
            failures = before
            try await part()
            let after = try await device.row().passwordFailures
            try world.require(isOver || after == failures, "\(after) failures, and \(failures) were counted")
        }
    }
}
