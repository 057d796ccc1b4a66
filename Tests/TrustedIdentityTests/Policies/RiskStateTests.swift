import OrchestrationProtocol
import Primitives
import TestSupport
import Testing

@testable import TrustedIdentity

/// The budgets of pushes and the series of rejections, each at its boundary.
@Suite struct RiskStateTests {
    private static let start = Timestamp(secondsSinceEpoch: 1_800_000_000)
    private let policy = Policy.default

    private func at(_ seconds: Int64) -> Timestamp { Self.start.advanced(seconds: seconds) }

    private func state(_ events: [(Int64, RiskState.Event)]) -> RiskState {
        var state = RiskState()
        for (seconds, event) in events { state.record(event, at: at(seconds), policy: policy) }
        return state
    }

    private func permission(_ state: RiskState, _ milliseconds: Int64) -> PushPermission {
        policy.pushes.permission(for: state, at: Self.start.advanced(milliseconds: milliseconds))
    }

    @Test func `three pushes in ten minutes, to the millisecond`() {
        let two = state([(0, .pushed), (300, .pushed)])
        #expect(permission(two, 599_000) == .allowed)
        let three = state([(0, .pushed), (300, .pushed), (599, .pushed)])
        #expect(permission(three, 599_000) == .overBudget)
        #expect(permission(three, 599_999) == .overBudget)
        #expect(permission(three, 600_000) == .allowed)
        let again = state([(0, .pushed), (300, .pushed), (599, .pushed), (600, .pushed)])
        #expect(permission(again, 899_999) == .overBudget)
        #expect(permission(again, 900_000) == .allowed)
    }

    @Test func `a strong approval does not add pushes to the ten minutes`() {
        let approved = state([(0, .pushed), (1, .pushed), (2, .pushed), (3, .approvedStrongly(creditor: nil))])
        #expect(permission(approved, 4_000) == .overBudget)
    }

    @Test func `ten pushes a day without a strong approval`() {
        let hourly = (0..<10).map { (Int64($0) * 3_600, RiskState.Event.pushed) }
        #expect(permission(state(Array(hourly.dropLast())), 36_000_000) == .allowed)
        #expect(permission(state(hourly), 36_000_000) == .overBudget)
        #expect(permission(state(hourly), 86_399_999) == .overBudget)
        #expect(permission(state(hourly), 86_400_000) == .allowed)
        #expect(permission(state(hourly + [(36_000, .approvedStrongly(creditor: nil))]), 36_001_000) == .allowed)
        // A push in the millisecond of the approval was before it.
        let same = state(hourly + [(32_400, .approvedStrongly(creditor: nil))])
        #expect(permission(same, 36_001_000) == .allowed)
        // Possession takes no act of the user, so that it ends no series.
        #expect(permission(state(hourly + [(36_000, .paidByPossession(nil))]), 36_001_000) == .overBudget)
    }

    @Test func `a rejection stops pushes for a minute, and each further one for twice as long, up to an hour`() {
        var events: [(Int64, RiskState.Event)] = []
        var now: Int64 = 0
        for minutes in [1, 2, 4, 8, 16, 32, 60, 60, 60] as [Int64] {
            events.append((now, .rejected(.canceled)))
            let state = state(events)
            #expect(permission(state, now * 1_000) == .backOff)
            #expect(permission(state, (now + minutes * 60) * 1_000 - 1) == .backOff)
            #expect(permission(state, (now + minutes * 60) * 1_000) == .allowed)
            now += minutes * 60
        }
        #expect(permission(state(events + [(now - 60, .approvedStrongly(creditor: nil))]), now * 1_000) == .allowed)
        // After an approval, and after a day, the series starts with a minute again.
        let approved = state(events + [(now, .approvedStrongly(creditor: nil)), (now + 1, .rejected(.canceled))])
        #expect(permission(approved, (now + 61) * 1_000 - 1) == .backOff)
        #expect(permission(approved, (now + 61) * 1_000) == .allowed)
        let later = now + 86_400
        let rested = state(events + [(later, .wrongNumber)])
        #expect(permission(rested, (later + 60) * 1_000 - 1) == .backOff)
        #expect(permission(rested, (later + 60) * 1_000) == .allowed)
    }

