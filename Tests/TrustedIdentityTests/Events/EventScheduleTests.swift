import Primitives
import Testing

@testable import TrustedIdentity

/// The order of the delivery of events, without a store and a receiver.
@Suite struct EventScheduleTests {
    private static let failed = EventDelivery.failed(retryAfter: nil, answer: 500)

    private var schedule = EventSchedule()

    /// Loads events whose store has no more.
    private mutating func load(_ accounts: [String?], from first: Int64 = 1) {
        schedule.load(accounts.enumerated().map { (first + Int64($0.offset), $0.element) }, isEnd: true)
    }

    /// Returns the events that are delivered until there is nothing to begin.
    private mutating func begun(at now: Duration = .zero) -> [Int64] {
        var begun: [Int64] = []
        while case .deliver(let sequence) = schedule.next(at: now) { begun.append(sequence) }
        return begun
    }

    private mutating func finish(_ sequence: Int64, _ result: EventDelivery?, at now: Duration = .zero) {
        schedule.finish(sequence, result, now: now) { .seconds($0) }
    }

    @Test mutating func `events are loaded before any is delivered, and again when there may be more`() {
        #expect(schedule.next(at: .zero) == .load(after: 0))
        schedule.load([(3, "a"), (7, "b")], isEnd: false)
        #expect(schedule.next(at: .zero) == .load(after: 7))
        schedule.load([], isEnd: true)
        #expect(begun() == [3, 7])
        #expect(schedule.next(at: .zero) == .pause(nil))
        schedule.noteChange()
        #expect(schedule.next(at: .zero) == .load(after: 7))
    }

    @Test mutating func `events of one account come one after the other, those of others beside them`() {
        load(["a", "a", "b", "a", nil, nil])
        #expect(begun() == [1, 3, 5])
        finish(3, .delivered)
        #expect(begun() == [])
        finish(1, .delivered)
        #expect(begun() == [2])
        finish(5, .delivered)
        finish(2, .delivered)
        #expect(begun() == [6, 4])
    }

    @Test mutating func `a new event comes before those that failed, however many they are`() {
        load((0..<50).map { "rejected\($0)" })
        var now = Duration.zero
        for _ in 0..<100 {
            for sequence in begun(at: now) { finish(sequence, Self.failed, at: now) }
            now += .seconds(60)
        }
        #expect(schedule.isDown)
        load(["good"], from: 51)
        #expect(begun(at: now) == [51])
    }

    @Test mutating func `an event that fails holds its account and no other one`() {
        load(["a", "a", "b", "b"])
        #expect(begun() == [1, 3])
        finish(1, Self.failed)
        finish(3, .delivered)
        #expect(begun() == [4])
        #expect(schedule.next(at: .zero) == .pause(.seconds(1)))
        finish(4, .delivered)
        #expect(begun(at: .milliseconds(999)) == [])
        #expect(begun(at: .seconds(1)) == [1], "the same one again")
        finish(1, Self.failed, at: .seconds(1))
        #expect(begun(at: .milliseconds(2_999)) == [])
        #expect(begun(at: .seconds(3)) == [1])
        finish(1, .delivered, at: .seconds(3))
        #expect(begun(at: .seconds(3)) == [2])
        finish(2, Self.failed, at: .seconds(3))
        #expect(begun(at: .seconds(4)) == [2], "a success ends the row")
    }

    @Test mutating func `an event that is gone is passed over`() {
        load(["a", "a"])
        #expect(begun() == [1])
        finish(1, nil)
        #expect(begun() == [2])
    }

    @Test mutating func `sixteen attempts run at the same time`() {
        load((1...20).map { "\($0)" })
        #expect(begun() == Array(1...16))
        finish(5, .delivered)
        #expect(begun() == [17])
    }

    @Test mutating func `a receiver that is down gets one attempt at a time until it takes one`() {
        load((1...20).map { "\($0)" })
        for sequence in begun() { finish(sequence, Self.failed) }
        #expect(schedule.isDown)
        #expect(begun() == [], "sixteen failures at the same time are one pause")
        #expect(begun(at: .seconds(1)) == [17])
        finish(17, Self.failed, at: .seconds(1))
        #expect(begun(at: .milliseconds(2_999)) == [])
        #expect(begun(at: .seconds(3)) == [18], "the pause is longer")
        finish(18, .delivered, at: .seconds(3))
        #expect(!schedule.isDown)
        #expect(begun(at: .seconds(3)).count == 16)
    }

    @Test mutating func `the receiver can ask for a pause, of an hour at most, which a delivery does not end`() {
        load(["a", "b", "c"])
        #expect(begun() == [1, 2, 3])
        finish(1, .failed(retryAfter: .seconds(86_400), answer: 429))
        finish(2, .delivered)
        finish(3, .delivered)
        load(["d"], from: 4)
        #expect(begun(at: .seconds(3_599)) == [])
        #expect(schedule.next(at: .seconds(3_599)) == .pause(.seconds(1)))
        #expect(begun(at: .seconds(3_600)) == [4, 1])
    }

    @Test mutating func `the schedule knows a bounded number of events`() {
        var loaded: Int64 = 0
        while case .load(let last) = schedule.next(at: .zero) {
            #expect(last == loaded)
            let page = (loaded + 1...loaded + Int64(EventSchedule.page)).map { ($0, String?.some("a")) }
            schedule.load(page.map { (sequence: $0.0, account: $0.1) }, isEnd: false)
            loaded += Int64(EventSchedule.page)
        }
        #expect(loaded == Int64(EventSchedule.window))
    }

    @Test mutating func `a mark in the place of an event that was under way is delivered, too`() {
        load(["a"])
        #expect(begun() == [1])
        finish(1, .delivered)
        schedule.reload(1)
        #expect(begun() == [1])
    }
}
