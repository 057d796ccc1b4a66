import OrchestrationTesting
import Primitives
import TrustedIdentity

@testable import Orchestration

/// An activation through every kind of trouble.
struct ActivationWalk {
    /// How a walk ended. Every other way is a failure.
    enum End: String, CaseIterable {
        /// Both sides are active, with the same device.
        case active
        /// The platform dropped the device after five wrong passwords.
        case locked
        /// Nothing can be used on either side, for a reason that the protocol knows.
        case failed
    }

    let world: WalkWorld

    /// Registers the user and lets them try.
    func run() async throws -> End {
        world.fate.calm()
        try await world.startFirstPlatform()
        let code = try await register()
        world.fate.storm()
        let attempts = world.fate.draw(1...5)
        var process = try world.process()
        for _ in 0..<attempts {
            let run = try await attempt(code, on: process)
            try await inspect()
            if case .succeeded = run.end { return try await judge(run) }
            if case .aborted(.locked) = run.end, world.fate.draw(0...1) == 0 {
                // The user has had enough.
                return try await judge(run)
            }
            if world.fate.happens(60) {
                world.trace.add("new process")
                process = try world.process()
            }
            if world.fate.happens(30) {
                world.trace.add("platform restarts")
                try await world.startPlatform()
            }
            pass()
        }
        world.fate.calm()
        world.trace.add("calm")
        let last = try await finish(code)
        try await inspect()
        return try await judge(last)
    }

    /// Activates while nothing bad happens.
    func runCalmly() async throws {
        try await world.fate.calmly {
            try await world.startFirstPlatform()
            let run = try await flow(register(), on: world.process())
            guard case .succeeded = run.end else { throw world.failure("a calm activation failed: \(run.word)") }
            try await inspect()
        }
    }

    private func register() async throws -> String {
        let receipt = try await world.platform.register(Registration(account: world.account))
        let code = receipt.activationPassword
        guard let record = try await world.code() else { throw world.failure("no code was stored") }
        world.ledger.begin(handle: record.handle, expiresAt: receipt.expiresAt)
        return code
    }

    /// Mostly a moment, sometimes long enough for a code or a pending device to expire.
    private func pass() {
        let seconds =
            switch world.fate.draw(0...99) {
            case 0..<70: world.fate.draw(1...20)
            case 70..<92: world.fate.draw(30...150)
            case 92..<97: world.fate.draw(200...700)
            default: world.fate.draw(1_700...2_000)
            }
        if seconds > 120 { world.trace.add("\(seconds) s pass") }
        world.time.advance(seconds: Int64(seconds))
    }

    /// One flow, left or killed anywhere.
    private func attempt(_ code: String, on process: Orchestrator) async throws -> FlowRun {
        try await flow(code, on: process, leavingAfter: world.fate.happens(15) ? world.fate.draw(1...7) : nil)
    }

    private func flow(_ code: String, on process: Orchestrator, leavingAfter: Int? = nil) async throws -> FlowRun {
        let forged = world.ledger.forgedRefusals
        let stream = process.activate(ActivationParameters(user: world.account.text, activationPassword: code))
        let run = try await FlowRun.of(stream, leavingAfter: leavingAfter)
        if case .aborted(.activationPassword(.notConfirmed)) = run.end, world.ledger.forgedRefusals == forged {
            world.ledger.countUnconfirmed()
        }
        world.trace.add("activate: \(run.word)")
        world.tally.count("activate.\(run.word.prefix { $0 != "(" })")
        return run
    }

    /// The user tries to finish while nothing bad happens.
    private func finish(_ code: String) async throws -> FlowRun {
        var run = try await flow(code, on: world.process())
        // An answer that was damaged before cannot come back now; one more try tells whether it is final.
        if case .threw = run.end { run = try await flow(code, on: world.process()) }
        return run
    }

    // MARK: What must hold

    /// What must hold at any moment.
    private func inspect() async throws {
        if let complaint = world.network.complaint { throw world.failure(complaint) }
        guard let code = try await world.code() else { throw world.failure("the code is gone") }
        let slack = world.platformStore.unheardCommits
        try world.require(
            (0...TryLedger.limit).contains(code.tries)
                && (world.ledger.tries - slack...world.ledger.tries + slack).contains(code.tries),
            "\(code.tries) tries are spent, and \(world.ledger.tries) should be (±\(slack))")
        try world.require(
            world.ledger.unconfirmed <= TryLedger.unconfirmedLimit || code.expiresAt <= world.time.now(),
            "\(world.ledger.unconfirmed) runs of one code asked the platform in vain")
        let devices = try await world.devices()
        let activated = devices.filter { $0.state == .pendingNotification || $0.state == .active }
        try world.require(activated.count <= 1, "\(activated.count) devices are active")
        try world.require(devices.count { $0.state == .pending } <= 1, "two devices are pending")
        try world.require(
            devices.allSatisfy { $0.passwordFailures < 5 }, "a device with five failures is still there")
        let record = try await world.record()
        if case .active? = record?.state {
            try world.require(
                activated.map(\.id) == [record?.deviceID],
                "the device believes that it is active, and the platform does not")
        }
        guard activated.isEmpty, let record, world.fate.draw(0...3) == 0 else { return }
        try await HalfActivationProbe(world: world, record: record).run()
    }

    private func judge(_ last: FlowRun) async throws -> End {
        let record = try await world.record()
        let devices = try await world.devices()
        let activated = devices.filter { $0.state == .pendingNotification || $0.state == .active }
        if record?.state == .active {
            try world.require(activated.count == 1, "active on the device alone")
            try world.require(try await world.code()?.secret == nil, "the code was not burned")
            try world.require(world.ledger.exchanges > 0, "active without an exchange")
            return .active
        }
        try world.require(activated.isEmpty, "active at the platform alone: \(last.word)")
        if let record { try await HalfActivationProbe(world: world, record: record).run() }
        guard let code = try await world.code() else { throw world.failure("the code is gone") }
        let isExpired = code.expiresAt <= world.time.now()
        let isSpent = code.tries >= TryLedger.limit
        let isExhausted = world.ledger.unconfirmed >= TryLedger.unconfirmedLimit
        let isLocked = try await world.platform.audit(of: world.account).contains {
            $0.event == .activationDropped && $0.reason == "wrongPassword"
        }
        try world.require(
            isExpired || isSpent || isExhausted || isLocked,
            "a good code does not activate in a calm: \(last.word)")
        try await world.fate.calmly { try await recover() }
        return isLocked ? .locked : .failed
    }

    /// Whatever went wrong, a new code helps.
    private func recover() async throws {
        let code = try await register()
        let run = try await flow(code, on: world.process())
        guard case .succeeded = run.end else { throw world.failure("a new code does not help: \(run.word)") }
        let devices = try await world.devices().filter { $0.state != .revoked }
        try world.require(devices.count == 1, "a second device is left")
        try world.require(try await world.record()?.state == .active, "the new activation is not active")
    }
}
