internal import Primitives
internal import Synchronization

/// A queue of work with a bounded length, of which a bounded number runs at the same time.
///
/// Work that is to be repeated later waits in the queue and occupies no place of running work.
final class DeliveryQueue<Item: Sendable>: Sendable {
    /// Work that is to be repeated.
    struct Repetition: Sendable {
        let item: Item
        /// The time until then.
        let delay: Duration
    }

    private struct State {
        var ready = FirstInFirstOut<Item>()
        var delayed = DelayedItems<Item>()
        var running = 0
    }

    private enum Next {
        case item(Item)
        /// Nothing can start before the queue changes or the time has passed.
        case pause(Duration?)
    }

    private let state = Mutex(State())
    private let watch = ChangeWatch()
    private let length: Int
    private let concurrency: Int

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - length: The most items that wait to start, and the most that wait to be repeated.
    ///   - concurrency: The most items that run at the same time.
    init(length: Int, concurrency: Int) {
        self.length = length
        self.concurrency = concurrency
    }

    /// Adds an item and returns at once. A full queue drops the item that has waited longest.
    ///
    /// - Returns: Whether an item was dropped.
    func submit(_ item: Item) -> Bool {
        let isDropped = state.withLock { state in
            let isFull = state.ready.count >= length
            if isFull { state.ready.removeFirst() }
            state.ready.append(item)
            return isFull
        }
        watch.changed(Self.topic)
        return isDropped
    }

    /// Works on the items until the task is canceled. Items that wait stay in the queue; running work is canceled.
    ///
    /// - Parameters:
    ///   - time: The clock of the repetitions.
    ///   - onDrop: Called for each repetition that is dropped because too many wait.
    ///   - work: Works on an item. It returns a repetition, or nil at the end of the item.
    func run(
        on time: any TimeSource, onDrop: @escaping @Sendable () -> Void,
        _ work: @escaping @Sendable (Item) async -> Repetition?
    ) async {
        await withDiscardingTaskGroup { group in
            // The only wait of the watch, and within its limit. It throws only when the task is canceled.
            try? await watch.waiting(for: Self.topic) { changes in
                while true {
                    try Task.checkCancellation()
                    switch next(at: time.uptime()) {
                    case .item(let item):
                        group.addTask { [self] in
                            let repetition = await work(item)
                            if finish(repetition, at: time.uptime()) { onDrop() }
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

    private func next(at now: Duration) -> Next {
        state.withLock { state in
            while let item = state.delayed.removeFirst(dueAt: now) { state.ready.append(item) }
            guard state.running < concurrency, let item = state.ready.removeFirst() else {
                // At full concurrency, the end of an item is the next change.
                return .pause(state.running < concurrency ? state.delayed.firstDue.map { $0 - now } : nil)
            }
            state.running += 1
            return .item(item)
        }
    }

    /// Returns whether a repetition was dropped.
    private func finish(_ repetition: Repetition?, at now: Duration) -> Bool {
        let isDropped = state.withLock { state in
            state.running -= 1
            guard let repetition else { return false }
            let isFull = state.delayed.count >= length
            if isFull { _ = state.delayed.removeFirst(dueAt: nil) }
            state.delayed.insert(repetition.item, due: now + repetition.delay)
            return isFull
        }
        watch.changed(Self.topic)
        return isDropped
    }
}

/// Items in the order of their arrival. Each operation takes constant time on average.
struct FirstInFirstOut<Item: Sendable>: Sendable {
    private var items: [Item?] = []
    private var head = 0

    var count: Int { items.count - head }

    mutating func append(_ item: Item) { items.append(item) }

    /// Removes the oldest item; nil for none.
    @discardableResult mutating func removeFirst() -> Item? {
        guard head < items.count else { return nil }
        let item = items[head]
        items[head] = nil
        head += 1
        // As many items are moved as were removed since the last time.
        if head * 2 >= items.count {
            items.removeFirst(head)
            head = 0
        }
        return item
    }
}

/// Items that wait for a time, in a binary heap.
struct DelayedItems<Item: Sendable>: Sendable {
    private var heap: [(due: Duration, item: Item)] = []

    var count: Int { heap.count }

    /// The time at which the first item is due.
    var firstDue: Duration? { heap.first?.due }

    mutating func insert(_ item: Item, due: Duration) {
        heap.append((due, item))
        var child = heap.count - 1
        while child > 0, case let parent = (child - 1) / 2, heap[child].due < heap[parent].due {
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes the item that is due first; nil for none.
    ///
    /// - Parameter now: The time at which the item must be due; nil for an item that is due at any time.
    mutating func removeFirst(dueAt now: Duration?) -> Item? {
        guard let first = heap.first, now.map({ first.due <= $0 }) ?? true else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            let children = (2 * parent + 1)..<min(2 * parent + 3, max(heap.count, 2 * parent + 1))
            guard let least = children.min(by: { heap[$0].due < heap[$1].due }), heap[least].due < heap[parent].due
            else { return first.item }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
