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

    @Test(arguments: [0, 1, RateLimiter.maximumKeys])
    func `one key more than the bound replaces the oldest one`(more: Int) {
        func key(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        var limiter = RateLimiter(perMinute: 1)
        for number in 0..<RateLimiter.maximumKeys + more { #expect(limiter.charge(key(number), now: start) == nil) }
        // The oldest key that is kept is charged already. The ones before are new again, from the latest to the oldest,
        // because each of them replaces another one.
        #expect(limiter.charge(key(more), now: start) != nil)
        #expect(limiter.charge(key(RateLimiter.maximumKeys + more - 1), now: start) != nil)
        if more > 0 { #expect(limiter.charge(key(more - 1), now: start) == nil) }
    }
}
