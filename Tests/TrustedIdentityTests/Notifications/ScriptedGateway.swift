import OrchestrationTesting
import Primitives
import Synchronization

@testable import TrustedIdentity

/// A gateway that records its calls, and answers each from a script.
final class ScriptedGateway: NotificationGateway {
    typealias Answer = @Sendable () async throws -> NotificationDelivery

    struct Attempt: Sendable {
        let notification: GatewayNotification
        let address: String
        let uptime: Duration
    }

    private let state: Mutex<(answers: [Answer], attempts: [Attempt])>
    private let time: ManualTimeSource
    private let refused: String?
    private let onService: @Sendable () -> Void

    /// Creates a gateway. Calls beyond the answers are delivered.
    ///
    /// - Parameters:
    ///   - refused: An address that gets no request.
    ///   - onService: Called before each notification waits for its first attempt.
    init(
        _ time: ManualTimeSource, _ answers: [Answer] = [], refusing refused: String? = nil,
        onService: @escaping @Sendable () -> Void = {}
    ) {
        self.time = time
        self.onService = onService
        self.refused = refused
        state = Mutex((answers, []))
    }

    var attempts: [Attempt] { state.withLock { $0.attempts } }

    func service(of address: String) -> String? {
        onService()
        return address == refused ? nil : ""
    }

    func deliver(_ notification: GatewayNotification, to address: String) async throws -> NotificationDelivery {
        let answer = state.withLock { state -> Answer? in
            state.attempts.append(Attempt(notification: notification, address: address, uptime: time.uptime()))
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        return try await answer?() ?? .delivered
    }

    /// Waits until there were as many calls.
    ///
    /// - Parameter seconds: The seconds by which the clock is moved, again and again, until then.
    func reached(_ count: Int, movingBy seconds: Int64 = 0) async {
        while attempts.count < count {
            if seconds > 0 { time.advance(seconds: seconds) }
            for _ in 0..<200 where attempts.count < count { await Task.yield() }
        }
    }
}
