import Primitives
import Testing

@testable import TrustedIdentity

/// The order of events, without a store and a receiver.
@Suite struct EventScheduleTests {
    private var schedule = EventSchedule()

    /// Notes a failure. The time after `n` failures is `n` seconds.
    private mutating func fail(_ sequence: Int64, at seconds: Int, retryAfter: Duration? = nil) {
        schedule.noteFailure(of: sequence, retryAfter: retryAfter, at: .seconds(seconds)) { .seconds($0) }
    }

    @Test mutating func `an event that was not taken is held, and the next one comes first`() {
        fail(1, at: 0)
        #expect(schedule.last == 1 && !schedule.prefersHeld && schedule.pause(at: .zero) == nil)
        #expect(schedule.held(at: .zero) == nil && schedule.timeToHeld(at: .zero) == .seconds(1))
        #expect(schedule.held(at: .seconds(1)) == 1)
        schedule.noteDelivery(of: 2, at: .zero)
        #expect(schedule.last == 2 && schedule.prefersHeld)
        #expect(schedule.held(at: .zero) == 1, "the receiver may have been down, and is up")
        schedule.noteDelivery(of: 1, at: .zero)
        #expect(schedule.timeToHeld(at: .zero) == nil && schedule.last == 2)
    }

    @Test mutating func `an event is parked after twenty refusals, and is sent once an hour then`() {
        for round in 1...20 {
            #expect(schedule.parkedCount == 0)
            fail(1, at: 100 * round)
            fail(1, at: 100 * round + 50)
            schedule.noteDelivery(of: 1 + Int64(round), at: .seconds(100 * round + 60))
        }
        #expect(schedule.parkedCount == 1)
        #expect(schedule.held(at: .seconds(5_659)) == nil && schedule.held(at: .seconds(5_660)) == 1)
        fail(1, at: 5_660)
        #expect(schedule.held(at: .seconds(9_259)) == nil && schedule.held(at: .seconds(9_260)) == 1)
        schedule.noteDelivery(of: 1, at: .seconds(9_260))
        #expect(schedule.parkedCount == 0)
    }

    @Test mutating func `a receiver that is down refuses nothing, and gets one attempt after each pause`() {
        for sequence: Int64 in 1...3 { fail(sequence, at: 0) }
        #expect(schedule.pause(at: .zero) == nil)
        fail(4, at: 0)
        #expect(schedule.pause(at: .zero) == .seconds(1) && schedule.pause(at: .seconds(1)) == nil)
        for second in 1...100 { fail(Int64(1 + second % 4), at: second) }
        #expect(schedule.pause(at: .seconds(100)) == .seconds(101), "the pauses grow")
        #expect(schedule.parkedCount == 0 && schedule.failures == 104)
        schedule.noteDelivery(of: 5, at: .seconds(201))
        #expect(schedule.failures == 0)
        for sequence: Int64 in 1...4 {
            #expect(schedule.held(at: .seconds(201)) == sequence, "in their order")
            schedule.noteDelivery(of: sequence, at: .seconds(201))
        }
    }

    @Test mutating func `the receiver can ask for a pause, of an hour at most`() {
        fail(1, at: 0, retryAfter: .seconds(86_400))
        #expect(schedule.pause(at: .seconds(3_599)) == .seconds(1) && schedule.pause(at: .seconds(3_600)) == nil)
    }

    @Test mutating func `an event that was removed from the store is not sent again`() {
        fail(1, at: 0)
        schedule.removed(1)
        #expect(schedule.held(at: .seconds(10)) == nil)
        schedule.noteDelivery(of: 2, at: .zero)
        #expect(schedule.held(at: .seconds(10)) == nil)
    }
}