    @Test func `a rejection as not the user's mutes pushes and is strict for a day`() {
        let state = state([(0, .rejected(.notMe))])
        #expect(state.notMe == at(0))
        #expect(permission(state, 86_399_999) == .muted)
        #expect(permission(state, 86_400_000) == .allowed)
        #expect(state.isStrict(at: Self.start.advanced(milliseconds: 86_399_999)))
        #expect(!state.isStrict(at: at(86_400)))
        // A later series of three, whose hour ends earlier, does not shorten the day; a late one lengthens it.
        let early = self.state([(0, .rejected(.notMe)), (1, .rejected(.canceled)), (2, .rejected(.canceled))])
        #expect(early.isStrict(at: at(86_399)) && !early.isStrict(at: at(86_400)))
        let late = self.state([
            (0, .rejected(.notMe)), (86_000, .rejected(.canceled)), (86_001, .rejected(.canceled)),
            (86_002, .rejected(.canceled)),
        ])
        #expect(late.isStrict(at: at(86_002 + 3_599)) && !late.isStrict(at: at(86_002 + 3_600)))
    }

    @Test(arguments: [RiskState.Event.wrongNumber, .rejected(.canceled, isProven: false)])
    func `the third rejection that is not proven asks for more, and never starts the strict mode`(
        event: RiskState.Event
    ) {
        let two = state([(0, event), (1, event)])
        #expect(!two.isStepUp(at: at(1)))
        let three = state([(0, event), (300, event), (599, event)])
        #expect(three.isStepUp(at: at(599)) && three.isStepUp(at: at(4_198)) && !three.isStepUp(at: at(4_199)))
        let series: [(Int64, RiskState.Event)] = (0..<50).map { (Int64($0), event) }
        let many = state(series + [(50, .rejected(.canceled)), (51, .rejected(.canceled))])
        #expect(many.isStepUp(at: at(51)) && many.strictUntil == nil && many.mutedUntil == nil)
        // The next right password ends it, and a further rejection starts it again.
        let approved = state(series + [(50, .approvedStrongly(creditor: nil))])
        #expect(!approved.isStepUp(at: at(50)))
        let again = state(series + [(50, .approvedStrongly(creditor: nil)), (51, event)])
        #expect(again.isStepUp(at: at(51)))
    }

