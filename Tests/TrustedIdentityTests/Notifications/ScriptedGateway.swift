import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport

@testable import TrustedIdentity

/// A gateway that records its calls, and answers each from a script.
final class ScriptedGateway: NotificationGateway {
    typealias Answer = @Sendable () async throws -> NotificationDelivery

    struct Attempt: Sendable {
        let notification: GatewayNotification
        let address: String
        let uptime: Duration
    }

    private let state: Mutex<(answers: [Answer], attempts: [Attempt], running: Int)>
    private let time: ManualTimeSource
    private let service: @Sendable (String) -> String?

    /// Creates a gateway. Calls beyond the answers are delivered.
    ///
    /// - Parameter service: Returns the service of an address.
    init(
        _ time: ManualTimeSource, _ answers: [Answer] = [],
        service: @escaping @Sendable (String) -> String? = { _ in "" }
    ) {
        self.time = time
        self.service = service
        state = Mutex((answers, [], 0))
    }

    var attempts: [Attempt] { state.withLock { $0.attempts } }
    /// The number of calls that have not returned.
    var running: Int { state.withLock { $0.running } }

    func service(of address: String) -> String? { service(address) }

    func deliver(_ notification: GatewayNotification, to address: String) async throws -> NotificationDelivery {
        let answer = state.withLock { state -> Answer? in
            state.attempts.append(Attempt(notification: notification, address: address, uptime: time.uptime()))
            state.running += 1
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        defer { state.withLock { $0.running -= 1 } }
        return try await answer?() ?? .delivered
    }

    /// Waits until there were as many calls.
    ///
    /// - Parameter seconds: The seconds by which the clock is moved, again and again, until then.
    /// - Throws: `CancellationError` when the time limit of the test is over.
    func reached(_ count: Int, movingBy seconds: Int64 = 0) async throws {
        while attempts.count < count {
            try Task.checkCancellation()
            if seconds > 0 { time.advance(seconds: seconds) }
            await Settling.wait()
        }
    }
}

// The waits end with a `CancellationError` when the time limit of the test is over.
extension Harness {
    /// Activates a device that registers an identifier.
    func activate(registering identifier: String, _ user: String = alice) async throws -> Authenticator {
        let device = try await activate(user)
        _ = try await device.send(.notificationsRegister(identifier: identifier), to: self)
        return device
    }

    /// Delivers notifications while the body runs.
    func delivering(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await platform.deliverNotifications() }
            try await body()
            group.cancelAll()
        }
    }

    /// Waits until a gateway has had as many calls, and moves the clock while none is under way: a call must not run
    /// into its time because the machine is busy.
    func reach(_ count: Int, of gateway: ScriptedGateway) async throws {
        while gateway.attempts.count < count {
            try Task.checkCancellation()
            let before = gateway.attempts.count
            await Settling.wait()
            if gateway.attempts.count == before, gateway.running == 0 { time.advance(seconds: 1) }
        }
    }

    /// Waits until each notification that is under way waits for its repetition.
    func endDeliveries(of gateway: ScriptedGateway) async throws {
        try await until { gateway.running == 0 && platform.gateways.underWay == time.sleeperCount }
    }

    /// Waits until a condition holds.
    func until(_ condition: () async throws -> Bool) async throws {
        while try await !condition() {
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
