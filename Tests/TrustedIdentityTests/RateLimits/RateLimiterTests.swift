import Primitives
import Testing

@testable import TrustedIdentity

struct RateLimiterTests {
    let start = Timestamp(secondsSinceEpoch: 1_800_000_000)

    @Test func `a burst of a minute's worth passes, and then one as each is earned`() {
        var limiter = RateLimiter(perMinute: 60)
        for _ in 0..<60 { #expect(limiter.charge([1], now: start) == nil) }
        #expect(limiter.charge([1], now: start) == 1_000)
        #expect(limiter.charge([1], now: start.advanced(milliseconds: 999)) == 1)
        #expect(limiter.charge([1], now: start.advanced(milliseconds: 1_000)) == nil)
        #expect(limiter.charge([1], now: start.advanced(milliseconds: 1_000)) == 1_000)
    }

    @Test func `one key does not use up another's`() {
        var limiter = RateLimiter(perMinute: 1)
        #expect(limiter.charge([1], now: start) == nil)
        #expect(limiter.charge([1], now: start) == 60_000)
        #expect(limiter.charge([2], now: start) == nil)
    }

    @Test func `a clock that is set back adds no requests`() {
        var limiter = RateLimiter(perMinute: 2)
        #expect(limiter.charge([1], now: start) == nil)
        #expect(limiter.charge([1], now: start.advanced(seconds: -3_600)) == nil)
        #expect(limiter.charge([1], now: start.advanced(seconds: -3_600)) == 30_000)
        #expect(limiter.charge([1], now: start.advanced(seconds: -3_570)) == nil)
    }

    @Test func `a refund adds a request, up to the capacity`() {
        var limiter = RateLimiter(perMinute: 2)
        limiter.refund([1])
        for _ in 0..<2 { #expect(limiter.charge([1], now: start) == nil) }
        #expect(limiter.charge([1], now: start) != nil)
        limiter.refund([1])
        #expect(limiter.charge([1], now: start) == nil)
        for _ in 0..<5 { limiter.refund([1]) }
        for _ in 0..<2 { #expect(limiter.charge([1], now: start) == nil) }
        #expect(limiter.charge([1], now: start) != nil)
    }

    @Test func `the number of keys is bounded`() {
        var limiter = RateLimiter(perMinute: 1)
        for number in 0..<RateLimiter.maximumKeys * 2 {
            let key = (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            #expect(limiter.charge(key, now: start) == nil)
        }
        let last = (0..<4).map { UInt8(truncatingIfNeeded: (RateLimiter.maximumKeys * 2 - 1) >> ($0 * 8)) }
        #expect(limiter.charge(last, now: start) != nil)
        #expect(limiter.charge([0, 0, 0, 0], now: start) == nil, "the first was removed")
    }
}
