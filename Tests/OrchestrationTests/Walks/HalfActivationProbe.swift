import OrchestrationTesting
import Primitives
import TrustedIdentity

@testable import Orchestration

/// An attempt to use an unfinished activation by changing the stored state.
///
/// It works on copies and does not change the walk.
struct HalfActivationProbe {
    let world: WalkWorld
    let record: UserRecord

    func run() async throws {
        world.tally.count("probe")
        try await world.chance.withoutFaults { try await probe() }
    }

    private func probe() async throws {
        let store = world.clientStore.base.copy()
        let copies = try world.vault(on: store)
        let platform = try await world.makePlatform(on: world.platformStore.base.snapshot())
        let before = try await platform.account(world.account)?.devices.map(\.state)
        try await copies.update(world.account) { $0.state = .active }
        let transport = InProcessTransport { platform }
        let process = try world.process(transport: transport, store: store)

        let registration = try await FlowRun.of(
            process.registerNotifications(for: world.account.text))
        if case .succeeded = registration.end { throw world.failure("a pending device has registered notifications") }
        try await copies.update(world.account) { $0.state = .active }
        for (application, protection) in [
            (CryptoApplicationIndex.app1, AuthenticationMethod.password), (.app2, .possession),
        ] {
            let run = try await FlowRun.of(
                process.oneTimePassword(
                    for: world.account.text, application: application, protection: protection, synchronizingWithin: nil)
            )
            guard let code = run.code?.oneTimePassword else { throw world.failure("no code: \(run.word)") }
            let decision = try await platform.login(
                LoginRequest(
                    account: world.account,
                    credential: .oneTimePassword(code, application: application)))
            try world.require(decision.status == .refused, "a code of a pending device was accepted")
        }
        let synchronized = try await FlowRun.of(
            process.oneTimePassword(for: world.account.text))
        try world.require(synchronized.steps == 0 || !isAccepted(synchronized), "a pending device has synchronized")
        let after = try await platform.account(world.account)?.devices.map(\.state)
        try world.require(
            !(after ?? []).contains { $0 == .active || $0 == .pendingNotification },
            "a probe has activated a device: \(String(describing: before)) → \(String(describing: after))")
    }

    /// Whether the synchronization was accepted: a refusal comes with a warning.
    private func isAccepted(_ run: FlowRun) -> Bool {
        guard case .succeeded = run.end else { return false }
        return !run.warnings.contains { $0.code == .notSynchronized }
    }
}
