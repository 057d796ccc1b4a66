import CommandLine
import Testing

/// The countdown of a terminal.
struct CountdownTests {
    /// A clock that only sleeping moves.
    private final class Clock {
        var now: Duration
        var slept: [Duration] = []

        init(_ now: Duration) { self.now = now }
    }

    private func shown(
        _ duration: Duration, late: Duration = .zero, from start: Duration = .seconds(7)
    ) async throws -> (seconds: [Int64], clock: Clock) {
        let clock = Clock(start)
        var seconds: [Int64] = []
        try await Countdown.run(
            for: duration, uptime: { clock.now },
            sleep: { time in
                clock.slept.append(time)
                clock.now += time + late
            },
            show: { seconds.append($0) })
        return (seconds, clock)
    }

    @Test func `each second is shown once, and the last one is 0`() async throws {
        let (seconds, clock) = try await shown(.seconds(3))
        #expect(seconds == [3, 2, 1, 0])
        #expect(clock.slept == [.seconds(1), .seconds(1), .seconds(1)])
        #expect(clock.now == .seconds(10))
    }

    @Test func `a part of a second is a second, and the next one comes after that part`() async throws {
        let (seconds, clock) = try await shown(.milliseconds(2_300))
        #expect(seconds == [3, 2, 1, 0])
        #expect(clock.slept == [.milliseconds(300), .seconds(1), .seconds(1)])
    }

    @Test func `a wait that is too long is made up for`() async throws {
        let (seconds, clock) = try await shown(.seconds(4), late: .milliseconds(1_500))
        #expect(seconds == [4, 2, 0])
        #expect(clock.slept == [.seconds(1), .milliseconds(500)])
    }

    @Test(arguments: [Duration.zero, .seconds(-3)])
    func `nothing is waited for when no time is left`(duration: Duration) async throws {
        let (seconds, clock) = try await shown(duration)
        #expect(seconds == [0] && clock.slept.isEmpty)
    }

    @Test func `a countdown that is canceled ends`() async {
        var seconds: [Int64] = []
        await #expect(throws: CancellationError.self) {
            try await Countdown.run(
                for: .seconds(9), uptime: { .zero }, sleep: { _ in throw CancellationError() },
                show: { seconds.append($0) })
        }
        #expect(seconds == [9])
    }

    @Test func `a line replaces the one before`() {
        #expect(Countdown.line("seconds left  7") == "\rseconds left  7\u{1B}[K")
    }
}
