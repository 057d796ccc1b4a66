import OrchestrationTesting
import Primitives
import TrustedIdentity

@testable import Orchestration

/// Codes that are made and typed.
extension LoginWalk {
    private static let timeStep: Int64 = 30_000

    /// A code that was shown, with its value.
    struct Shown {
        let code: String
        let application: CryptoApplicationIndex
        /// The step that the device took for the current one, or the counter.
        let value: Int64
        /// The device's platform time less the platform's, in milliseconds.
        let error: Int64
        /// The fields of a signature.
        var fields: [DataField] = []
    }

    /// Makes a time-based code and types it, at once or somewhat later.
    func logIn(
        on process: Orchestrator? = nil, synchronizes: Bool? = nil, typesTwice: Bool? = nil
    ) async throws {
        pass(seconds: world.chance.draw(31...95))
        stepClock()
        guard let shown = try await show(.app1, on: process ?? anyProcess(), synchronizes: synchronizes) else { return }
        // The user types with a delay that leaves the code at most one time step away from the platform's.
        let slack = Self.timeStep - 2_000 - abs(shown.error)
        guard slack > 0 else { return }
        world.time.advance(milliseconds: Int64(world.chance.draw(0...Int(min(slack, 25_000)))))
        try await type(shown)
        if typesTwice ?? (world.chance.draw(0...3) == 0) { try await typeAgain(shown) }
    }

    /// Makes a counter-based code and types it, perhaps minutes later.
    func logInByCounter(on process: Orchestrator? = nil) async throws {
        guard let shown = try await show(.app2, on: process ?? anyProcess()) else { return }
        pass(seconds: world.chance.draw(0...200))
        try await type(shown)
        if world.chance.draw(0...3) == 0 { try await typeAgain(shown) }
    }

    /// Makes counter-based codes that are never typed.
    func skipCodes() async throws {
        for _ in 0..<world.chance.draw(1...3) where skipped[.app2, default: 0] < 6 {
            _ = try await show(.app2, on: anyProcess(), synchronizes: false)
        }
    }

