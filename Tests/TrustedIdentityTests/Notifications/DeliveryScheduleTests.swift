import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The order of deliveries, without a store and a service.
@Suite struct DeliveryScheduleTests {
    private typealias Outcome = DeliverySchedule<Int>.Outcome

    private static let failures = DeliverySchedule<Int>.failuresOfService
    private static let pause = DeliverySchedule<Int>.pauseOfService
    private static let services = DeliverySchedule<Int>.serviceLimit

    private var schedule = DeliverySchedule<Int>(length: 1_000, concurrency: 4)

    private mutating func add(_ items: some Sequence<Int>, to service: String = "a") {
        for item in items {
            let isDropped = schedule.add(item, to: service)
            #expect(!isDropped)
        }
    }

    /// Returns the items that begin until none can.
    private mutating func begun(at now: Duration = .zero) -> [Int] {
        var begun: [Int] = []
        while case .begin(let item, _) = schedule.next(at: now) { begun.append(item) }
        return begun
    }

    /// Begins one item, and ends it.
    private mutating func end(
        _ attempt: Outcome.Attempt, repeatingAfter delay: Duration? = nil, at now: Duration = .zero
    ) -> (item: Int, change: DeliverySchedule<Int>.Change)? {
        guard case .begin(let item, let service) = schedule.next(at: now) else { return nil }
        let outcome = Outcome(attempt: attempt, repetition: delay.map { (item, $0) })
        return (item, schedule.finish(outcome, of: service, now: now))
    }

    /// Makes as many attempts fail as a service needs to be down.
    private mutating func bringDown(_ service: String = "a", isFirst: Bool = true) {
        add(repeatElement(-1, count: Self.failures), to: service)
        for number in 1...Self.failures {
            let end = end(.failed)
            #expect(end?.change.isDown == (number == Self.failures && isFirst ? true : nil))
        }
    }

    private mutating func wait(at now: Duration) -> Duration? {
        guard case .pause(let duration) = schedule.next(at: now) else { return .seconds(-1) }
        return duration
    }

    @Test mutating func `first attempts begin before repetitions, and no more than allowed run at the same time`() {
        add(1...3)
        for item in 1...3 { _ = end(.failed, repeatingAfter: .milliseconds(item)) }
        add(4...6)
        #expect(begun(at: .seconds(2)) == [4, 5, 6, 1])
        _ = schedule.finish(Outcome(attempt: .answered), of: "a", now: .seconds(2))
        #expect(begun(at: .seconds(2)) == [2])
    }

    @Test mutating func `a service is down after failures in a row, and not after an answer between them`() {
        add(1...Self.failures)
        for number in 1...Self.failures {
            let end = end(number == Self.failures ? .answered : .failed)
            #expect(end?.item == number && end?.change == .init())
        }
        bringDown()
    }

    @Test mutating func `one attempt at a time begins for a service that is down, with a pause between them`() {
        bringDown()
        add(1...9)
        #expect(begun() == [1])
        #expect(begun(at: .seconds(9)) == [])
        _ = schedule.finish(Outcome(attempt: .failed), of: "a", now: .milliseconds(20))
        #expect(begun(at: Self.pause - .milliseconds(1)) == [])
        #expect(wait(at: .milliseconds(20)) == Self.pause - .milliseconds(20))
        #expect(begun(at: Self.pause) == [2])
        let change = schedule.finish(Outcome(attempt: .answered), of: "a", now: Self.pause)
        #expect(change.isDown == false)
        #expect(begun(at: Self.pause) == [3, 4, 5, 6])
    }

    @Test mutating func `expired items do not delay the others, items without an attempt less than one`() {
        bringDown()
        add(1...9)
        for item in 1...8 {
            let end = end(.expired)
            #expect(end?.item == item && end?.change == .init())
        }
        #expect(end(.notMade)?.item == 9)
        add([10])
        let pause = DeliverySchedule<Int>.pauseAfterRead
        #expect(pause < Self.pause)
        #expect(begun(at: pause - .milliseconds(1)) == [])
        #expect(begun(at: pause) == [10])
    }

