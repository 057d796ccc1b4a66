internal import Primitives

/// The order in which deliveries begin, without any input or output.
///
/// The services of a gateway take turns, and the first attempts of a service come before its repetitions. Once many
/// attempts in a row have failed, a service counts as down: one delivery at a time begins, with a pause after the one
/// before, until the service answers one.
struct DeliverySchedule<Item: Sendable>: Sendable {
    /// The number of failures in a row after which a service counts as down.
    static var failuresOfService: Int { 16 }
    /// The least time from the beginning of an attempt to the next one while the service is down.
    static var pauseOfService: Duration { .milliseconds(100) }
    /// The same time after an item that needed no attempt, which took the time of a read.
    static var pauseAfterRead: Duration { .milliseconds(25) }
    /// The number of waiting items that are enough for services that are down.
    static var heldItems: Int { 32 }
    /// The most services that are told apart. Further ones share the place of the service without a name.
    static var serviceLimit: Int { 64 }

    /// The work that is next.
    enum Action {
        /// Work on an item, and report its end with ``DeliverySchedule/finish(_:of:now:)``.
        case begin(Item, service: String)
        /// Nothing can begin before an item ends, an item is new, or the time has passed.
        case pause(Duration?)
    }

    /// The end of the work on an item.
    struct Outcome: Sendable {
        enum Attempt: Sendable {
            /// The time of the item was over. Nothing was done.
            case expired
            /// The rows were read. There was nothing to send, or the attempt did not begin.
            case notMade
            /// The service has answered, whatever its answer means for the item.
            case answered
            /// The service has not answered, or asked for a repetition.
            case failed
        }

        let attempt: Attempt
        /// The item that is to be worked on later, and the time until then; nil at the end of the item.
        var repetition: (item: Item, delay: Duration)?
    }

    /// What the end of an item has changed.
    struct Change: Equatable {
        /// Whether a repetition was dropped because too many wait.
        var isDropped = false
        /// Whether the service is down from now on; nil when this is as before.
        var isDown: Bool?
    }

    private struct Service {
        var first = FirstInFirstOut<Item>()
        var repetitions = FirstInFirstOut<Item>()
        var running = 0
        /// The failures in a row.
        var failures = 0
        /// The time at which an item may begin while the service is down.
        var earliest = Duration.zero

        var isDown: Bool { failures >= DeliverySchedule.failuresOfService }
        var isIdle: Bool { first.count + repetitions.count + running == 0 }
    }

    private let length: Int
    private let concurrency: Int
    private var services: [String: Service] = [:]
    /// The services that have waiting items, and others, in the order of their turns.
    private var turns = FirstInFirstOut<String>()
    /// The items that wait for the time of their repetition.
    private var delayed = DelayedItems<(service: String, item: Item)>()
    private var firstCount = 0
    /// The number of repetitions that are due and wait to begin.
    private var dueCount = 0
    private var running = 0

    /// Creates a schedule.
    ///
    /// - Parameters:
    ///   - length: The most items that wait to start, and the most that wait to be repeated.
    ///   - concurrency: The most items that are worked on at the same time.
    init(length: Int, concurrency: Int) {
        self.length = length
        self.concurrency = concurrency
    }

    /// Whether many items wait, and only for services that are down.
    var isHeldUp: Bool {
        firstCount >= Self.heldItems && services.values.allSatisfy { $0.isDown || $0.first.count == 0 }
    }

    /// Adds an item. When too many wait, the oldest one of the service that has the most waiting items is dropped.
    ///
    /// - Returns: Whether an item was dropped.
    mutating func add(_ item: Item, to service: String) -> Bool {
        let isFull = firstCount >= length
        if isFull, let longest = services.max(by: { $0.value.first.count < $1.value.first.count })?.key {
            services[longest]?.first.removeFirst()
            firstCount -= 1
        }
        services[place(of: service), default: Service()].first.append(item)
        firstCount += 1
        return isFull
    }

    /// Returns what is next.
    mutating func next(at now: Duration) -> Action {
        while let (service, item) = delayed.removeFirst(dueAt: now) {
            services[place(of: service), default: Service()].repetitions.append(item)
            dueCount += 1
        }
        // At full concurrency, the end of an item is the next change.
        guard running < concurrency else { return .pause(nil) }
        var wait = delayed.firstDue.map { $0 - now }
        for _ in 0..<turns.count {
            guard let name = turns.removeFirst(), let service = services[name] else { continue }
            turns.append(name)
            guard service.first.count + service.repetitions.count > 0, !service.isDown || service.running == 0 else {
                continue
            }
            guard !service.isDown || service.earliest <= now else {
                wait = min(wait ?? .seconds(86_400), service.earliest - now)
                continue
            }
            return begin(name, now: now)
        }
        return .pause(wait)
    }

    /// Notes the end of an item.
    ///
    /// - Returns: What this has changed.
    mutating func finish(_ outcome: Outcome, of name: String, now: Duration) -> Change {
        var change = Change()
        running -= 1
        let wasDown = services[name]?.isDown ?? false
        services[name]?.running -= 1
        switch outcome.attempt {
        case .expired: services[name]?.earliest = now
        case .notMade: services[name]?.earliest = now + Self.pauseAfterRead
        case .answered: services[name]?.failures = 0
        case .failed: services[name]?.failures += 1
        }
        if let isDown = services[name]?.isDown, isDown != wasDown { change.isDown = isDown }
        guard let (item, delay) = outcome.repetition else { return change }
        if delayed.count + dueCount >= length {
            dropRepetition()
            change.isDropped = true
        }
        delayed.insert((name, item), due: now + delay)
        return change
    }

    private mutating func begin(_ name: String, now: Duration) -> Action {
        guard var service = services.removeValue(forKey: name) else { return .pause(nil) }
        defer { services[name] = service }
        let item: Item?
        if service.first.count > 0 {
            item = service.first.removeFirst()
            firstCount -= 1
        } else {
            item = service.repetitions.removeFirst()
            dueCount -= 1
        }
        guard let item else { return .pause(nil) }
        service.running += 1
        running += 1
        if service.isDown { service.earliest = now + Self.pauseOfService }
        return .begin(item, service: name)
    }

    /// Drops the oldest repetition of the service that has the most, or else the one that is due first.
    private mutating func dropRepetition() {
        guard dueCount > 0,
            let longest = services.max(by: { $0.value.repetitions.count < $1.value.repetitions.count })?.key
        else {
            _ = delayed.removeFirst(dueAt: nil)
            return
        }
        services[longest]?.repetitions.removeFirst()
        dueCount -= 1
    }

    /// Returns the name under which the items of a service wait, which has its turn from now on.
    private mutating func place(of name: String) -> String {
        guard services[name] == nil else { return name }
        if services.count >= Self.serviceLimit {
            services = services.filter { !$0.value.isIdle }
            turns = FirstInFirstOut(Array(services.keys))
        }
        let place = services.count < Self.serviceLimit ? name : ""
        if services[place] == nil { turns.append(place) }
        return place
    }
}
