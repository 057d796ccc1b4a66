import OrchestrationTesting
import Primitives
import TrustedIdentity

@testable import Orchestration

/// Uses of the password between its changes: each promotes the generation of the device when the platform accepts it.
extension PasswordWalk {
    /// The error of a clock, with the delay of a code, up to which a code is accepted, in milliseconds.
    private static let tolerance: Int64 = 28_000

    /// Makes a code and types it at once.
    ///
    /// - Parameter synchronizes: Whether the device synchronizes after it has shown the code; by default in most cases.
    func logIn(synchronizes: Bool? = nil, mustBeAccepted: Bool = false) async throws {
        // A code of an earlier time step is used up.
        world.time.advance(seconds: Int64(world.chance.draw(65...95)))
        waitForBlock()
        let wasRestored = try await device.row().isRestored
        let made = try await makeCode(
            typing: present, synchronizes: synchronizes ?? (world.chance.draw(0...2) > 0))
        guard let made else { return }
        let row = try await device.row()
        let (decision, wasLost) = try await persistently {
            try await world.platform.login(
                LoginRequest(account: world.account, credential: .oneTimePassword(made)))
        }
        world.trace.add("login: \(decision.reason)")
        world.tally.count("login.\(decision.reason)")
        if decision.status == .accepted || wasLost && decision.reason == .usedCode && !wasRestored {
            try world.require(!row.isRestored, "a restored platform accepts codes before it is synchronized")
            throttle.succeed()
            return try await requirePromotion()
        }
        // The synchronization of a restored platform uses up the code that was shown before it.
        let isExplained =
            row.isRestored && decision.reason == .notSynchronized || wasRestored && decision.reason == .usedCode
        try world.require(
            isExplained && !mustBeAccepted, "a code is refused: \(decision.reason), restored \(row.isRestored)")
    }

    /// Makes a code.
    ///
    /// - Returns: `nil` when the flow ended before, or so late that the code may have expired.
    func makeCode(typing password: String, synchronizes: Bool) async throws -> String? {
        let began = world.time.now()
        let error = try await clockError()
        user.know(.init(present: password))
        let run = try await FlowRun.of(
            world.chance.pick(processes).oneTimePassword(
                for: world.account.text, synchronizingWithin: synchronizes ? .seconds(60) : nil),
            leavingAfter: eventToLeaveAt(of: 2))
        world.trace.add("code: \(run.word)")
        world.tally.count("code.\(run.kind)")
        try judge(run, isRaced: false)
        let isTimely = abs(error) + world.time.now().milliseconds(since: began) < Self.tolerance
        return isTimely ? run.code?.oneTimePassword : nil
    }

    /// Asks for an approval and gives it, perhaps with faults.
    ///
    /// - Parameter between: Runs at the question for the password.
    func approve(on process: Orchestrator, between: (@Sendable () async -> Void)? = nil) async throws {
        guard let pointer = try await askForApproval() else { return }
        user.know(.init(present: present, between: between))
        let isRaced = between != nil
        let run = try await answer(pointer, on: process)
        try judge(run, isRaced: isRaced)
        guard case .succeeded(.approvalAnswered(let answered)) = run.end, !isRaced else { return }
        try world.require(
            answered.decision == .approved && answered.statement.verifiedMethod == .password, "another answer")
        try await requirePromotion()
    }

    /// Returns the pointer to a new approval request; `nil` when the policy refuses it.
    func askForApproval() async throws -> OrchestrationCommand? {
        let (report, _) = try await persistently {
            try await world.platform.requestApproval(ApprovalParameters(.login, of: world.account))
        }
        world.tally.count("asked.\(report.status)")
        return report.pointer
    }

    /// Approves a request.
    func answer(_ pointer: OrchestrationCommand, on process: Orchestrator) async throws -> FlowRun {
        let run = try await FlowRun.of(
            process.execute(pointer), leavingAfter: eventToLeaveAt(of: 3), deciding: { try $0.recordApproval() })
        world.trace.add("approval: \(run.word)")
        world.tally.count("approval.\(run.kind)")
        return run
    }

    /// Requires that the platform is at the generation of the device, after it has accepted the password.
    func requirePromotion() async throws {
        let (row, record) = (try await device.row(), try await device.stolen().record)
        try world.require(row.generation == record.generation, "the use of a password did not promote it")
        world.tally.count("promoted")
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

    /// Waits until typed codes are compared again.
    func waitForBlock() {
        guard let end = throttle.blockedUntil, world.time.now() < end else { return }
        world.tally.count("blocked")
        world.time.set(to: end)
    }

    /// Returns the device's platform time less the platform's, in milliseconds.
    private func clockError() async throws -> Int64 {
        world.deviceTime.milliseconds + (try await device.stolen().record.clockOffset)
    }
}
