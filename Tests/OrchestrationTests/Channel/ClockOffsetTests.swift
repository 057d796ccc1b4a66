import Primitives
import Testing

@testable import Orchestration

@Suite struct ClockOffsetTests {
    private static let noon = Timestamp(secondsSinceEpoch: 1_800_000_000)

    /// An answer with a platform's clock that is ahead, after a round trip.
    private static func observe(_ offset: inout ClockOffset, ahead: Int64, roundTrip: Int64 = 200) {
        let platform = noon.advanced(milliseconds: roundTrip / 2 + ahead)
        offset.observe(
            ClockSample(platform: platform, received: noon.advanced(milliseconds: roundTrip), roundTrip: roundTrip))
    }

    @Test func `a small difference is taken at once`() {
        var offset = ClockOffset()
        Self.observe(&offset, ahead: 59_000)
        #expect(offset.milliseconds == 59_000)
        #expect(offset.candidate == nil)
        #expect(offset.platformTime(at: Self.noon) == Self.noon.advanced(seconds: 59))
    }

    @Test(arguments: [90_000, -90_000, 86_400_000] as [Int64])
    func `a change over a minute needs two answers that agree`(ahead: Int64) {
        var offset = ClockOffset()
        Self.observe(&offset, ahead: ahead)
        #expect(offset.milliseconds == 0)
        #expect(offset.candidate == ahead)
        #expect(offset.platformTime(at: Self.noon) == Self.noon)
        #expect(offset.requestTime(at: Self.noon) == Self.noon.advanced(milliseconds: ahead))
        Self.observe(&offset, ahead: ahead + 5_000)
        #expect(offset.milliseconds == ahead + 5_000)
        #expect(offset.candidate == nil)
    }

    @Test func `two answers that disagree change nothing`() {
        var offset = ClockOffset()
        Self.observe(&offset, ahead: 90_000)
        Self.observe(&offset, ahead: -90_000)
        #expect(offset.milliseconds == 0)
        #expect(offset.candidate == -90_000)
    }

    @Test func `an answer that confirms what was known removes the candidate`() {
        var offset = ClockOffset()
        Self.observe(&offset, ahead: 90_000)
        Self.observe(&offset, ahead: 100)
        #expect(offset.milliseconds == 100)
        #expect(offset.candidate == nil)
    }

    @Test(arguments: [10_000, 60_000, -1] as [Int64])
    func `a slow answer and a negative round trip are ignored`(roundTrip: Int64) {
        var offset = ClockOffset()
        Self.observe(&offset, ahead: 5_000, roundTrip: roundTrip)
        #expect(offset == ClockOffset())
    }

    @Test func `extreme times do not trap`() {
        var offset = ClockOffset(milliseconds: .min)
        offset.observe(
            ClockSample(
                platform: Timestamp(millisecondsSinceEpoch: .max), received: Timestamp(millisecondsSinceEpoch: .min),
                roundTrip: 0))
        #expect(offset.candidate == .max)
        #expect(offset.platformTime(at: Timestamp(millisecondsSinceEpoch: -5)).millisecondsSinceEpoch == .min)
    }
}
