import OrchestrationTesting
import Primitives
import Synchronization
import Testing

@testable import TrustedIdentity

/// The bounds of the queue of a gateway.
@Suite(.timeLimit(.minutes(20))) struct DeliveryQueueTests {
    private let time = ManualTimeSource()

    @Test func `a full queue drops the oldest item`() async {
        let queue = DeliveryQueue<Int>(length: 2, concurrency: 1)
        #expect([1, 2, 3].map { queue.submit($0) } == [false, false, true])
        let (done, end) = AsyncStream.makeStream(of: Int.self)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [time] in
                await queue.run(on: time, onChange: { _ in }) {
                    end.yield($0)
                    return .init(attempt: .answered)
                }
            }
            var order: [Int] = []
            for await number in done.prefix(2) { order.append(number) }
            #expect(order == [2, 3])
            group.cancelAll()
        }
    }

    @Test func `an item that waits to be repeated occupies no place, and too many of them are dropped`() async {
        let queue = DeliveryQueue<Int>(length: 2, concurrency: 1)
        let (done, end) = AsyncStream.makeStream(of: Int.self)
        let dropped = Count()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [time] in
                await queue.run(on: time, onChange: { if $0.isDropped { dropped.increment() } }) { item in
                    end.yield(item)
                    return .init(attempt: .failed, repetition: (item + 10, .seconds(Int64(item))))
                }
            }
            var iterator = done.makeAsyncIterator()
            for number in 1...4 {
                _ = queue.submit(number)
                #expect(await iterator.next() == number)
            }
            while dropped.value < 2, !Task.isCancelled { await Task.yield() }
            // Those that were due first were dropped.
            await time.sleepers(1)
            time.advance(seconds: 3)
            #expect(await iterator.next() == 13)
            group.cancelAll()
        }
    }

    @Test func `delayed items come in the order of their times`() {
        var items = DelayedItems<Int>()
        let random = SeededRandomSource(seed: 7)
        let numbers = random.bytes(500).map(Int.init)
        for number in numbers { items.insert(number, due: .seconds(number)) }
        #expect(items.removeFirst(dueAt: .seconds(-1)) == nil)
        var order: [Int] = []
        while let item = items.removeFirst(dueAt: .seconds(300)) { order.append(item) }
        #expect(order == numbers.sorted())
    }

    @Test func `items come in the order of their arrival`() {
        var items = FirstInFirstOut<Int>()
        var expected: [Int] = []
        var next = 0
        for byte in SeededRandomSource(seed: 8).bytes(1_000) {
            if byte < 140 {
                items.append(next)
                expected.append(next)
                next += 1
            } else {
                #expect(items.removeFirst() == (expected.isEmpty ? nil : expected.removeFirst()))
            }
            #expect(items.count == expected.count)
        }
    }

    @Test func `the time until a repetition doubles, is half random, and ends at a minute`() {
        let random = SeededRandomSource(seed: 9)
        for (failures, full) in [(1, 2), (2, 4), (3, 8), (4, 16), (5, 32), (6, 60), (1_000, 60)] {
            let delays = (0..<200).map { _ in DeliveryBackoff.delay(failures: failures, random: random) }
            #expect(delays.allSatisfy { (.seconds(full) / 2 ..< .seconds(full)).contains($0) })
            #expect(Set(delays).count > 100)
        }
    }
}

/// A count that tasks share.
private final class Count: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func increment() { count.withLock { $0 += 1 } }
}
