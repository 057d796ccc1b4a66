import OrchestrationTesting
import Primitives
import TrustedIdentity

@testable import Orchestration

/// An activation with every kind of fault.
struct ActivationWalk {
    /// How a walk ended. Every other way is a failure.
    enum End: String, CaseIterable {
        /// Both sides are active, with the same device.
        case active
        /// The platform dropped the device after five wrong passwords.
        case locked
        /// Neither side has a usable device, for a reason that the protocol defines.
        case failed
    }

    let world: WalkWorld

    /// Registers the user and runs activations with faults, then one without.
    func run() async throws -> End {
        world.chance.disableFaults()
        try await world.startFirstPlatform()
        let code = try await register()
        world.chance.enableFaults()
        let attempts = world.chance.draw(1...5)
        var process = try world.process()
        for _ in 0..<attempts {
            let run = try await attempt(code, on: process)
            try await inspect()
            if case .succeeded = run.end { return try await judge(run) }
            if case .aborted(.userLocked) = run.end, world.chance.draw(0...1) == 0 {
                // The user does not try again.
                return try await judge(run)
            }
            if world.chance.happens(60) {
                world.trace.add("new process")
                process = try world.process()
            }
            if world.chance.happens(30) {
                world.trace.add("platform restarts")
                try await world.startPlatform()
            }
            pass()
        }
        world.chance.disableFaults()
        world.trace.add("no more faults")
        let last = try await finish(code)
        try await inspect()
        return try await judge(last)
    }

    /// Activates without faults.
    func runWithoutFaults() async throws {
        try await world.chance.withoutFaults {
            try await world.startFirstPlatform()
            let run = try await flow(register(), on: world.process())
            guard case .succeeded = run.end else {
                throw world.failure("an activation without faults failed: \(run.word)")
            }
            try await inspect()
        }
    }

    private func register() async throws -> String {
        let receipt = try await world.platform.register(Registration(account: world.account))
        let code = receipt.activationPassword
        guard let record = try await world.code() else { throw world.failure("no activation password was stored") }
        world.ledger.begin(handle: record.handle, expiresAt: receipt.expiresAt)
        return code
    }

    /// Advances the time: usually by seconds, sometimes until an activation password or a pending device expires.
    private func pass() {
        let seconds =
            switch world.chance.draw(0...99) {
            case 0..<70: world.chance.draw(1...20)
            case 70..<92: world.chance.draw(30...150)
            case 92..<97: world.chance.draw(200...700)
            default: world.chance.draw(1_700...2_000)
            }
        if seconds > 120 { world.trace.add("\(seconds) s pass") }
        world.time.advance(seconds: Int64(seconds))
    }

    /// Runs one flow, which may be left at any event.
    private func attempt(_ code: String, on process: Orchestrator) async throws -> FlowRun {
        try await flow(code, on: process, leavingAfter: world.chance.happens(15) ? world.chance.draw(1...7) : nil)
    }

    private func flow(_ code: String, on process: Orchestrator, leavingAfter: Int? = nil) async throws -> FlowRun {
        let forged = world.ledger.forgedRefusals
        let stream = process.activate(world.account.text, with: code)
        let run = try await FlowRun.of(stream, leavingAfter: leavingAfter)
        if case .aborted(.activationPasswordNotConfirmed) = run.end, world.ledger.forgedRefusals == forged {
            world.ledger.countUnconfirmed()
        }
        world.trace.add("activate: \(run.word)")
        world.tally.count("activate.\(run.word.prefix { $0 != "(" })")
        return run
    }

    /// Activates without faults, at most twice.
    private func finish(_ code: String) async throws -> FlowRun {
        var run = try await flow(code, on: world.process())
        // The first run may end with an answer that was damaged earlier. The second shows whether the error is final.
        if case .threw = run.end { run = try await flow(code, on: world.process()) }
        return run
    }

    // MARK: Invariants

    /// Checks what must hold after each attempt.
    private func inspect() async throws {
        if let violation = world.network.violation { throw world.failure(violation) }
        guard let code = try await world.code() else { throw world.failure("the activation password is gone") }
        let slack = world.platformStore.unreportedCommits
        try world.require(
            (0...TryLedger.limit).contains(code.tries)
                && (world.ledger.tries - slack...world.ledger.tries + slack).contains(code.tries),
            "\(code.tries) tries are spent, and \(world.ledger.tries) should be (±\(slack))")
        try world.require(
            world.ledger.unconfirmed <= TryLedger.unconfirmedLimit || code.expiresAt <= world.time.now(),
            "\(world.ledger.unconfirmed) runs with one activation password were not confirmed")
        let devices = try await world.devices()
        let activated = devices.filter { $0.state == .pendingNotification || $0.state == .active }
        try world.require(activated.count <= 1, "\(activated.count) devices are active")
        try world.require(devices.count { $0.state == .pending } <= 1, "two devices are pending")
        try world.require(
            devices.allSatisfy { $0.passwordFailures < 5 }, "a device with five failures was not removed")
        let record = try await world.record()
        if case .active? = record?.state {
            try world.require(
                activated.map(\.id) == [record?.deviceID],
                "the device is active on the device only")
        }
        guard activated.isEmpty, let record, world.chance.draw(0...3) == 0 else { return }
        try await HalfActivationProbe(world: world, record: record).run()
    }

    private func judge(_ last: FlowRun) async throws -> End {
        let record = try await world.record()
        let devices = try await world.devices()
        let activated = devices.filter { $0.state == .pendingNotification || $0.state == .active }
        if record?.state == .active {
            try world.require(activated.count == 1, "active on the device alone")
            try world.require(try await world.code()?.secret == nil, "the activation password was not spent")
            try world.require(world.ledger.exchanges > 0, "active without an exchange")
            return .active
        }
        try world.require(activated.isEmpty, "active at the platform alone: \(last.word)")
        if let record { try await HalfActivationProbe(world: world, record: record).run() }
        guard let code = try await world.code() else { throw world.failure("the activation password is gone") }
        let isExpired = code.expiresAt <= world.time.now()
        let isSpent = code.tries >= TryLedger.limit
        let isExhausted = world.ledger.unconfirmed >= TryLedger.unconfirmedLimit
        let isLocked = try await world.platform.audit(of: world.account).contains {
            $0.event == .activationDropped && $0.reason == "wrongPassword"
        }
        try world.require(
            isExpired || isSpent || isExhausted || isLocked,
            "a valid activation password does not activate without faults: \(last.word)")
        try await world.chance.withoutFaults { try await recover() }
        return isLocked ? .locked : .failed
    }

    /// Activates with a new activation password, which must succeed.
    private func recover() async throws {
        let code = try await register()
        let run = try await flow(code, on: world.process())
        guard case .succeeded = run.end else {
            throw world.failure("a new activation password does not activate: \(run.word)")
        }
        let devices = try await world.devices().filter { $0.state != .revoked }
        try world.require(devices.count == 1, "a second device is left")
        try world.require(try await world.record()?.state == .active, "the new activation is not active")
    }
}
