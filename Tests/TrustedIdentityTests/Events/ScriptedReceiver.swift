import OrchestrationTesting
import Primitives
import Synchronization
import TestSupport

@testable import TrustedIdentity

/// A gateway of events that records its calls, and answers each from a closure.
final class ScriptedReceiver: EventGateway {
    typealias Answer = @Sendable (PlatformEvent) async throws -> EventDelivery

    struct Attempt: Sendable {
        let event: PlatformEvent
        let uptime: Duration
    }

    private let state: Mutex<(answer: Answer, attempts: [Attempt], taken: [PlatformEvent])>
    private let time: ManualTimeSource

    /// Creates a receiver that takes everything.
    init(_ time: ManualTimeSource, _ answer: @escaping Answer = { _ in .delivered }) {
        self.time = time
        state = Mutex((answer, [], []))
    }

    var attempts: [Attempt] { state.withLock { $0.attempts } }
    /// The events that were answered with `delivered`.
    var taken: [PlatformEvent] { state.withLock { $0.taken } }

    /// Answers differently from now on.
    func answer(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }

    func deliver(_ event: PlatformEvent) async throws -> EventDelivery {
        let answer = state.withLock { state in
            state.attempts.append(Attempt(event: event, uptime: time.uptime()))
            return state.answer
        }
        let result = try await answer(event)
        if result == .delivered { state.withLock { $0.taken.append(event) } }
        return result
    }

    /// Waits until a condition holds.
    ///
    /// - Parameter seconds: The seconds by which the clock is moved, again and again, until then.
    func until(movingBy seconds: Int64 = 0, _ condition: (ScriptedReceiver) async throws -> Bool) async rethrows {
        while try await !condition(self) {
            if seconds > 0 { time.advance(seconds: seconds) }
            await Settling.wait()
        }
    }
}

extension Harness {
    /// Delivers events while the body runs.
    func deliveringEvents(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await platform.deliverEvents() }
            try await body()
            group.cancelAll()
        }
    }

    /// The events that wait, in their order.
    func waitingEvents() async throws -> [PlatformEvent] {
        // As the delivery does.
        _ = try await platform.store.write { try $0.numberEvents(limit: 100_000) }
        return try await platform.store.read { try $0.events(after: 0, limit: 100_000).map(\.event) }
    }
}