    @Test mutating func `the schedule is held up by many items, unless a service takes some of them`() {
        #expect(schedule.condition(at: .zero) == .unused)
        let few = DeliverySchedule<Int>.heldItems
        add(1...few)
        #expect(schedule.condition(at: .zero) == .working)
        while end(.answered) != nil {}
        bringDown()
        add(1..<few)
        #expect(schedule.condition(at: .zero) == .working)
        add([few])
        #expect(schedule.condition(at: .zero) == .heldUp)
        while end(.expired) != nil {}
        let idleTime = DeliverySchedule<Int>.timeOfUse
        #expect(schedule.condition(at: idleTime - .milliseconds(1)) == .working)
        #expect(schedule.condition(at: idleTime) == .unused)
    }

    @Test mutating func `a service that takes everything lifts the hold while it is in use`() {
        add([0], to: "b")
        #expect(end(.answered, at: .seconds(5))?.item == 0)
        bringDown()
        add(1...DeliverySchedule<Int>.heldItems)
        // It has nothing that waits.
        let idleTime = Duration.seconds(5) + DeliverySchedule<Int>.timeOfUse
        #expect(schedule.condition(at: idleTime - .milliseconds(1)) == .working)
        #expect(schedule.condition(at: idleTime) == .heldUp)
        add([0], to: "b")
        #expect(schedule.condition(at: idleTime) == .working)
        // An attempt that runs for long, and an item that waits for its repetition.
        guard case .begin(_, "b") = schedule.next(at: .zero) else {
            Issue.record("no item of the service has begun")
            return
        }
        #expect(schedule.condition(at: idleTime) == .working)
        _ = schedule.finish(Outcome(attempt: .failed, repetition: (0, .seconds(9_999))), of: "b", now: idleTime)
        #expect(schedule.condition(at: idleTime) == .working)
    }

