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
