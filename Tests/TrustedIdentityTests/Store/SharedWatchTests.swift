import Crypto
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The changes that processes tell one another over a database that they share.
@Suite(.timeLimit(.minutes(1))) struct SharedWatchTests {
    private static let alice = ChangeWatch.Topic.account(Harness.alice)
    private static let bob = ChangeWatch.Topic.account("bob@master")
    private static let key = SymmetricKey(data: [UInt8](repeating: 7, count: 32))

    private let time = ManualTimeSource()
    private let peers = FakePeers()

    /// Returns the name of a topic in messages.
    private static func name(of topic: ChangeWatch.Topic) throws -> String {
        let peers = FakePeers()
        ChangeWatch(peers: peers, key: key).changed(topic)
        return try #require(peers.sent.first)
    }

    /// Returns the number of changes that a task sees that waits for alice, once all messages were read.
    private func changes(after messages: [String]) async throws -> Int {
        // The messages have one reader.
        let peers = FakePeers()
        let watch = ChangeWatch(peers: peers, key: Self.key)
        let last = try Self.name(of: Self.bob)
        let changes = try await watch.waiting(for: Self.alice) { changes in
            try await watch.waiting(for: Self.bob) { end in
                for message in messages + [last] { peers.deliver(message) }
                for await _ in end { break }
            }
            return changes
        }
        return await changes.reduce(0) { count, _ in count + 1 }
    }

    @Test func `a topic is sent as 32 hexadecimal digits that depend on its kind and its name`() throws {
        let topics: [ChangeWatch.Topic] = [
            Self.alice, Self.bob, .approvalRequest(Array(Harness.alice.utf8)), .approvalRequest([]), .account(""),
        ]
        let names = try topics.map(Self.name)
        #expect(Set(names).count == topics.count)
        let again = try topics.map(Self.name)
        #expect(names == again)
        #expect(names.allSatisfy { $0.count == 32 && $0.allSatisfy { "0123456789abcdef".contains($0) } })
    }

    @Test func `a message wakes the tasks that wait for its topic, also a doubled one`() async throws {
        let name = try Self.name(of: Self.alice)
        #expect(try await changes(after: [name]) == 1)
        #expect(try await changes(after: [name, name]) == 1)
    }

    @Test func `a malformed message, and one that nothing waits for, wakes no task`() async throws {
        let name = try Self.name(of: Self.alice)
        let unknown = try Self.name(of: .approvalRequest([1]))
        #expect(try await changes(after: ["", "x", name + "0", String(name.dropLast()), name.uppercased()]) == 0)
        #expect(try await changes(after: [unknown]) == 0)
    }

    @Test(arguments: [nil, "all"]) func `a message about all topics wakes all tasks`(message: String?) async throws {
        let watch = ChangeWatch(peers: peers, key: Self.key)
        for topic in [Self.alice, .approvalRequest([1])] {
            try await watch.waiting(for: topic) { changes in
                peers.deliver(message)
                for await _ in changes { break }
            }
        }
    }

    @Test func `a wait without messages of other processes ends after a second`() async throws {
        let watch = ChangeWatch(peers: peers, key: Self.key)
        peers.set(isListening: false)
        try await watch.waiting(for: Self.alice) { changes in
            async let wait: Void = changes.next(within: .seconds(60), on: time)
            await time.sleepers(1)
            time.advance(seconds: 1)
            try await wait
        }
        #expect(time.uptime() == .seconds(1))
    }

    @Test func `the reader of messages ends with its watch`() async throws {
        weak var watch: ChangeWatch?
        do {
            let owned = ChangeWatch(peers: peers, key: Self.key)
            watch = owned
            owned.changed(Self.alice)
        }
        #expect(watch == nil)
        #expect(peers.sent.count == 1)
    }

    @Test func `an activation on one process ends the wait on another`() async throws {
        let (harness, other) = try await processes()
        peers.connect(to: other.peers)
        let device = try await Authenticator.exchangeKeys(
            Harness.alice, code: harness.register(), suites: [.classic], with: harness)
        async let status = other.platform.activationStatus(of: Harness.account(), timeout: .seconds(60))
        await time.sleepers(1)
        try await device.complete(with: harness)
        #expect(try await status == .activated)
        #expect(time.uptime() == .zero)
    }

    @Test func `without messages, the wait on another process ends within a second`() async throws {
        let (harness, other) = try await processes()
        other.peers.set(isListening: false)
        let device = try await Authenticator.exchangeKeys(
            Harness.alice, code: harness.register(), suites: [.classic], with: harness)
        async let status = other.platform.activationStatus(of: Harness.account(), timeout: .seconds(60))
        await time.sleepers(1)
        try await device.complete(with: harness)
        time.advance(seconds: 1)
        #expect(try await status == .activated)
    }

    @Test func `a login by code or static password sends nothing, whether it is accepted or refused`() async throws {
        let (harness, _) = try await processes()
        let device = try await harness.activate()
        _ = try await harness.register("bob@master", staticPassword: "correct horse 1")
        let count = peers.sent.count
        #expect(count > 0)
        #expect(try await harness.login(device.code(at: time.now())).status == .accepted)
        for _ in 0..<8 { #expect(try await harness.login("000000").status != .accepted) }
        for (password, status) in [("correct horse 1", LoginDecision.Status.accepted), ("wrong horse 1", .refused)] {
            let request = try LoginRequest(
                account: Harness.account("bob@master"), credential: .staticPassword(password))
            #expect(try await harness.platform.login(request).status == status)
        }
        #expect(peers.sent.count == count)
    }

    @Test func `a lift of suspensions after a restore wakes all tasks of other processes`() async throws {
        let (harness, _) = try await processes()
        try await harness.platform.markRestored(revocations: .unknown)
        try await harness.platform.liftSuspensions()
        #expect(peers.sent.suffix(2) == ["all", "all"])
    }

    /// Opens two platforms over one database.
    private func processes() async throws -> (Harness, (platform: Platform, peers: FakePeers)) {
        let base = SQLiteDatabase.inMemory()
        let harness = try await Harness(store: base, on: SharedDatabase(base, peers: peers), time: time)
        let other = FakePeers()
        return (harness, (try await harness.platform(on: SharedDatabase(base, peers: other)), other))
    }
}
