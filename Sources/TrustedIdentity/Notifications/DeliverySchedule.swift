internal import Primitives

/// The order in which deliveries begin, without any input or output.
///
/// The services of a gateway take turns, and the first attempts of a service come before its repetitions. Once many
/// first attempts in a row have failed, a service counts as down until it answers one. The services that are down have
/// a pace and a few places in common, so that they take neither the time nor the places of the others.
struct DeliverySchedule<Item: Sendable>: Sendable {
    private struct Service {
        var first = FirstInFirstOut<Item>()
        var repetitions = FirstInFirstOut<Item>()
        /// The number of items that wait for the time of their repetition.
        var delayedCount = 0
        var running = 0
        /// The time at which the last item began; nil before the first one.
        var begun: Duration?
        /// The first attempts that have failed in a row.
        var failures = 0

        var isDown: Bool { failures >= DeliverySchedule.failuresOfService }
        var hasReady: Bool { first.count + repetitions.count > 0 }
        var isIdle: Bool { !hasReady && delayedCount + running == 0 }

        /// Returns whether items wait or run, or one has begun a short while ago.
        func isInUse(at now: Duration) -> Bool {
            !isIdle || begun.map { now - $0 < DeliverySchedule.timeOfUse } ?? false
        }
    }

    private let length: Int
    private let concurrency: Int
    private var services: [String: Service] = [:]
    /// The names of all services, in the order of their turns.
    private var turns: [String] = []
    /// The items that wait for the time of their repetition.
    private var delayed = DelayedItems<(service: String, item: Item)>()
    /// The number of items that wait for their first attempt.
    private(set) var firstCount = 0
    /// The number of repetitions that are due and wait to begin.
    private var dueCount = 0
    private(set) var running = 0
    /// The number of running items whose services are down.
    private var runningDown = 0
    /// The time at which an item of a service that is down may begin.
    private var earliest = Duration.zero
    /// The time of the last report that a service is down, and whether the opposite is to be reported.
    private var reported: (time: Duration, isOpen: Bool)?

    /// Creates a schedule.
    ///
    /// - Parameters:
    ///   - length: The most items that wait to start, and the most that wait to be repeated.
    ///   - concurrency: The most items that are worked on at the same time.
    init(length: Int, concurrency: Int) {
        self.length = length
        self.concurrency = concurrency
    }

    /// Returns whether the services that are in use take items.
    func condition(at now: Duration) -> Condition {
        let used = services.values.filter { $0.isInUse(at: now) }
        guard !used.isEmpty else { return .unused }
        return firstCount >= Self.heldItems && used.allSatisfy(\.isDown) ? .heldUp : .working
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
        while let (name, item) = delayed.removeFirst(dueAt: now) {
            services[name]?.delayedCount -= 1
            services[name]?.repetitions.append(item)
            dueCount += 1
        }
        // At full concurrency, the end of an item is the next change.
        guard running < concurrency else { return .pause(nil) }
        var isWaiting = false
        for (place, name) in turns.enumerated() {
            switch readiness(of: name, at: now) {
            case .ready:
                // Those that were not ready keep their turns.
                turns.append(turns.remove(at: place))
                return begin(name, now: now)
            case .waiting: isWaiting = true
            case .none: break
            }
        }
        let times = [delayed.firstDue, isWaiting ? earliest : nil].compactMap(\.self)
        return .pause(times.min().map { $0 - now })
    }

    /// Notes the end of an item.
    ///
    /// - Returns: Whether a repetition was dropped, and what is to be reported.
    mutating func finish(_ outcome: Outcome, of name: String, now: Duration) -> Change {
        running -= 1
        var service = services.removeValue(forKey: name) ?? Service()
        let wasDown = service.isDown
        service.running -= 1
        if wasDown { runningDown -= service.running + 1 }
        // Whether no other item of a service that is down has begun since.
        let isLatest = wasDown && service.begun.map { earliest == $0 + Self.pauseOfService } ?? false
        switch outcome.attempt {
        case .expired: if isLatest { earliest = now }
        case .notMade: if isLatest { earliest = now + Self.pauseAfterRead }
        case .answered: service.failures = 0
        case .failed: service.failures += 1
        case .failedAgain, .deferred: break
        }
        if service.isDown { runningDown += service.running }
        var change = Change()
        if let (item, delay) = outcome.repetition {
            delayed.insert((name, item), due: now + delay)
            service.delayedCount += 1
        }
        services[name] = service
        if delayed.count + dueCount > length {
            dropRepetition()
            change.isDropped = true
        }
        change.isDown = report(isNew: service.isDown && !wasDown, now: now)
        return change
    }

    private enum Readiness {
        case ready
        /// An item of a service that is down waits for its time.
        case waiting
        case none
    }

    private func readiness(of name: String, at now: Duration) -> Readiness {
        guard let service = services[name], service.hasReady else { return .none }
        // A service that hangs must leave places to the others even before it counts as down.
        guard service.isDown else {
            return service.running < max(1, concurrency / 2) || isAlone(name, at: now) ? .ready : .none
        }
        guard service.running == 0, runningDown < Self.downConcurrency else { return .none }
        return earliest <= now ? .ready : .waiting
    }

    /// Returns whether no other service is in use.
    private func isAlone(_ name: String, at now: Duration) -> Bool {
        !services.contains { $0.key != name && $0.value.isInUse(at: now) }
    }

    private mutating func begin(_ name: String, now: Duration) -> Action {
        guard var service = services.removeValue(forKey: name) else { preconditionFailure("a turn without a service") }
        defer { services[name] = service }
        if service.isDown {
            earliest = now + Self.pauseOfService
            runningDown += 1
        }
        service.begun = now
        service.running += 1
        running += 1
        if let item = service.first.removeFirst() {
            firstCount -= 1
            return .begin(item, service: name)
        }
        guard let item = service.repetitions.removeFirst() else { preconditionFailure("a turn without an item") }
        dueCount -= 1
        return .begin(item, service: name)
    }

    /// Returns whether services are down from now on; nil when this is not to be reported.
    ///
    /// The reports have a bound, because a service that answers now and then would fill the log.
    ///
    /// - Parameter isNew: Whether a service has just gone down.
    private mutating func report(isNew: Bool, now: Duration) -> Bool? {
        let isOpen = reported?.isOpen ?? false
        guard services.values.contains(where: \.isDown) else {
            guard isOpen else { return nil }
            reported?.isOpen = false
            return false
        }
        guard isNew || !isOpen, reported.map({ now - $0.time >= Self.reportInterval }) ?? true else { return nil }
        reported = (now, true)
        return true
    }

    /// Drops the oldest repetition of the service that has the most that are due, or else the one that is due first.
    private mutating func dropRepetition() {
        guard dueCount > 0,
            let longest = services.max(by: { $0.value.repetitions.count < $1.value.repetitions.count })?.key
        else {
            if let (name, _) = delayed.removeFirst(dueAt: nil) { services[name]?.delayedCount -= 1 }
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
            turns.removeAll { services[$0] == nil }
        }
        let place = services.count < Self.serviceLimit ? name : ""
        if services[place] == nil { turns.append(place) }
        return place
    }
}
