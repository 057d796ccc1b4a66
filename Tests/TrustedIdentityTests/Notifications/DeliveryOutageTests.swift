import Metrics
import MetricsTestKit
import OrchestrationTesting
import Primitives
import Synchronization
import Testing

@testable import TrustedIdentity

/// The delivery of notifications while a push service or the store fails.
@Suite(.timeLimit(.minutes(20))) struct DeliveryOutageTests {
    private static let users = [Harness.alice, "bob@master"]

    private let time = ManualTimeSource()

    /// Activates five devices of each user.
    private func activate(_ harness: Harness) async throws {
        for user in Self.users {
            for number in 1...5 { _ = try await harness.activate(registering: "apns:\(number)", user) }
        }
    }

    /// Requests two payments of each user, for twenty first attempts.
    private func requestPayments(_ harness: Harness) async throws {
        for user in Self.users {
            for amount in ["1", "2"] { _ = try await harness.requestPayment(amount, user) }
        }
    }

    @Test func `a service that is down gets one attempt at a time, and everything once it answers`() async throws {
        let failing: ScriptedGateway.Answer = { .failed(retryAfter: nil) }
        let gateway = ScriptedGateway(time, Array(repeating: failing, count: 30))
        let lines = LogLines()
        let harness = try await Harness(gateways: ["apns": gateway], time: time, logger: lines.logger)
        try await activate(harness)
        try await requestPayments(harness)
        try await harness.delivering { try await harness.reach(50, of: gateway) }
        let times = gateway.attempts.map(\.uptime)
        let answered = times[30...]
        // The clock moves by a second, and each attempt waits for the next one. Without the bound, all repetitions
        // begin within two seconds.
        #expect(times[30] - times[20] >= .seconds(5))
        #expect(zip(answered, answered.dropFirst()).contains { $1 == $0 })
        #expect(Set(gateway.attempts[30...].map { "\($0.address) \($0.notification.id)" }).count == 20)
        let about = lines.all.filter { $0.contains("push service") }
        #expect(
            about == [
                "warning a push service takes no notifications: they wait until it does or their requests end "
                    + "notifications.scheme=apns",
                "notice the push services take notifications again notifications.scheme=apns",
            ])
    }

    @Test func `deferred attempts are repeated later, and their service does not count as down`() async throws {
        let deferred: ScriptedGateway.Answer = { .deferred(retryAfter: .seconds(30)) }
        let gateway = ScriptedGateway(time, Array(repeating: deferred, count: 20))
        let lines = LogLines()
        let harness = try await Harness(gateways: ["apns": gateway], time: time, logger: lines.logger)
        try await activate(harness)
        try await requestPayments(harness)
        try await harness.delivering { try await harness.reach(40, of: gateway) }
        let (first, second) = (gateway.attempts[..<20], gateway.attempts[20...])
        #expect(second.allSatisfy { $0.uptime >= .seconds(30) } && first.allSatisfy { $0.uptime < .seconds(30) })
        for attempts in [first, second] {
            #expect(Set(attempts.map { "\($0.address) \($0.notification.id)" }).count == 20)
        }
        #expect(!lines.all.contains { $0.contains("push service") })
    }

    @Test func `a failure of the store before an attempt does not count as one of the service`() async throws {
        let failing: ScriptedGateway.Answer = { .failed(retryAfter: nil) }
        let store = StoreWithFailures(MemoryPlatformStore())
        // Each notification meets a failure first.
        let gateway = ScriptedGateway(
            time, Array(repeating: failing, count: 20), onService: { store.failures.withLock { $0 += 1 } })
        let lines = LogLines()
        let harness = try await Harness(on: store, gateways: ["apns": gateway], time: time, logger: lines.logger)
        try await activate(harness)
        try await harness.delivering {
            for (number, user) in (Self.users + Self.users).enumerated() {
                _ = try await harness.requestPayment("\(number + 1)", user)
                try await harness.until { store.failed.withLock { $0 } == 5 * (number + 1) }
            }
            #expect(gateway.attempts.isEmpty)
            try await harness.reach(40, of: gateway)
        }
        // The first attempts of the service bring it down, as without failures of the store.
        #expect(lines.all.count { $0.hasPrefix("warning a push service takes no notifications") } == 1)
    }

    @Test func `failures of the store and of the service have times of their own`() async throws {
        let store = StoreWithFailures(MemoryPlatformStore())
        let gateway = ScriptedGateway(
            time, [{ .failed(retryAfter: nil) }], onService: { store.failures.withLock { $0 += 3 } })
        let harness = try await Harness(on: store, gateways: ["apns": gateway], time: time)
        _ = try await harness.activate(registering: "apns:a")
        let metrics = TestMetrics()
        try await withMetricsFactory(metrics) {
            _ = try await harness.requestLogin(source: "a")
            try await harness.delivering {
                try await harness.reach(2, of: gateway)
                try await harness.until { metrics.counterTotal(label: PlatformMetrics.Event.deliveries.rawValue) == 1 }
            }
        }
        let times = gateway.attempts.map(\.uptime)
        // 1–2 s, 2–4 s and 4–8 s after the failures of the store, and 1–2 s after that of the service.
        #expect(store.failed.withLock { $0 } == 3 && times[0] >= .seconds(7))
        // One count for both would give 8–16 s.
        #expect((Duration.seconds(1)..<(.seconds(8))).contains(times[1] - times[0]))
        #expect(metrics.counterTotal(label: PlatformMetrics.Event.repeatedDeliveries.rawValue) == 1)
    }

    @Test func `an identifier is removed by a later attempt when the store fails`() async throws {
        let store = StoreWithFailures(MemoryPlatformStore())
        let unregistered: ScriptedGateway.Answer = { .unregistered }
        let gateway = ScriptedGateway(
            time,
            [
                {
                    store.failures.withLock { $0 += 1 }
                    return .unregistered
                }, unregistered,
            ])
        let harness = try await Harness(on: store, gateways: ["apns": gateway], time: time)
        let phone = try await harness.activate(registering: "apns:a")
        _ = try await harness.requestLogin(source: "a")
        try await harness.delivering {
            try await harness.reach(2, of: gateway)
            let id = phone.id
            try await harness.until { try await store.read { try $0.device(id) }?.notificationIdentifier == nil }
        }
        #expect(store.failed.withLock { $0 } == 1)
    }

    @Test func `devices are not read while nothing is taken, and all requests are announced in the end`() async throws {
        let failing: ScriptedGateway.Answer = { .failed(retryAfter: nil) }
        let gateway = ScriptedGateway(time, Array(repeating: failing, count: 50))
        // No device uses the other gateway.
        let harness = try await Harness(gateways: ["apns": gateway, "fcm": ScriptedGateway(time)], time: time)
        let gateways = harness.platform.gateways
        let users = (1...10).map { "user\($0)@master" }
        for user in users {
            for number in 1...5 { _ = try await harness.activate(registering: "apns:\(user) \(number)", user) }
        }
        func request(_ users: some Sequence<String>) async throws {
            for user in users {
                for amount in ["1", "2", "3"] { _ = try await harness.requestPayment(amount, user) }
            }
        }
        try await harness.delivering {
            try await request(users.prefix(2))
            // The service is down once 16 attempts have ended. The time does not move, so that most of the 30 may wait.
            try await gateway.reached(16)
            try await harness.until { gateways.entries.values.allSatisfy { $0.queue.runningCount == 0 } }
            // 120 notifications of 24 requests. Those of seven wait, and four requests wait for their reads.
            try await request(users.dropFirst(2))
            try await harness.until { gateways.areHeldUp(at: time.uptime()) }
            for _ in 0..<1_000 { await Task.yield() }
            #expect(gateways.areHeldUp(at: time.uptime()))
            #expect(gateways.announcements.firstCount >= 8)
            // The other gateway is used, so that the devices of all requests are read at once, and not within rounds of
            // two seconds.
            let delivery = NotificationGateways.Delivery(
                request: [], expiresAt: time.now().advanced(seconds: 60), device: [], identifier: "fcm:a", address: "a")
            _ = gateways.entries["fcm"]?.queue.submit(delivery)
            #expect(!gateways.areHeldUp(at: time.uptime()))
            let begun = time.uptime()
            while gateways.announcements.firstCount > 0, !Task.isCancelled {
                time.advance(milliseconds: 100)
                for _ in 0..<1_000 { await Task.yield() }
            }
            // Those that wait have two rounds or more before them.
            #expect(time.uptime() - begun < .seconds(3))
            try await harness.reach(200, of: gateway)
        }
        #expect(Set(gateway.attempts[50...].map { "\($0.address) \($0.notification.id)" }).count == 150)
    }
}

/// A store of which as many calls fail as a test asks for.
private final class StoreWithFailures: PlatformStore {
    /// The number of the next calls that fail.
    let failures = Mutex(0)
    /// The number of calls that have failed.
    let failed = Mutex(0)
    private let base: any PlatformStore

    init(_ base: any PlatformStore) { self.base = base }

    func read<R: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> R) async throws -> R {
        try fail()
        return try await base.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> R) async throws -> R {
        try fail()
        return try await base.write(body)
    }

    private func fail() throws {
        let isNext = failures.withLock { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
        guard isNext else { return }
        failed.withLock { $0 += 1 }
        throw PlatformStoreError(.inputOutput)
    }
}
