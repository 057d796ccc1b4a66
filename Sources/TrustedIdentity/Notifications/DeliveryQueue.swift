internal import Primitives
internal import Synchronization

/// A queue of work for services, with a bounded length, of which a bounded number runs at the same time.
///
/// Work that is to be repeated later waits in the queue and occupies no place of running work. ``DeliverySchedule``
/// decides the order.
final class DeliveryQueue<Item: Sendable>: Sendable {
    typealias Outcome = DeliverySchedule<Item>.Outcome
    typealias Change = DeliverySchedule<Item>.Change

    private let schedule: Mutex<DeliverySchedule<Item>>
    private let watch = ChangeWatch()

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - length: The most items that wait to start, and the most that wait to be repeated.
    ///   - concurrency: The most items that run at the same time.
    init(length: Int, concurrency: Int) {
        schedule = Mutex(DeliverySchedule(length: length, concurrency: concurrency))
    }

    /// Adds an item and returns at once. A full queue drops an item.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - service: The name of the service that the work needs.
    /// - Returns: Whether an item was dropped.
    func submit(_ item: Item, to service: String = "") -> Bool {
        let isDropped = schedule.withLock { $0.add(item, to: service) }
        watch.changed(Self.topic)
        return isDropped
    }

    /// The number of items that wait for their first attempt: for tests.
    var firstCount: Int { schedule.withLock { $0.firstCount } }

    /// The number of items that are worked on: for tests.
    var runningCount: Int { schedule.withLock { $0.running } }

    /// Returns whether the services that are in use take items.
    func condition(at now: Duration) -> DeliverySchedule<Item>.Condition {
        schedule.withLock { $0.condition(at: now) }
    }

    /// Works on the items until the task is canceled. Items that wait stay in the queue; running work is canceled.
    ///
    /// - Parameters:
    ///   - time: The clock of the repetitions.
    ///   - onChange: Called at the end of each item, in the order of the ends. It must not use the queue.
    ///   - work: Works on an item, and returns its outcome.
    func run(
        on time: any TimeSource, onChange: @escaping @Sendable (Change) -> Void,
        _ work: @escaping @Sendable (Item) async -> Outcome
    ) async {
        await withDiscardingTaskGroup { group in
            // The only wait of the watch, and within its limit. It throws only when the task is canceled.
            try? await watch.waiting(for: Self.topic) { changes in
                while true {
                    try Task.checkCancellation()
                    switch schedule.withLock({ $0.next(at: time.uptime()) }) {
                    case .begin(let item, let service):
                        group.addTask { [self] in
                            let outcome = await work(item)
                            schedule.withLock { onChange($0.finish(outcome, of: service, now: time.uptime())) }
                            watch.changed(Self.topic)
                        }
                    case .pause(let duration?): try await changes.next(within: duration, on: time)
                    case .pause(nil):
                        for await _ in changes { break }
                    }
                }
            }
            group.cancelAll()
        }
    }

    private static var topic: ChangeWatch.Topic { .account("") }
}
