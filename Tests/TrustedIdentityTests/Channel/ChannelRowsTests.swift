import OrchestrationProtocol
import Primitives
import Testing

@testable import TrustedIdentity

struct ChannelRowsTests {
    let now = Fixture.now

    @Test func `what may have been made before a restore is refused`() {
        let limit = now.advanced(milliseconds: ChannelRequest.maximumLifetime)
        #expect(ChannelRows.isSince(nil, limit))
        #expect(!ChannelRows.isSince(now, limit))
        #expect(ChannelRows.isSince(now, limit.advanced(milliseconds: 1)))
        #expect(!ChannelRows.isSince(now, now))
    }

    @Test func `after a restore the higher counter wins, within what the clock allows`() {
        let step = UInt64(now.secondsSinceEpoch / 30)
        let stored = [CodeCounterRecord(device: Fixture.id, instance: .password, application: 2, next: 50)]
        let moves = CounterRaise.moves(
            [ApplicationCounter(application: 1, counter: .max), ApplicationCounter(application: 2, counter: 40)],
            of: Fixture.device(.active), stored: stored, now: now)
        let next = moves.reduce(into: [:]) { $0["\($1.to.instance.rawValue).\($1.to.application)"] = $1.to.next }
        #expect(next == ["1.1": step + 2, "2.1": step + 2, "2.2": 40])
        #expect(!moves.contains { $0.from == stored[0] }, "ours is higher and stays")
    }
}
