import OrchestrationTesting
import Primitives
import Testing

@Suite struct ManualTimeSourceTests {
    @Test func `a sleeper is woken when the time reaches its end and not before`() async throws {
        let time = ManualTimeSource()
        let sleeper = Task { try await time.sleep(for: .milliseconds(500)) }
        await time.sleepers(1)
        time.advance(milliseconds: 499)
        #expect(time.sleeperCount == 1)
        time.advance(milliseconds: 1)
        try await sleeper.value
        #expect(time.sleeperCount == 0)
    }

    @Test func `stepping the clock back ends no sleep`() async throws {
        let time = ManualTimeSource(at: Timestamp(secondsSinceEpoch: 1000))
        let sleeper = Task { try await time.sleep(for: .milliseconds(1)) }
        await time.sleepers(1)
        time.advance(seconds: -10)
        #expect(time.sleeperCount == 1)
        #expect(time.now() == Timestamp(secondsSinceEpoch: 990))
        time.set(to: Timestamp(secondsSinceEpoch: 2000))
        try await sleeper.value
    }

    @Test func `setting the clock lets no time pass`() async throws {
        let time = ManualTimeSource(at: Timestamp(secondsSinceEpoch: 1000))
        let sleeper = Task { try await time.sleep(for: .milliseconds(500)) }
        await time.sleepers(1)
        time.step(milliseconds: 60_000)
        #expect(time.now() == Timestamp(secondsSinceEpoch: 1060))
        #expect(time.uptime() == .zero)
        #expect(time.sleeperCount == 1)
        time.advance(milliseconds: 499)
        time.advance(milliseconds: -20)
        #expect(time.uptime() == .milliseconds(499))
        #expect(time.sleeperCount == 1)
        time.advance(milliseconds: 21)
        try await sleeper.value
        #expect(time.uptime() == .milliseconds(520))
    }

    @Test func `a canceled sleeper wakes at once with an error`() async {
        let time = ManualTimeSource()
        let sleeper = Task { try await time.sleep(for: .milliseconds(500)) }
        await time.sleepers(1)
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(time.sleeperCount == 0)
    }

    @Test func `a sleep of nothing returns`() async throws {
        let time = ManualTimeSource()
        try await time.sleep(for: .milliseconds(0))
        #expect(time.sleeperCount == 0)
    }
}