    /// Makes a code, or a signature over fields. Returns `nil` when the flow ended before it was shown.
    ///
    /// - Parameter between: Runs when the code is shown, before the next step of the flow.
    func show(
        _ application: CryptoApplicationIndex, over fields: [DataField] = [], on process: Orchestrator,
        synchronizes: Bool? = nil, between: (() async throws -> Void)? = nil
    ) async throws -> Shown? {
        let error = try await clockError()
        let isRestored = try await device().isRestored
        let synchronizes = synchronizes ?? (world.chance.draw(0...4) > 0)
        let counter = try await counter(of: application)
        let value = application == .app1 ? step(error) : counter
        let limit: Duration? = synchronizes ? .milliseconds(world.chance.pick([60_000, 3_600_000])) : nil
        let leavingAfter = world.chance.happens(10) ? world.chance.draw(1...3) : nil
        let flow =
            fields.isEmpty
            ? process.oneTimePassword(
                for: world.account.text, application: application, synchronizingWithin: limit)
            : process.sign(fields, for: world.account.text, synchronizingWithin: limit)
        let run = try await FlowRun.of(flow, leavingAfter: leavingAfter, between: between)
        world.trace.add("\(application)\(synchronizes ? "" : " offline"): \(run.word)")
        world.tally.count("code.\(run.word.prefix { $0 != "(" && $0 != ":" })")
        try requireNoAlarm(run)
        if isRestored, synchronizes {
            reported[.app1] = max(reported[.app1, default: 0], try await step(clockError()) + 1, step(error) + 1)
            for application in [CryptoApplicationIndex.app2, .app4] {
                let counter = try await self.counter(of: application)
                reported[application] = max(reported[application, default: 0], counter)
            }
        }
        if application != .app1, try await self.counter(of: application) > counter {
            skipped[application, default: 0] += 1
        }
        return (run.code?.oneTimePassword ?? run.signature?.signature).map {
            Shown(code: $0, application: application, value: value, error: error, fields: fields)
        }
    }

    /// Types a code. It is accepted, unless it is used up or the platform was restored.
    func type(_ shown: Shown) async throws {
        let device = try await device()
        let (decision, wasLost) = try await login(shown)
        world.tally.count("login.\(shown.application).\(decision.reason.rawValue)")
        let age = shown.application == .app1 ? ", \(step(0) - shown.value) steps old" : ""
        world.trace.add("login \(shown.application): \(decision.reason)\(age)")
        let next = next[shown.application, default: 0]
        if decision.status == .accepted || (wasLost && decision.reason == .usedCode && shown.value >= next) {
            try world.require(!device.isRestored, "a restored platform accepts codes before it is synchronized")
            try world.require(shown.value >= next, "a code that is used up was accepted")
            try world.require(decision.hostCode != nil || wasLost, "there is no host code")
            accepted.append(shown)
            self.next[shown.application] = shown.value + 1
            skipped[shown.application] = 0
            return
        }
        if device.isRestored {
            try world.require(
                decision.reason == .notSynchronized,
                "a restored platform refuses for another reason: \(decision.reason)")
            return
        }
        let used = max(next, reported[shown.application, default: 0])
        try world.require(
            shown.value < used && decision.reason == .usedCode,
            "a code is refused: \(decision.reason); value \(shown.value), unused from \(used), error \(shown.error) ms")
    }

    /// Types a code a second time. A code that was accepted is refused, and no failure is counted.
    func typeAgain(_ shown: Shown) async throws {
        let wasAccepted = accepted.contains { $0.code == shown.code }
        let (decision, _) = try await login(shown)
        world.trace.add("login again: \(decision.reason)")
        world.tally.count("again.\(decision.reason.rawValue)")
        guard wasAccepted else { return }
        try world.require(decision.status == .refused, "a code was accepted twice")
    }

    /// Logs in, and repeats the request when the store fails. Returns the decision and whether an answer was lost.
    private func login(_ shown: Shown) async throws -> (value: LoginDecision, wasLost: Bool) {
        try await persistently { try await decide(shown, on: world.platform) }
    }

    /// Sends a code to a platform: as a login, or a signature as a transaction.
    func decide(_ shown: Shown, on platform: Platform) async throws -> LoginDecision {
        guard shown.fields.isEmpty else {
            return try await platform.validate(
                LocalTransaction(account: world.account, fields: shown.fields, signature: shown.code))
        }
        return try await platform.login(
            LoginRequest(
                account: world.account, credential: .oneTimePassword(shown.code, application: shown.application)))
    }

    func counter(of application: CryptoApplicationIndex) async throws -> Int64 {
        Int64(try await world.record()?.counters[application.rawValue, default: 0] ?? 0)
    }

    /// Returns the device's platform time less the platform's, in milliseconds.
    func clockError() async throws -> Int64 {
        guard let record = try await world.record() else { throw world.failure("the record is gone") }
        return world.deviceTime.milliseconds + record.clockOffset
    }

    private func step(_ error: Int64) -> Int64 {
        (world.time.now().millisecondsSinceEpoch + error) / Self.timeStep
    }

    /// Changes the device's clock in some cases.
    private func stepClock() {
        guard world.chance.happens(15) else { return }
        world.deviceTime.milliseconds += Int64(world.chance.draw(-20_000...20_000))
        world.trace.add("the device's clock steps to \(world.deviceTime.milliseconds) ms")
    }

    func requireNoAlarm(_ run: FlowRun) throws {
        switch run.end {
        case .aborted(.canceled), .aborted(.superseded), .left, .succeeded: break
        // A restored platform refuses what it may have answered before the loss.
        case .refused(4) where world.time.now() < refusesUntil: break
        case .aborted, .refused, .outdated: throw world.failure("a flow ends: \(run.word)")
        case .threw(let error as OrchestrationError):
            try world.require(
                [.transport, .invalidAnswer].contains(error.code), "a flow has thrown \(error)")
        case .threw: break
        case .endedEarly: throw world.failure("a flow ended without a terminal event")
        }
        for warning in run.warnings where warning.code.description.hasPrefix("failedCodes") {
            throw world.failure("failures are reported: \(warning)")
        }
    }
}
