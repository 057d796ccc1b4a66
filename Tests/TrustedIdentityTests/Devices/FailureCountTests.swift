import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// Wrong passwords that a right one does not end.
struct FailureCountTests {
    /// Decides on a proof of the password.
    private func decide(_ device: DeviceRecord, isRight: Bool, at time: Timestamp) -> DeviceDecision {
        Fixture.decide(
            device, .passwordProve, proof: isRight ? .right(.password) : .wrong(.password), now: time)
    }

    @Test func `four guesses before each approval of the user lock the device at the fifteenth`() {
        var (device, guesses) = (Fixture.device(), 0)
        for day in 0..<100 {
            let time = Fixture.now.advanced(seconds: Int64(day) * 3_600)
            for _ in 0..<4 where device.state == .active {
                device = decide(device, isRight: false, at: time).device
                guesses += 1
            }
            guard device.state == .active else { break }
            let decision = decide(device, isRight: true, at: time)
            #expect(decision.failedPasswords == 4)
            device = decision.device
            #expect(device.passwordFailures == 0)
        }
        #expect(guesses == 15 && device.lockReason == .wrongPassword)
    }

    @Test func `a wrong password is dropped after three days, and the tries that are left say so`() {
        var device = Fixture.device()
        for _ in 0..<13 {
            device = decide(device, isRight: false, at: Fixture.now).device
            device.passwordFailures = 0
        }
        #expect(device.countedFailures(at: Fixture.now) == 13)
        #expect(decide(device, isRight: false, at: Fixture.now).remainingTries == 1)
        let later = Fixture.now.advanced(milliseconds: DeviceRecord.failureLifetime)
        #expect(device.countedFailures(at: later) == 12)
        #expect(decide(device, isRight: false, at: later).remainingTries == 2)
        #expect(device.countedFailures(at: Fixture.now.advanced(milliseconds: 13 * DeviceRecord.failureLifetime)) == 0)
        let last = decide(decide(device, isRight: false, at: Fixture.now).device, isRight: false, at: Fixture.now)
        #expect(last.remainingTries == 0 && last.device.state == .locked)
    }

    @Test func `a user with five approvals a day and two of a hundred mistyped is not locked in five years`() {
        for seed in 1...20 as ClosedRange<UInt64> {
            var (device, random, highest) = (Fixture.device(), SeededGenerator(seed: seed), 0)
            for approval in 0..<5 * 5 * 365 {
                let time = Fixture.now.advanced(seconds: Int64(approval) * 86_400 / 5)
                while Int.random(in: 1...100, using: &random) <= 2 {
                    device = decide(device, isRight: false, at: time).device
                }
                highest = max(highest, device.countedFailures(at: time))
                guard device.state == .active else { break }
                device = decide(device, isRight: true, at: time).device
            }
            #expect(device.state == .active, "seed \(seed), highest \(highest)")
        }
    }

    @Test func `a change of the password and a lift clear the count, and a code does not`() async throws {
        let harness = try await Harness()
        let device = try await harness.activate()
        func fail() async throws {
            let answer = try await device.send(.passwordProve, proof: .password, wrong: true, to: harness)
            #expect(answer.refusal == .wrongPassword)
        }
        func count() async throws -> Int {
            try #require(try await harness.device(device)).countedFailures(at: harness.time.now())
        }
        try await fail()
        #expect(try await harness.login(device.code(counter: 3), application: .app2).status == .accepted)
        try await device.send(.passwordProve, proof: .password, to: harness)
        #expect(try await count() == 1)
        device.take(try #require(try await device.offeredChange(by: harness)))
        try await device.send(.passwordProve, proof: .password, to: harness)
        #expect(try await count() == 0)
        try await fail()
        try await harness.platform.liftBlocks(of: Harness.account())
        let row = try #require(try await harness.device(device))
        #expect(row.passwordFailures == 0 && row.failuresEndAt == nil)
    }

    @Test func `a right password reports the wrong ones before to the app and to the application server`() async throws
    {
        var configuration = PlatformConfiguration(postQuantum: .off)
        configuration.recordsEvents = true
        let harness = try await Harness(configuration)
        let device = try await harness.activate()
        for _ in 0..<3 { try await device.send(.passwordProve, proof: .password, wrong: true, to: harness) }
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).failedPasswords == 3)
        #expect(try await device.send(.passwordProve, proof: .password, to: harness).failedPasswords == 0)
        let events = try await harness.platform.store.read { try $0.events(after: 0, limit: 100) }.map(\.event)
        let failures = events.filter { $0.kind == .passwordsFailed }
        #expect(failures.map(\.count) == [3] && failures.first?.device == device.id)
    }
}
