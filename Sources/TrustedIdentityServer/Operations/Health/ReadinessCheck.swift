internal import Synchronization
internal import TrustedIdentity

/// The readiness of a platform, checked once a second at most, because load balancers ask without a key.
///
/// A caller gets an answer within two seconds, even while the store does not answer. There is no answer while all
/// threads of the process wait for a disk that hangs. A second check begins after the first one has ended.
final class ReadinessCheck: Sendable {
    /// The time for which a result is reused.
    static let lifetime = Duration.seconds(1)

    private typealias Check = (task: Task<Readiness, Never>, start: ContinuousClock.Instant)

    private struct State {
        var last: (readiness: Readiness, time: ContinuousClock.Instant)?
        var running: Check?
    }

    /// The source of an answer.
    private enum Source {
        case recent(Readiness)
        case running(Check)
    }

    let platform: Platform
    /// The time after which a check that has not ended is a problem of the store.
    private let deadline: Duration
    private let state = Mutex(State())

    init(_ platform: Platform, deadline: Duration = .seconds(2)) {
        self.platform = platform
        self.deadline = deadline
    }

    /// Returns the current readiness, or a previous result within ``lifetime``.
    ///
    /// - Throws: `CancellationError` when the task of the caller was canceled.
    func latest() async throws -> Readiness {
        let now = ContinuousClock.now
        let source = state.withLock { state -> Source in
            if let last = state.last, now - last.time < Self.lifetime { return .recent(last.readiness) }
            let check = state.running ?? (makeCheck(), now)
            state.running = check
            return .running(check)
        }
        switch source {
        case .recent(let readiness): return readiness
        case .running(let check):
            return try await Self.result(of: check.task, within: deadline - (now - check.start)) ?? .unanswered
        }
    }

    /// Begins a check in a separate task, because several callers share its result.
    private func makeCheck() -> Task<Readiness, Never> {
        Task { [self] in
            let readiness = (try? await platform.readiness()) ?? .unanswered
            state.withLock { $0 = State(last: (readiness, ContinuousClock.now)) }
            return readiness
        }
    }

    /// Returns the result of a check, or nil when it takes longer. The check continues.
    private static func result(of check: Task<Readiness, Never>, within duration: Duration) async throws -> Readiness? {
        let (results, continuation) = AsyncStream<Readiness>.makeStream()
        let waiting = Task {
            continuation.yield(await check.value)
            continuation.finish()
        }
        let timeout = Task {
            try await Task.sleep(for: duration)
            continuation.finish()
        }
        defer {
            waiting.cancel()
            timeout.cancel()
        }
        for await readiness in results { return readiness }
        try Task.checkCancellation()
        return nil
    }
}

extension Readiness {
    /// The readiness while the store does not answer.
    static let unanswered = Readiness(
        problems: [.init(part: .store, message: "the store does not answer: see the log")], store: nil)
}
