import Crypto
import OrchestrationProtocol
import Primitives
import Testing

@testable import TrustedIdentity

struct RatchetStateTests {
    static let start = Timestamp(secondsSinceEpoch: 1_800_000_000)
    let young = start.advanced(milliseconds: RatchetState.overlap)
    let old = start.advanced(milliseconds: RatchetState.overlap + 1)

    func state(_ confirmed: UInt64, offered: UInt64? = nil, isRestored: Bool = false) -> RatchetState {
        var device = Fixture.device()
        device.ratchetIndex = confirmed
        device.offeredIndex = offered ?? confirmed
        device.promotedAt = Self.start
        device.isRestored = isRestored
        return RatchetState(device)
    }

    @Test func `the confirmed index is current and nothing is offered for five minutes`() {
        let state = state(7)
        #expect(state.position(of: 7, now: young) == .current)
        let (answered, moveTo) = state.answering(.current, at: 7, now: young)
        #expect(answered == state)
        #expect(moveTo == 7)
    }

    @Test func `after five minutes the next index is offered, and offered again the same`() {
        let (offered, moveTo) = state(7).answering(.current, at: 7, now: old)
        #expect(moveTo == 8)
        #expect(offered.confirmed == 7 && offered.offered == 8)
        let (again, sameMove) = offered.answering(.current, at: 7, now: old.advanced(seconds: 86_400))
        #expect(again == offered)
        #expect(sameMove == 8)
    }

    @Test func `the first use of an offered index promotes it`() {
        let state = state(7, offered: 8)
        #expect(state.position(of: 8, now: old) == .next)
        let (promoted, moveTo) = state.answering(.next, at: 8, now: old)
        #expect(promoted.confirmed == 8 && promoted.offered == 8 && promoted.promotedAt == old)
        #expect(moveTo == 8)
    }

    @Test func `the previous index is accepted for five minutes and does not move`() {
        let state = state(8)
        #expect(state.position(of: 7, now: young) == .previous)
        #expect(state.position(of: 7, now: old) == .outdated)
        #expect(state.position(of: 6, now: young) == .outdated)
        let (unmoved, moveTo) = state.answering(.previous, at: 7, now: young)
        #expect(unmoved == state)
        #expect(moveTo == 7)
    }

    @Test func `an index that was never offered is unknown`() {
        #expect(state(7).position(of: 8, now: old) == .unknown)
        #expect(state(7, offered: 8).position(of: 9, now: old) == .unknown)
        #expect(state(7).position(of: .max, now: old) == .unknown)
    }

    @Test func `a restored platform rolls forward, within bounds`() {
        let state = state(7, isRestored: true)
        #expect(state.position(of: 900, now: old) == .ahead)
        #expect(state.position(of: 7 + RatchetState.longestStep, now: old) == .ahead)
        #expect(state.position(of: 8 + RatchetState.longestStep, now: old) == .farAhead)
        #expect(state.position(of: 7 + KeyRatchet.longestAdvance, now: old) == .farAhead)
        #expect(state.position(of: 8 + KeyRatchet.longestAdvance, now: old) == .unknown)
        let (rolled, moveTo) = state.answering(.ahead, at: 900, now: old)
        #expect(rolled.confirmed == 900 && rolled.offered == 900)
        #expect(moveTo == 900)
        #expect(state.position(of: 5, now: old) == .outdated, "it never goes back")
    }

    @Test func `a step toward an index that is far ahead moves by 900 and leaves the mark`() {
        let stepped = state(7, offered: 8, isRestored: true).stepping(now: old)
        #expect(stepped.confirmed == 907 && stepped.offered == 907 && stepped.promotedAt == old)
        #expect(stepped.isRestored)
    }

    @Test(arguments: [(7, 8), (7, 9), (7, 900), (0, 2)] as [(UInt64, UInt64)])
    func `a ratchet that moves by any number of indexes keeps the key before the new one`(
        _ from: UInt64, _ to: UInt64
    ) throws {
        let keys = [UInt8(1), 2].map { SymmetricKey(data: [UInt8](repeating: $0, count: 32)) }
        let moved = try DeviceRatchet(confirmed: keys[0], previous: keys[1]).promoted(to: to, from: from)
        #expect(try moved.previous == KeyRatchet.advance(keys[0], from: from, to: to - 1))
        #expect(try moved.confirmed == KeyRatchet.advance(keys[0], from: from, to: to))
        #expect(try moved.key(at: to - 1, confirmed: to) == moved.previous)
        #expect(try moved.key(at: to, confirmed: to) == moved.confirmed)
        #expect(try moved.key(at: to + 2, confirmed: to) == KeyRatchet.advance(keys[0], from: from, to: to + 2))
    }

    @Test func `typed codes may be at the confirmed index, and at the offered one or for a while the one before`() {
        #expect(state(0).candidates(now: young) == [0])
        #expect(state(7).candidates(now: young) == [7, 6])
        #expect(state(7).candidates(now: old) == [7])
        #expect(state(7, offered: 8).candidates(now: old) == [7, 8])
        // A clock that is set back after an offer does not bring the index before back.
        #expect(state(7, offered: 8).candidates(now: young) == [7, 8])
    }

    @Test func `no answer leaves an offer while the index before is accepted`() {
        // So that two places for a ratchet index are enough for every state that the platform makes.
        for offered in [UInt64(7), 8] {
            for isRestored in [false, true] {
                for now in [young, old] {
                    let before = state(7, offered: offered, isRestored: isRestored)
                    guard before.offered == before.confirmed || now == old else { continue }
                    for index in [UInt64(6), 7, 8, 9, 900] {
                        let position = before.position(of: index, now: now)
                        guard position != .unknown, position != .outdated, position != .farAhead else { continue }
                        let after = before.answering(position, at: index, now: now).state
                        #expect(
                            after.offered == after.confirmed
                                || after.position(of: after.confirmed - 1, now: now) == .outdated)
                        #expect(after.candidates(now: now).count <= 2)
                    }
                }
            }
        }
    }

    @Test func `a clock that is set back offers nothing new`() {
        let (state, moveTo) = state(7).answering(.current, at: 7, now: Self.start.advanced(seconds: -86_400))
        #expect(state.offered == 7)
        #expect(moveTo == 7)
    }
}
