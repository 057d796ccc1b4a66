import Metrics
import MetricsTestKit
import OrchestrationTesting
import Primitives
import Synchronization
import Testing
import Wire

@testable import TrustedIdentity

/// The delivery of notifications through gateways.
@Suite struct DeliveryTests {
    private let time = ManualTimeSource()

    private func harness(_ gateway: ScriptedGateway) async throws -> Harness {
        try await Harness(gateways: ["apns": gateway], time: time)
    }

    private func device(
        _ identifier: String, _ harness: Harness, of user: String = Harness.alice
    ) async throws -> Authenticator {
        let device = try await harness.activate(user)
        _ = try await device.send(.notificationsRegister(identifier: identifier), to: harness)
        return device
    }

    private func delivering(_ harness: Harness, _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await harness.platform.deliverNotifications() }
            try await body()
            group.cancelAll()
        }
    }

    /// Waits until a gateway has had as many calls, and moves the clock while none is under way: a call must not run
    /// into its time because the machine is busy.
    private func reach(_ count: Int, of gateway: ScriptedGateway, _ harness: Harness) async {
        let queues = harness.platform.gateways.entries.values.map(\.queue)
        while gateway.attempts.count < count {
            let before = gateway.attempts.count
            for _ in 0..<1_000 { await Task.yield() }
            guard gateway.attempts.count == before, queues.allSatisfy({ $0.runningCount == 0 }) else { continue }
            time.advance(seconds: 1)
        }
    }

    /// Waits until the store shows the end of a delivery.
    private func until(_ condition: () async throws -> Bool) async throws {
        while try await !condition() { await Task.yield() }
    }

    @Test func `each device with an identifier of a gateway gets the pointer, and no other`() async throws {
        let gateway = ScriptedGateway(time)
        let harness = try await harness(gateway)
        for identifier in ["apns:a", "apns:b:c", "pull:1", "fcm:d", "apns"] {
            _ = try await device(identifier, harness)
        }
        // Made before the deliveries begin: it waits for them.
        let report = try await harness.requestLogin(source: "a")
        try await delivering(harness) { await gateway.reached(2) }
        #expect(Set(gateway.attempts.map(\.address)) == ["a", "b:c"])
        let notification = try #require(gateway.attempts.first?.notification)
        #expect(notification.id == report.id && notification.pointer == report.pointer)
        #expect(gateway.attempts.count == 2)
    }

    @Test func `a request that is not announced has no notification`() async throws {
        let gateway = ScriptedGateway(time)
        let harness = try await harness(gateway)
        _ = try await device("apns:a", harness)
        for source in ["a", "b", "c"] {
            let report = try await harness.requestLogin(source: source)
            _ = try await harness.platform.cancelApproval(requestID: report.requestID)
        }
        // The budget of pushes is spent, and the earlier ones have ended.
        let silent = try await harness.requestLogin(source: "d")
        try await delivering(harness) {
            for _ in 0..<1_000 { await Task.yield() }
        }
        #expect(silent.id != nil && gateway.attempts.isEmpty)
    }

    @Test func `a failed attempt is repeated, not before the time that the service asks for`() async throws {
        let gateway = ScriptedGateway(
            time, [{ throw CancellationError() }, { .failed(retryAfter: .seconds(30)) }, { .failed(retryAfter: nil) }])
        let harness = try await harness(gateway)
        _ = try await device("apns:a", harness)
        _ = try await harness.requestLogin(source: "a")
        try await delivering(harness) { await gateway.reached(4, movingBy: 1) }
        let times = gateway.attempts.map(\.uptime)
        #expect(times[1] - times[0] >= .seconds(1))
        #expect(times[2] - times[1] >= .seconds(30))
        #expect(times[3] - times[2] >= .seconds(4))
    }

    @Test func `the time between attempts doubles, and half of it is random`() {
        for (failures, full) in [(1, 2_000), (2, 4_000), (5, 32_000), (6, 60_000), (99, 60_000)] as [(Int, Int64)] {
            let random = SeededRandomSource(seed: 1)
            let delays = (0..<200).map { _ in DeliveryBackoff.delay(failures: failures, random: random) }
            #expect(delays.allSatisfy { (.milliseconds(full / 2)...(.milliseconds(full))).contains($0) })
            #expect(Set(delays).count > 100)
        }
    }

    @Test func `attempts end with the request`() async throws {
        let failing: ScriptedGateway.Answer = { .failed(retryAfter: nil) }
        let gateway = ScriptedGateway(time, [failing])
        let harness = try await harness(gateway)
        _ = try await device("apns:a", harness)
        let first = try await harness.requestLogin(source: "a")
        try await delivering(harness) {
            await gateway.reached(1)
            _ = try await harness.platform.cancelApproval(requestID: first.requestID)
            let second = try await harness.requestLogin(source: "b")
            await gateway.reached(2, movingBy: 1)
            time.advance(seconds: 60)
            for _ in 0..<1_000 { await Task.yield() }
            #expect(gateway.attempts.map(\.notification.id) == [first.id, second.id])
        }
    }

    @Test func `a service that asks for a time after the expiry gets no further attempt`() async throws {
        let gateway = ScriptedGateway(time, [{ .failed(retryAfter: .seconds(86_400)) }])
        let harness = try await harness(gateway)
        _ = try await device("apns:a", harness)
        _ = try await harness.requestLogin(source: "a")
        try await delivering(harness) {
            await gateway.reached(1)
            time.advance(seconds: 86_400)
            for _ in 0..<1_000 { await Task.yield() }
        }
        #expect(gateway.attempts.count == 1)
    }

    @Test func `a gateway that hangs delays no request, loses its place after ten seconds, and ends with the task`()
        async throws
    {
        let (hanging, _) = AsyncStream.makeStream(of: Void.self)
        let hang: ScriptedGateway.Answer = {
            for await _ in hanging {}
            throw CancellationError()
        }
        let gateway = ScriptedGateway(time, Array(repeating: hang, count: 2))
        let harness = try await harness(gateway)
        _ = try await device("apns:a", harness)
        try await delivering(harness) {
            let report = try await harness.requestLogin(source: "a")
            #expect(report.status == .pending)
            await gateway.reached(1)
            await gateway.reached(2, movingBy: 1)
            let times = gateway.attempts.map(\.uptime)
            #expect(times[1] - times[0] >= .seconds(11))
        }
    }

    @Test func `a service that is down gets one attempt at a time, and everything once it answers`() async throws {
        let failing: ScriptedGateway.Answer = { .failed(retryAfter: nil) }
        let gateway = ScriptedGateway(time, Array(repeating: failing, count: 30))
        let lines = LogLines()
        let harness = try await Harness(gateways: ["apns": gateway], time: time, logger: lines.logger)
        for number in 1...5 {
            _ = try await device("apns:\(number)", harness)
            _ = try await device("apns:\(number)", harness, of: "bob@master")
        }
        // Twenty first attempts.
        for user in [Harness.alice, "bob@master"] {
            for amount in ["1", "2"] { _ = try await harness.requestPayment(amount, user) }
        }
        try await delivering(harness) { await reach(50, of: gateway, harness) }
        let times = gateway.attempts.map(\.uptime)
        let answered = times[30...]
        // The clock moves by a second, and each attempt waits for the next one. Without the bound, all repetitions begin
        // within two seconds.
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
        for number in 1...5 {
            for user in [Harness.alice, "bob@master"] { _ = try await device("apns:\(number)", harness, of: user) }
        }
        for user in [Harness.alice, "bob@master"] {
            for amount in ["1", "2"] { _ = try await harness.requestPayment(amount, user) }
        }
        try await delivering(harness) { await reach(40, of: gateway, harness) }
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
        let users = [Harness.alice, "bob@master"]
        for number in 1...5 {
            for user in users { _ = try await device("apns:\(number)", harness, of: user) }
        }
        try await delivering(harness) {
            for (number, user) in (users + users).enumerated() {
                _ = try await harness.requestPayment("\(number + 1)", user)
                try await until { store.failed.withLock { $0 } == 5 * (number + 1) }
            }
            #expect(gateway.attempts.isEmpty)
            await reach(40, of: gateway, harness)
        }
        // The first attempts of the service bring it down, as without failures of the store.
        #expect(lines.all.count { $0.hasPrefix("warning a push service takes no notifications") } == 1)
    }

    @Test func `failures of the store and of the service have times of their own`() async throws {
        let store = StoreWithFailures(MemoryPlatformStore())
        let gateway = ScriptedGateway(
            time, [{ .failed(retryAfter: nil) }], onService: { store.failures.withLock { $0 += 3 } })
        let harness = try await Harness(on: store, gateways: ["apns": gateway], time: time)
        _ = try await device("apns:a", harness)
        let metrics = TestMetrics()
        try await withMetricsFactory(metrics) {
            _ = try await harness.requestLogin(source: "a")
            try await delivering(harness) {
                await reach(2, of: gateway, harness)
                try await until { metrics.counterTotal(label: PlatformMetrics.Event.deliveries.rawValue) == 1 }
            }
        }
        let times = gateway.attempts.map(\.uptime)
        // 1–2 s, 2–4 s and 4–8 s after the failures of the store, and 1–2 s after that of the service.
        #expect(store.failed.withLock { $0 } == 3 && times[0] >= .seconds(7))
        #expect((Duration.seconds(1)...(.seconds(4))).contains(times[1] - times[0]))
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
        let phone = try await device("apns:a", harness)
        _ = try await harness.requestLogin(source: "a")
        try await delivering(harness) {
            await reach(2, of: gateway, harness)
            let id = phone.id
            try await until { try await store.read { try $0.device(id) }?.notificationIdentifier == nil }
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
            for number in 1...5 { _ = try await device("apns:\(user) \(number)", harness, of: user) }
        }
        func request(_ users: some Sequence<String>) async throws {
            for user in users {
                for amount in ["1", "2", "3"] { _ = try await harness.requestPayment(amount, user) }
            }
        }
        try await delivering(harness) {
            try await request(users.prefix(2))
            await gateway.reached(30)
            // 120 notifications of 24 requests. Those of seven wait, and four requests wait for their reads.
            try await request(users.dropFirst(2))
            try await until { gateways.areHeldUp(at: time.uptime()) }
            for _ in 0..<1_000 { await Task.yield() }
            #expect(gateways.areHeldUp(at: time.uptime()))
            #expect(gateways.announcements.firstCount >= 8)
            // The other gateway is used, so that the devices of all requests are read at once, and not within rounds of
            // two seconds.
            let delivery = NotificationGateways.Delivery(
                request: [], expiresAt: time.now().advanced(seconds: 60), device: [], identifier: "fcm:a", address: "a")
            _ = gateways.entries["fcm"]?.queue.submit(delivery)
            #expect(!gateways.areHeldUp(at: time.uptime()))
            for _ in 0..<10 where gateways.announcements.firstCount > 0 {
                time.advance(milliseconds: 100)
                for _ in 0..<1_000 { await Task.yield() }
            }
            #expect(gateways.announcements.firstCount == 0)
            await reach(200, of: gateway, harness)
        }
        #expect(Set(gateway.attempts[50...].map { "\($0.address) \($0.notification.id)" }).count == 150)
    }

    @Test func `an address that its gateway refuses gets no attempt`() async throws {
        let gateway = ScriptedGateway(time, refusing: "nonsense")
        let harness = try await harness(gateway)
        for identifier in ["apns:nonsense", "apns:a"] { _ = try await device(identifier, harness) }
        _ = try await harness.requestLogin(source: "a")
        try await delivering(harness) { await gateway.reached(1) }
        #expect(gateway.attempts.map(\.address) == ["a"])
    }

    @Test func `an unregistered identifier is removed, logged, and its stream still opens`() async throws {
        let gateway = ScriptedGateway(time, [{ .unregistered }])
        let harness = try await harness(gateway)
        let phone = try await device("apns:a", harness)
        _ = try await harness.requestLogin(source: "a")
        try await delivering(harness) {
            try await until { try await harness.device(phone)?.notificationIdentifier == nil }
        }
        let entry = try #require(try await harness.events(.notificationsUnregistered).first)
        #expect(entry.actor == .platform && entry.device == phone.id && entry.reason == "apns")
        #expect(entry.account == Harness.alice)
        for channel in ["apns:a", "pull:" + Hex.encode(phone.id)] {
            let token = try await phone.openNotifications(with: harness)
            _ = try await harness.platform.notifications(channel: channel, token: token)
        }
        let token = try await phone.openNotifications(with: harness)
        await #expect(throws: PlatformError(.invalidStreamToken)) {
            try await harness.platform.notifications(channel: "pull:00", token: token)
        }
    }

    @Test func `an identifier that was registered meanwhile stays`() async throws {
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        let gateway = ScriptedGateway(
            time,
            [
                {
                    for await _ in released {}
                    return .unregistered
                }
            ])
        let harness = try await harness(gateway)
        let phone = try await device("apns:a", harness)
        _ = try await harness.requestLogin(source: "a")
        try await delivering(harness) {
            await gateway.reached(1)
            _ = try await phone.send(.notificationsRegister(identifier: "apns:b"), to: harness)
            release.finish()
            _ = try await harness.requestPayment("50")
            await gateway.reached(2)
            for _ in 0..<1_000 { await Task.yield() }
        }
        #expect(try await harness.device(phone)?.notificationIdentifier == "apns:b")
        #expect(try await harness.events(.notificationsUnregistered).isEmpty)
        #expect(gateway.attempts.map(\.address) == ["a", "b"])
    }

    @Test(arguments: ["pull", "", "APNS", "a:b", String(repeating: "a", count: 33)])
    func `a scheme outside the grammar is refused`(scheme: String) {
        #expect(throws: PlatformError(.malformedRequest)) { try NotificationGateways([scheme: ScriptedGateway(time)]) }
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
