import Orchestration
import OrchestrationTesting
import Primitives
import TrustedIdentity

/// Two processes of the device on one store.
extension PasswordWalk {
    /// Changes the password, or approves, while another process changes the password at a question.
    func interleave() async throws {
        world.tally.count("interleaved")
        let other = try bystander()
        try await use { await other.change() }
    }

    /// Changes the password, or approves, while another process changes the password and a message of the first one, or
    /// its answer, is under way.
    func overtake() async throws {
        world.tally.count("overtaken")
        let (other, network) = (try bystander(), world.network)
        let meanwhile = WalkNetwork.Meanwhile(isBeforeArrival: world.chance.draw(0...1) == 0) { await other.change() }
        if world.chance.draw(0...1) == 0 {
            network.meanwhile(meanwhile)
            try await use {}
        } else {
            // The message after the question.
            try await use { network.meanwhile(meanwhile) }
        }
        network.meanwhile(nil)
    }

    private func use(between: @escaping @Sendable () async -> Void) async throws {
        if world.chance.draw(0...2) > 0 {
            try await change(on: processes[0], between: between)
        } else {
            try await approve(on: processes[0], between: between)
        }
    }

    private func bystander() throws -> Bystander {
        let other = ChangingUser(chance: world.chance)
        return Bystander(process: try device.process(other), device: device, user: user, other: other)
    }
}

/// Another process of the device.
private struct Bystander: Sendable {
    let process: Orchestrator
    let device: PasswordDevice
    let user: ChangingUser
    /// The same user at this process.
    let other: ChangingUser

    /// Changes the password, in a task of its own, because a flow of this one may be canceled meanwhile.
    func change() async {
        await Task {
            let world = device.world
            // The process before may have changed the password already.
            guard let present = try? await device.validPassword() else { return }
            other.know(.init(present: present, next: PasswordDevice.password(other: present, world.chance)))
            let run = try? await FlowRun.of(process.changePassword(of: world.account.text))
            world.trace.add("meanwhile: \(run?.word ?? "broken")")
            world.tally.count("meanwhile.\(run?.kind ?? "broken")")
            // The user knows which password is valid now.
            if let valid = try? await device.validPassword() { user.learn(present: valid) }
        }.value
    }
}
