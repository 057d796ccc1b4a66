import OrchestrationTesting
import Primitives
import Synchronization
import Testing

@testable import TrustedIdentity

/// The delivery of notifications while a push service or the store fails.
@Suite(.timeLimit(.minutes(20))) struct DeliveryOutageTests {
    private let time = ManualTimeSource()

    /// Activates devices of a user, with addresses from 1.
    private func activate(_ harness: Harness, devices: Int, _ service: String = "", user: String) async throws {
        for number in 1...devices { _ = try await harness.activate(registering: "apns:\(service)\(number)", user) }
    }

    @Test func `a service that is down gets no request for ten seconds, and the log says when it is back`()
        async throws
    {
        let failing: ScriptedGateway.Answer = { .failed(retryAfter: nil) }
        let gateway = ScriptedGateway(time, Array(repeating: failing, count: 10))
        let lines = LogLines()
        let harness = try await Harness(gateways: ["apns": gateway], time: time, logger: lines.logger)
        try await activate(harness, devices: 5, user: Harness.alice)
        let about = { lines.all.filter { $0.contains("a push service") } }
        let warning =
            "warning a push service takes no notifications: its devices get requests from streams and lists "
            + "notifications.scheme=apns"
        try await harness.delivering {
            for amount in ["1", "2"] { _ = try await harness.requestPayment(amount) }
            try await gateway.reached(10)
            try await harness.endDeliveries(of: gateway)
            #expect(about() == [warning])
            // The service would take this one. Its three attempts and the repetitions make no request.
            let silent = try await harness.requestPayment("3")
            try await harness.until { harness.platform.gateways.underWay == 15 }
            try await harness.endDeliveries(of: gateway)
            time.advance(seconds: 4)
            try await harness.endDeliveries(of: gateway)
            #expect(gateway.attempts.count == 10 && time.uptime() < PushService.pause)
            // The second repetitions are later than the pause.
            try await harness.reach(25, of: gateway)
            try await harness.endDeliveries(of: gateway)
            #expect(gateway.attempts.count { $0.notification.id == silent.id } == 5)
        }
        #expect(gateway.attempts[10...].allSatisfy { $0.uptime >= PushService.pause })
        #expect(about() == [warning, "notice a push service takes notifications again notifications.scheme=apns"])
    }

    @Test func `a service that hangs delays no login, no other service and no read of devices`() async throws {
        let (silence, _) = AsyncStream.makeStream(of: Void.self)
        let hang: ScriptedGateway.Answer = {
            for await _ in silence {}
            throw CancellationError()
        }
        let hanging = ScriptedGateway(time, Array(repeating: hang, count: 1_000)) { _ in "hangs" }
        let gateway = HostGateway(hanging: hanging, healthy: ScriptedGateway(time))
        let harness = try await Harness(gateways: ["apns": gateway], time: time)
        let users = (1...4).map { "user\($0)@master" }
        for user in users { try await activate(harness, devices: 5, "hangs/", user: user) }
        _ = try await harness.activate(registering: "apns:healthy/1")
        try await harness.delivering {
            for user in users { _ = try await harness.requestPayment("1", user) }
            // All places of the service are taken. Four notifications wait for one.
            try await hanging.reached(Platform.concurrentDeliveries)
            try await harness.until { harness.platform.gateways.underWay == 20 }
            #expect(try await harness.login("000000").status == .refused)
            _ = try await harness.requestPayment("2")
            try await gateway.healthy.reached(1)
            #expect(time.uptime() == .zero && hanging.running == Platform.concurrentDeliveries)
            // After their time the service is down, and the others get no request.
            await time.sleepers(Platform.concurrentDeliveries)
            time.advance(milliseconds: 10_000)
            try await harness.endDeliveries(of: hanging)
            #expect(hanging.attempts.count == Platform.concurrentDeliveries)
            _ = try await harness.requestPayment("3")
            try await gateway.healthy.reached(2)
        }
    }

    @Test func `attempts that are deferred come later, and their service is not down`() async throws {
        let deferred: ScriptedGateway.Answer = { .deferred(retryAfter: .seconds(30)) }
        let gateway = ScriptedGateway(time, Array(repeating: deferred, count: 20))
        let lines = LogLines()
        let harness = try await Harness(gateways: ["apns": gateway], time: time, logger: lines.logger)
        try await activate(harness, devices: 5, user: Harness.alice)
        try await activate(harness, devices: 5, "b", user: "bob@master")
        try await harness.delivering {
            for user in [Harness.alice, "bob@master"] {
                for amount in ["1", "2"] { _ = try await harness.requestPayment(amount, user) }
            }
            try await harness.reach(40, of: gateway)
        }
        let (first, second) = (gateway.attempts[..<20], gateway.attempts[20...])
        #expect(second.allSatisfy { $0.uptime >= .seconds(30) } && first.allSatisfy { $0.uptime == .zero })
        for attempts in [first, second] {
            #expect(Set(attempts.map { "\($0.address) \($0.notification.id)" }).count == 20)
        }
        #expect(!lines.all.contains { $0.contains("push service") })
    }

    @Test func `a failure of the store before an attempt does not count as one of the service`() async throws {
        let store = StoreWithFailures(SQLiteDatabase.inMemory())
        // The read before each first attempt fails.
        let gateway = ScriptedGateway(time) { _ in
            store.failures.withLock { $0 += 1 }
            return ""
        }
        let lines = LogLines()
        let harness = try await Harness(on: store, gateways: ["apns": gateway], time: time, logger: lines.logger)
        try await activate(harness, devices: 5, user: Harness.alice)
        try await harness.delivering {
            for round in 1...3 {
                _ = try await harness.requestPayment("\(round)")
                try await harness.until { store.failed.withLock { $0 } == 5 * round }
            }
            #expect(gateway.attempts.isEmpty)
            try await harness.reach(15, of: gateway)
        }
        #expect(!lines.all.contains { $0.contains("a push service") })
    }

    @Test func `an identifier is removed after the next notification when the store fails`() async throws {
        let store = StoreWithFailures(SQLiteDatabase.inMemory())
        let gateway = ScriptedGateway(
            time,
            [
                {
                    store.failures.withLock { $0 += 1 }
                    return .unregistered
                }, { .unregistered },
            ])
        let harness = try await Harness(on: store, gateways: ["apns": gateway], time: time)
        let phone = try await harness.activate(registering: "apns:a")
        try await harness.delivering {
            _ = try await harness.requestPayment("1")
            try await harness.until { store.failed.withLock { $0 } == 1 }
            _ = try await harness.requestPayment("2")
            let id = phone.id
            try await harness.until { try await store.read { try $0.device(id) }?.notificationIdentifier == nil }
        }
        #expect(gateway.attempts.count == 2)
    }
}

/// A gateway with two services. The part of an address before the slash is the name of its service.
private struct HostGateway: NotificationGateway {
    let hanging: ScriptedGateway
    let healthy: ScriptedGateway

    func service(of address: String) -> String? { String(address.prefix { $0 != "/" }) }

    func deliver(_ notification: GatewayNotification, to address: String) async throws -> NotificationDelivery {
        try await (service(of: address) == "hangs" ? hanging : healthy).deliver(notification, to: address)
    }
}

/// A store of which as many calls fail as a test asks for.
private final class StoreWithFailures: SQLDatabase {
    /// The number of the next calls that fail.
    let failures = Mutex(0)
    /// The number of calls that have failed.
    let failed = Mutex(0)
    private let base: any SQLDatabase

    init(_ base: any SQLDatabase) { self.base = base }

    func read<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
        try fail()
        return try await base.read(body)
    }

    func write<R: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> R) async throws -> R {
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
        throw StoreError(.inputOutput)
    }
}
