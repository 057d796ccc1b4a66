import Primitives
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [(0, 0), (999, 0), (1000, 1), (-1, -1), (-1000, -1), (-1001, -2), (Int64.max, Int64.max / 1000)])
    func `seconds are rounded towards the past`(_ milliseconds: Int64, _ seconds: Int64) {
        #expect(Timestamp(millisecondsSinceEpoch: milliseconds).secondsSinceEpoch == seconds)
    }

    @Test func `adding never overflows`() {
        let last = Timestamp(millisecondsSinceEpoch: .max)
        let first = Timestamp(millisecondsSinceEpoch: .min)
        #expect(last.advanced(milliseconds: 1) == last)
        #expect(last.advanced(seconds: .max) == last)
        #expect(Timestamp(secondsSinceEpoch: .max) == last)
        #expect(Timestamp(secondsSinceEpoch: .min) == first)
        #expect(first.advanced(milliseconds: -1) == first)
        #expect(first.advanced(seconds: .min) == first)
        #expect(Timestamp(secondsSinceEpoch: 5).advanced(seconds: -6) == Timestamp(millisecondsSinceEpoch: -1000))
    }

    @Test func `a difference is signed and clamped`() {
        let early = Timestamp(secondsSinceEpoch: 10)
        let late = Timestamp(secondsSinceEpoch: 12)
        #expect(late.milliseconds(since: early) == 2000)
        #expect(early.milliseconds(since: late) == -2000)
        #expect(early < late)
        let first = Timestamp(millisecondsSinceEpoch: .min)
        let last = Timestamp(millisecondsSinceEpoch: .max)
        #expect(last.milliseconds(since: first) == .max)
        #expect(first.milliseconds(since: last) == .min)
    }
}
