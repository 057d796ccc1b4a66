import Orchestration
import OrchestrationTesting
import Primitives
import TrustedIdentity

/// What happens around codes.
extension LoginWalk {
    func registerNotifications() async throws {
        let run = try await FlowRun.of(
            anyProcess().registerNotifications(NotificationRegistrationParameters(user: world.account.text)))
        world.trace.add("register notifications: \(run.word)")
        try forbidAlarms(run)
    }

    func restartProcess() throws {
        world.trace.add("new process")
        processes[world.fate.draw(0...1)] = try world.process()
    }

    func restartPlatform() async throws {
        world.trace.add("platform restarts")
        try await world.startPlatform()
    }

    func backUp() {
        world.trace.add("backup")
        backup = world.platformStore.base.snapshot()
    }

    /// The platform's machine is lost; what was backed up is all there is.
    func restore() async throws {
        guard let backup else { return }
        world.trace.add("restore")
        world.tally.count("restore")
        world.platformStore.replace(by: backup.snapshot())
        try await world.startPlatform(isRestored: true)
        try await world.fate.calmly { _ = try await world.platform.markRestored(revocations: .reapply([])) }
        refusesUntil = world.time.now().advanced(seconds: 310)
    }

    /// A process shows a code and pauses; the other one does all its work; the first goes on, and its code is typed.
    func interleave() async throws {
        world.tally.count("interleaved")
        let isByCounter = world.fate.draw(0...1) == 0
        let shown = try await show(.app2, on: processes[0]) { [self] in
            if isByCounter {
                try await logInByCounter(on: processes[1])
            } else {
                try await logIn(on: processes[1])
            }
        }
        if let shown { try await type(shown) }
    }

    /// While a request or its answer is under way, the other process makes a code and synchronizes, and time passes.
    func overtake() async throws {
        world.tally.count("overtaken")
        let rounds = world.fate.draw(1...2)
        let seconds = world.fate.draw(1...400)
        let other = Bystander(process: processes[1], account: world.account.text, time: world.time, trace: world.trace)
        world.network.meanwhile(
            WalkNetwork.Meanwhile(isBeforeArrival: world.fate.draw(0...1) == 0) {
                for _ in 0..<rounds { await other.act(after: seconds) }
            })
        _ = try await show(.app1, on: processes[0], synchronizes: true)
        world.network.meanwhile(nil)
    }
}

/// Another process of the device, which acts while a command of the first is under way.
private struct Bystander: Sendable {
    let process: Orchestrator
    let account: String
    let time: ManualTimeSource
    let trace: WalkTrace

    /// Acts in a task of its own: the one that waits may be given up meanwhile.
    func act(after seconds: Int) async {
        await Task {
            time.advance(seconds: Int64(seconds))
            let parameters = OneTimePasswordParameters(
                user: account, synchronization: .atMost(.milliseconds(3_600_000)))
            do {
                let run = try await FlowRun.of(process.authenticateLocally(parameters))
                trace.add("meanwhile after \(seconds) s: \(run.word)")
            } catch {
                trace.add("meanwhile after \(seconds) s: \(error)")
            }
        }.value
    }
}
