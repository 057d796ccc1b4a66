import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import Testing

@testable import TrustedIdentity

/// Test notifications to the devices of a user.
@Suite(.timeLimit(.minutes(20))) struct NotificationTestTests {
    private let time = ManualTimeSource()

    private func harness(_ gateway: ScriptedGateway) async throws -> Harness {
        try await Harness(gateways: ["apns": gateway, "apns-shop": gateway], time: time)
    }

    private func steps(_ harness: Harness, device: [UInt8]? = nil) async throws -> [[NotificationTest.Step]] {
        try await harness.platform.testNotifications(to: Harness.account(), device: device).map { $0.hops.map(\.step) }
    }

    @Test func `each device gets a pointer to no request, or the reason why it gets none`() async throws {
        let gateway = ScriptedGateway(time, service: { $0 == "nonsense" ? nil : "" })
        let harness = try await harness(gateway)
        var devices: [Authenticator] = []
        for identifier in ["apns:a", "apns-shop:b", "pull:1", "fcm:c", "apns:nonsense"] {
            devices.append(try await harness.activate(registering: identifier))
            time.advance(milliseconds: 1)
        }
        let tests = try await harness.platform.testNotifications(to: Harness.account())
        #expect(tests.map(\.device) == devices.map(\.id))
        #expect(tests.map(\.scheme) == ["apns", "apns-shop", "pull", "fcm", "apns"])
        #expect(
            tests.map { $0.hops.map(\.step) } == [
                [.queued, .sent, .delivered], [.queued, .sent, .delivered], [.streamOnly], [.noGateway], [.refused],
            ])
        #expect(tests.allSatisfy { $0.name == "phone" && $0.hops.allSatisfy { $0.time == time.now() } })
        #expect(Set(gateway.attempts.map(\.address)) == ["a", "b"])
        let notification = try #require(gateway.attempts.first?.notification)
        #expect(notification.expiresAt == time.now().advanced(milliseconds: 60_000))
        let fetched = try await devices[0].send(.approvalFetch(id: notification.id), to: harness)
        #expect(fetched.refusal == .approvalUnknown)
        // One device alone.
        #expect(try await steps(harness, device: devices[2].id) == [[.streamOnly]])
        #expect(gateway.attempts.count == 2)
        #expect(harness.platform.gateways.underWay == 0)
    }

    @Test(arguments: [
        (NotificationDelivery.refused, NotificationTest.Step.refused), (.failed(retryAfter: nil), .failed),
        (.deferred(retryAfter: .seconds(9)), .deferred), (.unregistered, .unregistered),
    ])
    func `the answer of the service is the last step, and it is sent once`(
        answer: NotificationDelivery, step: NotificationTest.Step
    ) async throws {
        let gateway = ScriptedGateway(time, [{ answer }])
        let harness = try await harness(gateway)
        let phone = try await harness.activate(registering: "apns:a")
        #expect(try await steps(harness) == [[.queued, .sent, step]])
        #expect(gateway.attempts.count == 1)
        // An identifier that its service does not know is removed, as by every notification.
        let identifier = try await harness.device(phone)?.notificationIdentifier
        #expect(identifier == (answer == .unregistered ? nil : "apns:a"))
        let next = try await steps(harness)
        #expect(next == [answer == .unregistered ? [.noIdentifier] : [.queued, .sent, .delivered]])
    }

    @Test func `a service that is down gets no test`() async throws {
        let failing: ScriptedGateway.Answer = { .failed(retryAfter: nil) }
        let gateway = ScriptedGateway(time, Array(repeating: failing, count: 10))
        let harness = try await harness(gateway)
        _ = try await harness.activate(registering: "apns:a")
        for _ in 0..<10 { #expect(try await steps(harness) == [[.queued, .sent, .failed]]) }
        #expect(try await steps(harness) == [[.queued, .serviceDown]])
        #expect(gateway.attempts.count == 10)
        time.advance(seconds: 11)
        #expect(try await steps(harness) == [[.queued, .sent, .delivered]])
    }

    @Test func `a user whose pushes are muted, and a device that is not served, get none`() async throws {
        let gateway = ScriptedGateway(time)
        let harness = try await harness(gateway)
        let phone = try await harness.activate(registering: "apns:a")
        let tablet = try await harness.activate(registering: "apns:b")
        for _ in 0..<5 { try await tablet.send(.passwordChange, proof: .password, wrong: true, to: harness) }
        #expect(try await steps(harness, device: tablet.id) == [[.notServed]])
        let report = try await harness.requestLogin(source: "a")
        try await phone.decide(.rejected(.notMe), on: report, by: .password, with: harness)
        #expect(try await steps(harness, device: phone.id) == [[.muted]])
        #expect(gateway.attempts.isEmpty)
    }

    @Test func `an unknown user and an unknown device are errors, and a revoked device is not tested`() async throws {
        let harness = try await harness(ScriptedGateway(time))
        await #expect(throws: PlatformError(.unknownUser)) { try await steps(harness) }
        let phone = try await harness.activate(registering: "apns:a")
        let other = try await harness.activate("bob@master")
        await #expect(throws: PlatformError(.unknownDevice)) { try await steps(harness, device: other.id) }
        try await harness.platform.revokeDevice(phone.id, of: Harness.account())
        #expect(try await steps(harness).isEmpty)
        #expect(try await steps(harness, device: phone.id) == [[.notServed]])
    }
}
