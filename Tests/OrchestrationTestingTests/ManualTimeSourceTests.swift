import OrchestrationTesting
import Primitives
import TestSupport
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

    @Test func `sleepers that begin one after another end the wait for all of them`() async throws {
        let time = ManualTimeSource()
        let waiting = Task {
            await time.sleepers(3)
            return time.sleeperCount
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...3 {
                group.addTask { try await time.sleep(for: .seconds(1)) }
                await time.sleepers(number)
            }
            #expect(await waiting.value == 3)
            time.advance(seconds: 1)
            try await group.waitForAll()
        }
        #expect(time.sleeperCount == 0)
    }

    @Test func `a sleep that does not begin is not waited for`() async throws {
        let time = ManualTimeSource()
        let waiting = Task {
            await time.sleepers(1)
            return time.sleeperCount
        }
        let canceled = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await time.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await canceled.value }
        try await time.sleep(for: .zero)
        try await time.sleep(for: .seconds(-1))
        let lasting = Task { try await time.sleep(for: .seconds(1)) }
        #expect(await waiting.value == 1)
        time.advance(seconds: 1)
        try await lasting.value
    }

    @Test func `a wait for sleepers that do not come ends when it is canceled`() async {
        let time = ManualTimeSource()
        let waiting = Task { await time.sleepers(1) }
        await Settling.wait()
        waiting.cancel()
        await waiting.value
        #expect(time.sleeperCount == 0)
    }
}