    @Test mutating func `repetitions that fail do not bring a service down`() {
        add(1...Self.failures * 2)
        for _ in 1...Self.failures * 2 { #expect(failedAgain() == .init()) }
        bringDown()
    }

    @Test mutating func `deferred attempts neither bring a service down nor end the failures in a row`() {
        add(1...Self.failures * 2)
        for _ in 1...Self.failures * 2 {
            let end = end(.deferred, repeatingAfter: .seconds(999))
            #expect(end?.change == .init())
        }
        add(1...Self.failures * 2)
        for number in 1..<Self.failures {
            let changes = [end(.failed)?.change, end(.deferred)?.change]
            #expect(changes == [.init(), .init()], "\(number)")
        }
        let last = end(.failed)
        #expect(last?.change.isDown == true)
        // The service stays down, at its pace.
        add([1_000])
        var began: [Duration] = []
        for step in 0..<30 where end(.deferred, at: .milliseconds(10 * step)) != nil {
            began.append(.milliseconds(10 * step))
        }
        #expect(began == [.zero, Self.pause])
    }

    private mutating func failedAgain() -> DeliverySchedule<Int>.Change? { end(.failedAgain)?.change }

    @Test mutating func `services that are down have a pace and four places in common`() {
        schedule = DeliverySchedule(length: 1_000, concurrency: 32)
        for number in 1...9 { bringDown("service\(number)", isFirst: number == 1) }
        for number in 1...9 { add([number], to: "service\(number)") }
        var now = Duration.zero
        var times: [Duration] = []
        for _ in 0..<100 {
            for _ in begun(at: now) { times.append(now) }
            now += .milliseconds(10)
        }
        #expect(times == (0..<4).map { Self.pause * $0 })
        add([10], to: "b")
        #expect(begun(at: now) == [10])
    }

    @Test mutating func `a service that hangs leaves half of the places to another one`() {
        add([0], to: "b")
        #expect(end(.answered) != nil)
        add(1...9)
        #expect(begun().count == 2)
        add([10, 11, 12], to: "b")
        #expect(begun() == [10, 11])
    }

    @Test mutating func `a service has all places once no other one is in use`() {
        add([0], to: "b")
        #expect(end(.answered, at: .seconds(5)) != nil)
        add(1...9)
        let idleTime = Duration.seconds(5) + DeliverySchedule<Int>.timeOfUse
        #expect(begun(at: idleTime - .milliseconds(1)) == [1, 2])
        #expect(begun(at: idleTime) == [3, 4])
        // The other one is used again.
        add([10], to: "b")
        #expect(begun(at: idleTime) == [])
        for _ in 1...2 { _ = schedule.finish(Outcome(attempt: .answered), of: "a", now: idleTime) }
        #expect(begun(at: idleTime) == [10])
        // An attempt that runs for long keeps its service in use.
        let late = idleTime + DeliverySchedule<Int>.timeOfUse
        #expect(begun(at: late) == [])
        _ = schedule.finish(Outcome(attempt: .answered), of: "b", now: late)
        #expect(begun(at: late) == [5, 6])
    }

    @Test mutating func `the turns go on in their order while services without a place come`() {
        let names = (1..<Self.services).map { "service\($0)" }
        for (number, name) in names.enumerated() { add([number, number], to: name) }
        var order: [Int] = []
        for number in 0..<names.count * 2 {
            add([1_000], to: "further\(number)")
            if let end = end(.answered), end.item < 1_000 { order.append(end.item) }
        }
        #expect(order.prefix(names.count).elementsEqual(names.indices))
    }

    @Test mutating func `services that are down take turns while another one always has work`() {
        bringDown("a")
        bringDown("b", isFirst: false)
        add(repeatElement(1, count: 50), to: "a")
        add(repeatElement(2, count: 50), to: "b")
        var counts: [Int: Int] = [:]
        for step in 0..<100 {
            add([3, 3], to: "healthy")
            let now = Duration.milliseconds(50 * (step + 1))
            while case .begin(let item, let service) = schedule.next(at: now) {
                counts[item, default: 0] += 1
                _ = schedule.finish(Outcome(attempt: item == 3 ? .answered : .failed), of: service, now: now)
            }
        }
        #expect(counts == [1: 25, 2: 25, 3: 200])
    }

    @Test mutating func `a service whose items wait for their repetition stays down`() {
        bringDown("a")
        add([1])
        #expect(end(.failed, repeatingAfter: .seconds(9)) != nil)
        for number in 0..<Self.services * 2 {
            add([2], to: "service\(number)")
            #expect(end(.answered, at: .milliseconds(50)) != nil)
        }
        add([3, 4])
        #expect(begun(at: .seconds(1)) == [3])
    }

    @Test mutating func `what is reported is bounded, and ends with the last service that is down`() {
        func reports(_ ends: [DeliverySchedule<Int>.Change?]) -> [Bool] { ends.compactMap { $0?.isDown } }
        var now = Duration.zero
        var changes: [DeliverySchedule<Int>.Change?] = []
        // A service that answers now and then.
        for _ in 0..<100 {
            add(0...Self.failures)
            for _ in 0..<Self.failures { changes.append(end(.failed, at: now)?.change) }
            changes.append(end(.answered, at: now)?.change)
            now += .seconds(1)
        }
        #expect(reports(changes) == [true, false, true, false])
        // It goes down within the minute, and stays down.
        add(0...Self.failures)
        changes = (0..<Self.failures).map { _ in end(.failed, at: now)?.change }
        #expect(reports(changes) == [])
        now += .seconds(60)
        let late = [end(.failed, at: now)?.change]
        #expect(reports(late) == [true])
        add([0])
        now += .seconds(60)
        let recovery = [end(.answered, at: now)?.change]
        #expect(reports(recovery) == [false])
        changes = []
        for service in ["a", "b"] {
            add(0..<Self.failures, to: service)
            for _ in 0..<Self.failures { changes.append(end(.failed, at: now)?.change) }
        }
        #expect(reports(changes) == [true])
        for service in ["a", "b"] {
            add([0], to: service)
            now += .seconds(1)
            changes.append(end(.answered, at: now)?.change)
        }
        #expect(reports(changes) == [true, false])
    }

    @Test mutating func `a service that is down delays no other one`() {
        bringDown()
        add(1...500)
        add(501...510, to: "b")
        var others: [Int] = []
        for _ in 0..<20 {
            guard case .begin(let item, let service) = schedule.next(at: .zero) else { break }
            guard service == "b" else { continue }
            others.append(item)
            _ = schedule.finish(Outcome(attempt: .answered), of: service, now: .zero)
        }
        #expect(others == Array(501...510))
    }

    @Test mutating func `services take turns`() {
        add(1...100)
        add([101, 102], to: "b")
        #expect(begun() == [1, 101, 2, 102])
    }

    @Test func `a full schedule drops an item of the service that has the most`() {
        var schedule = DeliverySchedule<Int>(length: 4, concurrency: 9)
        let dropped = [(1, "a"), (2, "a"), (3, "a"), (4, "b"), (5, "b")].map { schedule.add($0, to: $1) }
        #expect(dropped == [false, false, false, false, true])
        var begun: Set<Int> = []
        while case .begin(let item, let service) = schedule.next(at: .zero) {
            begun.insert(item)
            _ = schedule.finish(.init(attempt: .answered), of: service, now: .zero)
        }
        #expect(begun == [2, 3, 4, 5])
    }

    @Test mutating func `services beyond the limit share a place, and idle ones leave theirs`() {
        schedule = DeliverySchedule(length: 2_000, concurrency: 4)
        bringDownAll((0..<Self.services).map { "service\($0)" })
        // The next two share a place, so that one brings the other down.
        add(repeatElement(0, count: Self.failures + 2), to: "x")
        while end(.failed) != nil {}
        add([1_000], to: "y")
        #expect(begun() == [])
        // The items of the others end, so that a new service has a place of its own.
        var now = Duration.zero
        for _ in 0..<Self.services * 2 {
            now += Self.pause
            while end(.answered, at: now) != nil {}
        }
        add([1_002], to: "z")
        guard case .begin(1_002, "z") = schedule.next(at: now) else {
            Issue.record("the item has no place of its own")
            return
        }
    }

    /// Leaves each service down with an item that waits.
    private mutating func bringDownAll(_ names: [String]) {
        for name in names { add(0..<Self.failures + 2, to: name) }
        var failed = 0
        while end(.failed) != nil { failed += 1 }
        // The first attempt of the first service that is down begins at once.
        #expect(failed == names.count * Self.failures + 1)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `every item begins once or was dropped, within the bounds`(seed: UInt64) {
        let random = SeededRandomSource(seed: seed)
        var schedule = DeliverySchedule<Int>(length: 40, concurrency: 3)
        var (next, now, dropped, downs) = (0, Duration.zero, 0, 0)
        var running: [(item: Int, service: String)] = []
        var ended: Set<Int> = []

        func finish(_ place: UInt8, _ kind: UInt8, _ delay: UInt8) {
            guard !running.isEmpty else { return }
            let (item, service) = running.remove(at: Int(place) % running.count)
            let attempts: [Outcome.Attempt] = [.notMade, .answered, .failedAgain, .expired, .deferred]
            // A service fails for a while, so that it goes down.
            let isFailing = now.components.seconds / 20 % 2 == 0
            let attempt = isFailing ? .failed : attempts[Int(kind) % attempts.count]
            let isRepeated = [.failed, .failedAgain, .deferred].contains(attempt) && delay < 150
            if !isRepeated { #expect(ended.insert(item).inserted) }
            let outcome = Outcome(attempt: attempt, repetition: isRepeated ? (item, .seconds(Int64(delay))) : nil)
            let change = schedule.finish(outcome, of: service, now: now)
            if change.isDropped { dropped += 1 }
            if change.isDown == true { downs += 1 }
        }

        for _ in 0..<4_000 {
            let bytes = random.bytes(4)
            switch bytes[0] % 4 {
            case 0, 1:
                if schedule.add(next, to: "service\(bytes[1] % 5)") { dropped += 1 }
                next += 1
            case 2: finish(bytes[1], bytes[2], bytes[3])
            default: now += .milliseconds(Int64(bytes[1]))
            }
            while case .begin(let item, let service) = schedule.next(at: now) { running.append((item, service)) }
            #expect(running.count <= 3)
        }
        #expect(downs > 1)
        // Everything that is left ends.
        for _ in 0..<2_000 {
            now += .seconds(300)
            while case .begin(let item, let service) = schedule.next(at: now) { running.append((item, service)) }
            finish(0, 1, 0)
        }
        #expect(ended.count + dropped == next && dropped > 0)
    }
}