    @Test func `a rejection as not the user's by possession mutes pushes for an hour, or until the right password`() {
        let rejected = state([(0, .rejected(.notMe, isProven: false))])
        #expect(rejected.notMe == at(0) && rejected.strictUntil == nil)
        #expect(
            rejected.isStepUp(at: Self.start.advanced(milliseconds: 3_599_999)) && !rejected.isStepUp(at: at(3_600)))
        #expect(permission(rejected, 3_599_999) == .muted)
        #expect(permission(rejected, 3_600_000) == .allowed)
        let paid = state([(0, .rejected(.notMe, isProven: false)), (1, .paidByPossession(nil))])
        #expect(paid.isStepUp(at: at(2)) && permission(paid, 2_000) == .muted)
        let approved = state([(0, .rejected(.notMe, isProven: false)), (1, .approvedStrongly(creditor: nil))])
        #expect(!approved.isStepUp(at: at(2)) && permission(approved, 2_000) == .allowed)
        // The mute of the strict mode does not end with the step-up.
        let strict = state([
            (0, .rejected(.notMe)), (1, .rejected(.notMe, isProven: false)), (2, .approvedStrongly(creditor: nil)),
        ])
        #expect(!strict.isStepUp(at: at(3)) && permission(strict, 86_399_000) == .muted)
        var lifted = rejected
        lifted.lift()
        #expect(!lifted.isStepUp(at: at(1)) && permission(lifted, 1_000) == .allowed)
    }

    @Test(arguments: [RiskState.Event.rejected(.canceled), .rejected(.wrongData)])
    func `the third proven rejection in ten minutes is strict for an hour`(event: RiskState.Event) {
        let two = state([(0, event), (1, event)])
        #expect(!two.isStrict(at: at(1)))
        let slow = state([(0, event), (300, event), (600, event)])
        #expect(!slow.isStrict(at: at(600)))
        let three = state([(0, event), (300, event), (599, event)])
        #expect(three.isStrict(at: at(599)))
        #expect(three.isStrict(at: Self.start.advanced(milliseconds: 4_198_999)))
        #expect(!three.isStrict(at: at(599 + 3_600)))
        // An approval between them changes nothing: an attacker may wait for one.
        let mixed = state([(0, event), (1, .approvedStrongly(creditor: nil)), (2, event), (3, event)])
        #expect(mixed.isStrict(at: at(3)))
    }

    @Test func `a clock that was set back does not end a count`() {
        let state = state([(100, .rejected(.canceled)), (101, .rejected(.canceled)), (0, .rejected(.canceled))])
        #expect(state.isStrict(at: at(0)))
        #expect(permission(self.state([(100, .pushed), (101, .pushed), (102, .pushed)]), 0) == .overBudget)
    }

    @Test func `an administrator ends the strict mode and the mute`() {
        var state = state([(0, .rejected(.notMe)), (1, .rejected(.canceled)), (2, .rejected(.canceled)), (3, .pushed)])
        state.lift()
        #expect(!state.isStrict(at: at(3)) && permission(state, 3_000) == .allowed)
        #expect(state.notMe == nil && state.rejections.isEmpty && state.pushes.count == 1)
    }

    @Test func `payments add up by currency until a strong approval`() throws {
        var state = RiskState()
        let yen = try Currency("JPY")
        let amounts = [("10", Currency.eur), ("0.05", .eur), ("500", yen)]
        for (text, currency) in amounts {
            let amount = try required(MonetaryAmount(Amount(text), currency))
            state.record(.paidByPossession(amount), at: at(0), policy: policy)
        }
        state.record(.paidByPossession(nil), at: at(0), policy: policy)
        #expect(state.smallPayments.count == 4)
        #expect(state.smallPayments.sum(in: .eur) == 1_005)
        #expect(state.smallPayments.sum(in: yen) == 500)
        state.record(.rejected(.canceled), at: at(1), policy: policy)
        #expect(state.smallPayments.count == 4)
        state.record(.approvedStrongly(creditor: nil), at: at(2), policy: policy)
        #expect(state.smallPayments == RiskState.SmallPayments())
    }

    @Test func `sums do not overflow, and a ninth currency ends the exemption`() throws {
        var state = RiskState()
        let huge = MonetaryAmount(minorUnits: .max, currency: .eur)
        for _ in 0..<2 { state.record(.paidByPossession(huge), at: at(0), policy: policy) }
        #expect(state.smallPayments.sum(in: .eur) == .max)
        for code in ["USD", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN"] {
            state.record(
                .paidByPossession(MonetaryAmount(minorUnits: 1, currency: try Currency(code))), at: at(0),
                policy: policy)
        }
        #expect(state.smallPayments.count == 9)
        let ninth = MonetaryAmount(minorUnits: 1, currency: try Currency("CZK"))
        state.record(.paidByPossession(ninth), at: at(0), policy: policy)
        #expect(state.smallPayments.count == Int(Int32.max))
        #expect(try RiskState(decoding: state.encoded) == state)
    }

    @Test func `fifty creditors are known, the ones that were paid last`() {
        func hash(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 16) }
        var state = RiskState()
        for number in 0..<50 as Range<UInt8> {
            state.record(.approvedStrongly(creditor: hash(number)), at: at(0), policy: policy)
        }
        #expect((0..<50 as Range<UInt8>).allSatisfy { state.knows(creditor: hash($0)) })
        state.record(.approvedStrongly(creditor: hash(0)), at: at(1), policy: policy)
        state.record(.approvedStrongly(creditor: hash(50)), at: at(2), policy: policy)
        #expect(state.knows(creditor: hash(0)) && state.knows(creditor: hash(50)) && !state.knows(creditor: hash(1)))
        #expect(state.creditors.count == 50)
    }

    @Test func `twenty browsers are known, the ones that were used last`() {
        func hash(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 16) }
        var state = RiskState()
        #expect(state.recognizes(browser: nil) == .unnamed && state.recognizes(browser: hash(0)) == .new)
        for number in 0..<20 as Range<UInt8> {
            state.record(.approvedStrongly(creditor: nil, browser: hash(number)), at: at(0), policy: policy)
        }
        #expect((0..<20 as Range<UInt8>).allSatisfy { state.recognizes(browser: hash($0)) == .known })
        state.record(.approvedStrongly(creditor: nil, browser: hash(0)), at: at(1), policy: policy)
        state.record(.approvedStrongly(creditor: nil, browser: hash(20)), at: at(2), policy: policy)
        state.record(.approvedStrongly(creditor: nil, browser: []), at: at(3), policy: policy)
        #expect(state.recognizes(browser: hash(0)) == .known && state.recognizes(browser: hash(20)) == .known)
        #expect(state.recognizes(browser: hash(1)) == .new && state.browsers.count == 20)
        // Nothing else makes a browser known, and a creditor is no browser.
        state.record(.approvedStrongly(creditor: hash(30)), at: at(4), policy: policy)
        #expect(state.recognizes(browser: hash(30)) == .new)
    }

    @Test func `the stored form is bounded, and read as it was written`() throws {
        #expect(try RiskState(decoding: RiskState().encoded) == RiskState())
        var state = RiskState()
        var random = SeededGenerator(seed: 5)
        let codes = ["USD", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "EUR"]
        for step in 0..<400 {
            let time = Timestamp(millisecondsSinceEpoch: .max - 2_000_000_000_000 + Int64(step))
            let currency = try Currency(codes[step % codes.count])
            let amount = MonetaryAmount(minorUnits: UInt64(UInt64.max / 100), currency: currency)
            let events: [RiskState.Event] = [
                .approvedStrongly(creditor: random.bytes(16), browser: random.bytes(16)), .pushed, .rejected(.notMe),
                .paidByPossession(amount), .wrongNumber, .rejected(.canceled),
            ]
            for event in step < 390 ? events : Array(events.dropFirst()) {
                state.record(event, at: time, policy: policy)
            }
            #expect(state.encoded.count <= RiskState.maximumBytes)
            #expect(try RiskState(decoding: state.encoded) == state)
        }
        #expect(state.pushes.count == RiskState.maximumPushes)
        #expect(state.encoded.count > RiskState.maximumBytes - 64)
    }

    @Test func `bytes of another form are refused`() {
        let state = state([
            (0, .pushed), (1, .rejected(.notMe)), (2, .approvedStrongly(creditor: [UInt8](repeating: 1, count: 16))),
            (3, .paidByPossession(MonetaryAmount(minorUnits: 5, currency: .eur))),
        ])
        let bytes = state.encoded
        for cut in bytes.truncations { #expect(throws: WireError.self) { try RiskState(decoding: cut) } }
        #expect(throws: WireError(.trailingBytes)) { try RiskState(decoding: bytes + [0]) }
        for flipped in bytes.bitFlips {
            guard let other = try? RiskState(decoding: flipped) else { continue }
            #expect(other.encoded == flipped && other != state)
        }
        let long = [UInt8](repeating: 0, count: RiskState.maximumBytes + 1)
        #expect(throws: WireError(.tooLarge)) { try RiskState(decoding: long) }
    }
}
