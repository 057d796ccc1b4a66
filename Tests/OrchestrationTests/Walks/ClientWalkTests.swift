import OrchestrationTesting
import Primitives
import Testing
import TrustedIdentity

@testable import Orchestration

/// Short seeded walks with network faults, app crashes and the right password.
@Suite struct ClientWalkTests {
    @Test(arguments: 0..<60)
    func `no honest device becomes unusable or is counted wrongly`(seed: UInt64) async throws {
        let draws = SeededRandomSource(seed: 1_000 + seed)
        var generator = draws.generator()
        let stage = try await Stage()
        let faults = FaultInjectingTransport(
            stage.platform.transport, plan: FaultPlan(random: draws, percentage: 30), clock: stage.platform.time)

        // Activation: each run may fail, be left at any event, or complete.
        var code = try await stage.platform.register("alice")
        for attempt in 0... {
            if attempt == 12 { faults.follow(.none) }
            try #require(attempt < 20, "the activation never ends")
            var events = Int.random(in: 1...12, using: &generator)
            do {
                let flow = try stage.orchestrator(transport: faults).activate("alice", with: code)
                for try await event in flow {
                    let spent: Set = [
                        OrchestrationError.Code.activationPasswordNotConfirmed, .activationPasswordTriedTooOften,
                    ]
                    if let failure = event.failure, spent.contains(failure.code) {
                        code = try await stage.platform.register("alice")
                    }
                    events -= 1
                    if events == 0 { break }
                }
            } catch let error as OrchestrationError {
                #expect([.transport, .invalidAnswer, .alreadyActivated].contains(error.code), "\(error)")
            }
            if try await stage.orchestrator().user("alice").isActivated { break }
        }

        // Use: codes, ratchet moves, registrations. Every code that is typed at once is accepted.
        faults.follow(FaultPlan(random: draws, percentage: 30))
        for _ in 0..<8 {
            stage.advance(seconds: Int64.random(in: 31...900, using: &generator))
            let process = try stage.orchestrator(transport: faults)
            for try await event in process.oneTimePassword(for: "alice") {
                if case .aborted(let error) = event { Issue.record("aborted: \(error)") }
                guard case .oneTimePasswordReady(let result) = event else { continue }
                let decision = try await stage.platform.login("alice", code: result.oneTimePassword)
                #expect(decision.status == .accepted, "\(decision.reason)")
                if Bool.random(using: &generator) { break }
            }
            do {
                _ = try await process.registerNotifications(for: "alice").result()
            } catch let error as OrchestrationError {
                #expect([.transport, .invalidAnswer].contains(error.code), "\(error)")
            }
        }
        let report = try #require(try await stage.platform.platform.account(ActivationExchange.account))
        let active = report.devices.filter { $0.state == .active || $0.state == .pendingNotification }
        #expect(active.count == 1)
        #expect(report.devices.allSatisfy { $0.passwordFailures == 0 && $0.state != .locked })
        #expect(report.failures.allSatisfy { $0.total == 0 })
    }
}
