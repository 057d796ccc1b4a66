internal import Synchronization

/// A call of app code that may not return. A flow that is canceled continues without it.
enum ProviderCall {
    /// The time that a terminal needs to restore its echo after a cancellation.
    static let patience: Duration = .seconds(1)

    /// Calls a provider in a separate task.
    ///
    /// - Parameters:
    ///   - patience: The time that a canceled provider has to return.
    ///   - body: The call.
    /// - Returns: The result of the provider.
    /// - Throws: The error of the provider. `CancellationError` when the task is canceled and the provider has not
    ///   returned after `patience`; a later result of the provider is dropped.
    static func run<R: Sendable>(
        patience: Duration = .zero, _ body: @escaping @Sendable () async throws -> R
    ) async throws -> R {
        let call = PendingCall<R>(patience: patience)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { call.start($0, body) }
        } onCancel: {
            call.cancel()
        }
    }

    /// Calls a provider, and waits for a limited time.
    ///
    /// - Returns: The result of the provider; `nil` after the time has passed.
    /// - Throws: As ``run(_:)``.
    static func run<R: Sendable>(
        within limit: Duration, on time: any TimeSource, _ body: @escaping @Sendable () async throws -> R
    ) async throws -> R? {
        try await withThrowingTaskGroup(of: R?.self) { group in
            group.addTask { try await run(body) }
            group.addTask {
                try await time.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}

/// The single resumption of a call: by its result or by a cancellation, whichever comes first.
private final class PendingCall<R: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<R, any Error>?
        var task: Task<Void, Never>?
        var isCanceled = false
    }

    private let state = Mutex(State())
    private let patience: Duration

    init(patience: Duration) {
        self.patience = patience
    }

    func start(
        _ continuation: CheckedContinuation<R, any Error>, _ body: @escaping @Sendable () async throws -> R
    ) {
        let isCanceled = state.withLock { state in
            state.continuation = continuation
            return state.isCanceled
        }
        guard !isCanceled else { return finish(.failure(CancellationError())) }
        let task = Task {
            do { finish(.success(try await body())) } catch { finish(.failure(error)) }
        }
        let isLate = state.withLock { state in
            state.task = task
            return state.isCanceled
        }
        if isLate { task.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCanceled = true
            return state.task
        }
        task?.cancel()
        // A call that has not started is no longer started.
        guard patience > .zero, task != nil else { return finish(.failure(CancellationError())) }
        Task {
            try? await Task.sleep(for: patience)
            finish(.failure(CancellationError()))
        }
    }

    private func finish(_ result: Result<R, any Error>) {
        let continuation = state.withLock { $0.continuation.take() }
        continuation?.resume(with: result)
    }
}
