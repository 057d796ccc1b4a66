import Metrics
import MetricsTestKit
import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// The delivery of notifications through gateways.
@Suite(.timeLimit(.minutes(20))) struct DeliveryTests {
    private let time = ManualTimeSource()

    private func harness(_ gateway: ScriptedGateway) async throws -> Harness {
        try await Harness(gateways: ["apns": gateway], time: time)
    }

    @Test func `each device with an identifier of a gateway gets the pointer, and no other`() async throws {
        let gateway = ScriptedGateway(time)
        let harness = try await harness(gateway)
        for identifier in ["apns:a", "apns:b:c", "pull:1", "fcm:d", "apns"] {
            _ = try await harness.activate(registering: identifier)
        }
        // Made before the deliveries begin: it waits for them.
        let report = try await harness.requestLogin(source: "a")
        try await harness.delivering {
            try await gateway.reached(2)
            try await harness.endDeliveries(of: gateway)
        }
        #expect(Set(gateway.attempts.map(\.address)) == ["a", "b:c"])
        let notification = try #require(gateway.attempts.first?.notification)
        #expect(notification.id == report.id && notification.pointer == report.pointer)
        #expect(gateway.attempts.count == 2)
    }

    @Test func `a request that is not announced has no notification`() async throws {
        let gateway = ScriptedGateway(time)
        let harness = try await harness(gateway)
        _ = try await harness.activate(registering: "apns:a")
        for source in ["a", "b", "c"] {
            let report = try await harness.requestLogin(source: source)
            _ = try await harness.platform.cancelApproval(requestID: report.requestID)
        }
        // The budget of pushes is spent, and the earlier ones have ended.
        let silent = try await harness.requestLogin(source: "d")
        // The budget of another user is not.
        _ = try await harness.activate(registering: "apns:b", "bob@master")
        let announced = try await harness.requestLogin("bob@master", source: "e")
        try await harness.delivering {
            try await gateway.reached(1)
            try await harness.endDeliveries(of: gateway)
        }
        #expect(silent.id != nil && gateway.attempts.map(\.notification.id) == [announced.id])
    }

    @Test func `a failed attempt is repeated twice, not before the time that the service asks for`() async throws {
        let gateway = ScriptedGateway(
            time, [{ throw CancellationError() }, { .failed(retryAfter: .seconds(40)) }, { .failed(retryAfter: nil) }])
        let harness = try await harness(gateway)
        _ = try await harness.activate(registering: "apns:a")
        _ = try await harness.requestLogin(source: "a")
        let metrics = TestMetrics()
        try await withMetricsFactory(metrics) {
            try await harness.delivering {
                try await harness.reach(3, of: gateway)
                try await harness.until { harness.platform.gateways.underWay == 0 }
                time.advance(seconds: 60)
                try await harness.endDeliveries(of: gateway)
            }
        }
        let times = gateway.attempts.map(\.uptime)
        #expect(times.count == 3 && times[1] - times[0] >= .seconds(2) && times[2] - times[1] >= .seconds(40))
        #expect(metrics.counterTotal(label: PlatformMetrics.Event.repeatedDeliveries.rawValue) == 2)
        #expect(metrics.counterTotal(label: PlatformMetrics.Event.failedDeliveries.rawValue) == 1)
    }

    @Test func `attempts end with the request`() async throws {
        let failing: ScriptedGateway.Answer = { .failed(retryAfter: nil) }
        let gateway = ScriptedGateway(time, [failing, failing])
        let harness = try await harness(gateway)
        _ = try await harness.activate(registering: "apns:a")
        let first = try await harness.requestLogin(source: "a")
        try await harness.delivering {
            try await gateway.reached(1)
            try await harness.endDeliveries(of: gateway)
            _ = try await harness.platform.cancelApproval(requestID: first.requestID)
            // The repetition is due now, before that of the next request.
            time.advance(seconds: 4)
            let second = try await harness.requestLogin(source: "b")
            try await harness.reach(3, of: gateway)
            try await harness.endDeliveries(of: gateway)
            #expect(gateway.attempts.map(\.notification.id) == [first.id, second.id, second.id])
        }
    }

    @Test func `a service that asks for a time after the expiry gets no further attempt`() async throws {
        let gateway = ScriptedGateway(
            time, [{ .failed(retryAfter: .seconds(86_400)) }, { .failed(retryAfter: nil) }])
        let harness = try await harness(gateway)
        _ = try await harness.activate(registering: "apns:a")
        let first = try await harness.requestLogin(source: "a")
        try await harness.delivering {
            try await gateway.reached(1)
            try await harness.endDeliveries(of: gateway)
            time.advance(seconds: 86_400)
            // One that asks for nothing gets a further attempt, after that of the first request would be due.
            let second = try await harness.requestLogin(source: "b")
            try await harness.reach(3, of: gateway)
            try await harness.endDeliveries(of: gateway)
            #expect(gateway.attempts.map(\.notification.id) == [first.id, second.id, second.id])
        }
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
        _ = try await harness.activate(registering: "apns:a")
        try await harness.delivering {
            let report = try await harness.requestLogin(source: "a")
            #expect(report.status == .pending)
            try await gateway.reached(1)
            try await gateway.reached(2, movingBy: 1)
            let times = gateway.attempts.map(\.uptime)
            #expect(times[1] - times[0] >= .seconds(12))
        }
    }

    @Test func `an address that its gateway refuses gets no attempt`() async throws {
        let gateway = ScriptedGateway(time, service: { $0 == "nonsense" ? nil : "" })
        let harness = try await harness(gateway)
        for identifier in ["apns:nonsense", "apns:a"] { _ = try await harness.activate(registering: identifier) }
        _ = try await harness.requestLogin(source: "a")
        try await harness.delivering {
            try await gateway.reached(1)
            try await harness.endDeliveries(of: gateway)
        }
        #expect(gateway.attempts.map(\.address) == ["a"])
    }

    @Test func `an unregistered identifier is removed, logged, and its stream still opens`() async throws {
        let gateway = ScriptedGateway(time, [{ .unregistered }])
        let harness = try await harness(gateway)
        let phone = try await harness.activate(registering: "apns:a")
        _ = try await harness.requestLogin(source: "a")
        try await harness.delivering {
            try await harness.until { try await harness.device(phone)?.notificationIdentifier == nil }
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
                },
                { .delivered }, { .unregistered },
            ])
        let harness = try await harness(gateway)
        let phone = try await harness.activate(registering: "apns:a")
        _ = try await harness.requestLogin(source: "a")
        try await harness.delivering {
            try await gateway.reached(1)
            _ = try await phone.send(.notificationsRegister(identifier: "apns:b"), to: harness)
            release.finish()
            _ = try await harness.requestPayment("50")
            try await gateway.reached(2)
            try await harness.endDeliveries(of: gateway)
            #expect(try await harness.device(phone)?.notificationIdentifier == "apns:b")
            #expect(try await harness.events(.notificationsUnregistered).isEmpty)
            // The same answer for the identifier that the device has.
            _ = try await harness.requestPayment("60")
            try await harness.until { try await harness.device(phone)?.notificationIdentifier == nil }
        }
        #expect(try await harness.events(.notificationsUnregistered).count == 1)
        #expect(gateway.attempts.map(\.address) == ["a", "b", "b"])
    }

    @Test(arguments: ["pull", "", "APNS", "a:b", String(repeating: "a", count: 33)])
    func `a scheme outside the grammar is refused`(scheme: String) {
        #expect(throws: PlatformError(.malformedRequest)) { try NotificationGateways([scheme: ScriptedGateway(time)]) }
    }
}
