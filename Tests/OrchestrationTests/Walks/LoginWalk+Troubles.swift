import Orchestration
import OrchestrationTesting
import Primitives
import TrustedIdentity

/// The other operations of a login walk.
extension LoginWalk {
    func registerNotifications() async throws {
        let run = try await FlowRun.of(
            anyProcess().registerNotifications(for: world.account.text))
        world.trace.add("register notifications: \(run.word)")
        try requireNoAlarm(run)
    }

    func restartProcess() throws {
        world.trace.add("new process")
        processes[world.chance.draw(0...1)] = try world.process()
    }

    func restartPlatform() async throws {
        world.trace.add("platform restarts")
        try await world.startPlatform()
    }

    func backUp() {
        world.trace.add("backup")
        backup = world.platformStore.base.snapshot()
    }

    /// Restores the platform from its backup.
    func restore() async throws {
        guard let backup else { return }
        world.trace.add("restore")
        world.tally.count("restore")
        world.platformStore.replace(by: backup.snapshot())
        try await world.startPlatform(isRestored: true)
        try await world.chance.withoutFaults { try await world.platform.markRestored(revocations: .nothingRevoked) }
        refusesUntil = world.time.now().advanced(seconds: 310)
    }

    /// Shows a code in one process, logs in with another process, and then types the code of the first.
    func interleave() async throws {
        world.tally.count("interleaved")
        let isByCounter = world.chance.draw(0...1) == 0
        let shown = try await show(.app2, on: processes[0]) { [self] in
            if isByCounter {
                try await logInByCounter(on: processes[1])
            } else {
                try await logIn(on: processes[1])
            }
        }
        if let shown { try await type(shown) }
    }

    /// Makes a code and synchronizes in the other process while a request of the first, or its answer, is under way.
    func overtake() async throws {
        world.tally.count("overtaken")
        let rounds = world.chance.draw(1...2)
        let seconds = world.chance.draw(1...400)
        let other = Bystander(process: processes[1], account: world.account.text, time: world.time, trace: world.trace)
        world.network.meanwhile(
            WalkNetwork.Meanwhile(isBeforeArrival: world.chance.draw(0...1) == 0) {
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

    /// Acts in a task of its own, because the waiting task may be canceled meanwhile.
    func act(after seconds: Int) async {
        await Task {
            time.advance(seconds: Int64(seconds))
            do {
                let run = try await FlowRun.of(
                    process.oneTimePassword(for: account, synchronizingWithin: .milliseconds(3_600_000)))
                trace.add("meanwhile after \(seconds) s: \(run.word)")
            } catch {
                trace.add("meanwhile after \(seconds) s: \(error)")
            }
        }.value
    }
}
