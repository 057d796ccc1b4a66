import Testing

@testable import TrustedIdentity

@Suite struct ChangeWatchTests {
    static let topics: [ChangeWatch.Topic] = [
        .account("a@b"), .account("c@d"), .approvalRequest([1, 2]),
    ]

    @Test(arguments: topics, topics)
    func `a change wakes the waiters of its topic and no others`(
        topic: ChangeWatch.Topic, changed: ChangeWatch.Topic
    ) async throws {
        let watch = ChangeWatch()
        let changes = try await watch.waiting(for: topic) { changes in
            watch.changed(changed)
            return changes
        }
        watch.changed(topic)
        // The stream ended with the wait, so that this counts the changes during it.
        #expect(await changes.reduce(0) { count, _ in count + 1 } == (changed == topic ? 1 : 0))
    }

    @Test func `all waiters of a topic are woken, and several changes count as one`() async throws {
        let watch = ChangeWatch()
        let (first, second) = try await watch.waiting(for: .account("a@b")) { first in
            try await watch.waiting(for: .account("a@b")) { second in
                for _ in 0..<3 { watch.changed(.account("a@b")) }
                return (first, second)
            }
        }
        #expect(await first.reduce(0) { count, _ in count + 1 } == 1)
        #expect(await second.reduce(0) { count, _ in count + 1 } == 1)
    }

    @Test func `one limit holds for the waiters of all topics, and a waiter that ends frees a place`() async throws {
        let watch = ChangeWatch(limit: 2)
        try await watch.waiting(for: .account("a@b")) { _ in
            try await watch.waiting(for: .account("a@b")) { _ in
                for topic in Self.topics {
                    await #expect(throws: PlatformError(.busy)) { try await watch.waiting(for: topic) { _ in } }
                }
            }
            try await watch.waiting(for: .approvalRequest([2])) { _ in }
        }
    }

    @Test func `a waiter that throws frees its place, too`() async throws {
        struct Stop: Error {}
        let watch = ChangeWatch(limit: 1)
        await #expect(throws: Stop.self) { try await watch.waiting(for: .account("a@b")) { _ in throw Stop() } }
        try await watch.waiting(for: .account("a@b")) { _ in }
    }
}
