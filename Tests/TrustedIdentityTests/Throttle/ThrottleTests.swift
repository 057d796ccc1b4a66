import Primitives
import Testing

@testable import TrustedIdentity

struct ThrottleTests {
    let start = Timestamp(secondsSinceEpoch: 1_800_000_000)
    var fresh: ThrottleRecord { ThrottleRecord(key: ThrottleKey(account: "alice@master", kind: .code), now: start) }

    func failing(_ record: ThrottleRecord, times: Int, now: Timestamp) -> ThrottleRecord {
        (0..<times).reduce(record) { record, _ in Throttle.failing(record, now: now) }
    }

    @Test func `four failures do not block and the fifth does, for a minute`() {
        let four = failing(fresh, times: 4, now: start)
        #expect(!Throttle.isBlocked(four, now: start))
        let five = Throttle.failing(four, now: start)
        #expect(Throttle.isBlocked(five, now: start))
        #expect(Throttle.isBlocked(five, now: start.advanced(milliseconds: 59_999)))
        #expect(!Throttle.isBlocked(five, now: start.advanced(milliseconds: 60_000)))
    }

    @Test func `every block lasts twice as long as the one before, up to the fiftieth failure`() {
        var record = fresh
        var now = start
        for block in 0..<9 {
            record = failing(record, times: 5, now: now)
            #expect(record.blockedUntil == now.advanced(milliseconds: 60_000 << Int64(block)))
            now = now.advanced(milliseconds: 60_000 << Int64(block))
            #expect(!Throttle.isBlocked(record, now: now))
        }
        record = failing(record, times: 5, now: now)
        #expect(record.total == 50)
        #expect(Throttle.isBlocked(record, now: now.advanced(seconds: 10 * 365 * 86_400)))
    }

    @Test func `no block is longer than a day`() {
        var record = fresh
        record.level = Throttle.highestLevel
        let blocked = failing(record, times: 5, now: start)
        #expect(blocked.blockedUntil == start.advanced(seconds: 86_400))
        #expect(blocked.level == Throttle.highestLevel)
    }

    @Test func `a success ends the row but not the level`() {
        let blocked = failing(fresh, times: 5, now: start)
        let later = start.advanced(seconds: 60)
        let succeeded = Throttle.succeeding(failing(blocked, times: 4, now: later), now: later)
        #expect(succeeded.consecutive == 0)
        #expect(succeeded.level == 1)
        #expect(succeeded.total == 9)
        let again = failing(succeeded, times: 5, now: later)
        #expect(again.blockedUntil == later.advanced(seconds: 120))
    }

    @Test func `the level falls by one a day, and no further than to zero`() {
        var record = fresh
        record.level = 3
        let day: Int64 = 86_400
        #expect(Throttle.succeeding(record, now: start.advanced(seconds: day - 1)).level == 3)
        #expect(Throttle.succeeding(record, now: start.advanced(seconds: day)).level == 2)
        #expect(Throttle.succeeding(record, now: start.advanced(seconds: 2 * day + 1)).level == 1)
        #expect(Throttle.succeeding(record, now: start.advanced(seconds: 400 * day)).level == 0)
        let half = Throttle.succeeding(record, now: start.advanced(seconds: day + day / 2))
        #expect(Throttle.succeeding(half, now: start.advanced(seconds: 2 * day)).level == 1, "half days add up")
    }

    @Test func `a clock that is set back lifts nothing`() {
        let blocked = failing(fresh, times: 5, now: start)
        let earlier = start.advanced(seconds: -86_400 * 30)
        #expect(Throttle.isBlocked(blocked, now: earlier))
        #expect(Throttle.succeeding(blocked, now: earlier).level == 1)
    }

    @Test func `a lift resets everything but the failures that were not reported`() {
        let blocked = failing(fresh, times: 50, now: start)
        let lifted = Throttle.lifted(blocked, now: start)
        #expect(!Throttle.isBlocked(lifted, now: start))
        #expect(lifted.total == 0 && lifted.level == 0 && lifted.consecutive == 0)
        #expect(lifted.unreported == 50)
    }
}
