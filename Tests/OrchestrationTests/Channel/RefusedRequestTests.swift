import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TestSupport
import Testing
import TrustedIdentity

@testable import Orchestration

/// The client after a refusal: it makes a new request, because the refused bytes are never executed.
@Suite struct RefusedRequestTests {
    @Test(arguments: [6 * 60, -6 * 60, 5 * 365 * 86_400, -5 * 365 * 86_400] as [Int64])
    func `after a refusal as expired the client makes one new request with the platform's time`(
        seconds: Int64
    ) async throws {
        let stage = try await Stage(clockOffset: 1)
        try await stage.activate()
        stage.time.step(milliseconds: seconds * 1_000)
        let sent = stage.wire.sent.count
        _ = try await stage.orchestrator().registerNotifications(for: "alice").result()
        let requests = try stage.wire.sent[sent...].map { try ChannelRequest(decoding: $0) }
        #expect(requests.count == 2)
        #expect(requests[0].header.requestID != requests[1].header.requestID)
        #expect(requests[0].hash != requests[1].hash)
        let lifetime = requests[1].header.expiry.milliseconds(since: stage.platform.time.now())
        #expect((289_000...291_000).contains(lifetime))
        // Also the refusal of a request whose expiry has passed: the clock of the platform may be set back.
        #expect(try await remembered(stage) == 1)
    }

    @Test func `a device whose clock is years ahead is activated, and makes codes that are accepted`() async throws {
        let stage = try await Stage(clockOffset: 5 * 365 * 86_400_000)
        try await stage.activate()
        for _ in 0..<3 {
            stage.advance(seconds: 60)
            let made = try await stage.orchestrator().user("alice").oneTimePassword()
            #expect(try await stage.platform.login("alice", code: made.oneTimePassword).status == .accepted)
        }
        #expect(try await remembered(stage) <= 2, "of 64")
    }

    @Test func `after the wait that a refusal names, the next flow makes a new request`() async throws {
        // The last two steps of the activation are all that the device may ask.
        let stage = try await Stage(configuration: PlatformConfiguration(requestsPerDevice: 2))
        try await stage.activate()
        let sent = stage.wire.sent.count
        let error = try await #require(throws: OrchestrationError.self) {
            try await stage.orchestrator().registerNotifications(for: "alice").result()
        }
        #expect(error.code == .rateLimited && error.retryAfter == .seconds(30))
        #expect(error.recovery == .wait(.seconds(30)))
        stage.advance(seconds: 30)
        _ = try await stage.orchestrator().registerNotifications(for: "alice").result()
        let requests = try stage.wire.sent[sent...].map { try ChannelRequest(decoding: $0) }
        #expect(requests.count == 2 && requests[0].header.requestID != requests[1].header.requestID)
        // The first request is still refused, with the wait of that time.
        #expect(try await remembered(stage) == 1)
    }

    /// The number of refusals of alice's device that the platform remembers.
    private func remembered(_ stage: Stage) async throws -> Int {
        let now = stage.platform.time.now()
        return try await stage.platform.store.read { store in
            try store.devices(of: "alice@master").map { try store.refusalCount(of: $0.id, after: now) }.reduce(0, +)
        }
    }
}
