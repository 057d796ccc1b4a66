import OrchestrationProtocol
import Primitives
import Testing

@testable import TrustedIdentity

struct RatchetStateTests {
    static let start = Timestamp(secondsSinceEpoch: 1_800_000_000)
    let young = start.advanced(milliseconds: RatchetState.overlap)
    let old = start.advanced(milliseconds: RatchetState.overlap + 1)

    func state(_ confirmed: UInt64, offered: UInt64? = nil) -> RatchetState {
        var device = Fixture.device()
        device.ratchetIndex = confirmed
        device.offeredIndex = offered ?? confirmed
        device.promotedAt = Self.start
        return RatchetState(device)
    }

    @Test func `nothing is offered for five minutes, and then one index`() {
        #expect(state(7).position(of: 7, now: young) == .current)
        #expect(state(7).offering(now: young) == nil)
        let offered = state(7).offering(now: old)
        #expect(offered == state(7, offered: 8))
        #expect(offered?.offering(now: old.advanced(seconds: 86_400)) == nil, "no second step is open")
        #expect(state(UInt64(Int64.max)).offering(now: old) == nil)
    }

    @Test func `the first use of an offered index promotes it`() {
        let state = state(7, offered: 8)
        #expect(state.position(of: 8, now: old) == .next)
        let promoted = state.used(at: 8, now: old)
        #expect(promoted.confirmed == 8 && promoted.offered == 8 && promoted.promotedAt == old)
        #expect(state.used(at: 7, now: old) == state)
    }

    @Test func `the previous index is accepted for five minutes`() {
        let state = state(8)
        #expect(state.position(of: 7, now: young) == .previous)
        #expect(state.position(of: 7, now: old) == .outdated)
        #expect(state.position(of: 6, now: young) == .outdated)
        #expect(state.used(at: 7, now: young) == state)
    }

    @Test func `an index that was never offered is unknown`() {
        #expect(state(7).position(of: 8, now: old) == .unknown)
        #expect(state(7, offered: 8).position(of: 9, now: old) == .unknown)
        #expect(state(7).position(of: .max, now: old) == .unknown)
    }

    @Test func `after a state is taken over the index before is not accepted, and the next one may be offered`() {
        let taken = state(7, offered: 8).takingOver(20, now: old)
        #expect(taken.confirmed == 20 && taken.offered == 20)
        #expect(taken.position(of: 19, now: old) == .outdated)
        #expect(taken.candidates(now: old) == [20])
        #expect(taken.offering(now: old)?.offered == 21)
    }

    @Test func `typed codes may be at the confirmed index, and at the offered one or for a while the one before`() {
        #expect(state(0).candidates(now: young) == [0])
        #expect(state(7).candidates(now: young) == [7, 6])
        #expect(state(7).candidates(now: old) == [7])
        #expect(state(7, offered: 8).candidates(now: old) == [7, 8])
        // A clock that is set back after an offer does not bring the index before back.
        #expect(state(7, offered: 8).candidates(now: young) == [7, 8])
    }

    @Test func `a clock that is set back offers nothing new`() {
        #expect(state(7).offering(now: Self.start.advanced(seconds: -86_400)) == nil)
    }
}
