internal import Hummingbird
internal import NIOCore
internal import Synchronization

/// The deadline of a request. A call that waits for a user lifts it, because it has a separate time limit.
final class RequestDeadline: Sendable {
    private enum State { case running, lifted, passed }

    private let state = Mutex(State.running)

    /// Whether the request was canceled because its time was over.
    var isPassed: Bool { state.withLock { $0 == .passed } }

    /// Removes the time limit of the request.
    func lift() { state.withLock { if $0 == .running { $0 = .lifted } } }

    /// Ends the time of the request, unless it was lifted.
    ///
    /// - Returns: Whether the time ended.
    fileprivate func pass() -> Bool {
        state.withLock { state in
            guard state == .running else { return false }
            state = .passed
            return true
        }
    }
}

/// The requests in progress, which all have the same time limit. One timer checks all of them once a second, because a
/// timer for each one took more processor time than the plain routes.
final class RequestDeadlines: Sendable {
    /// A request in progress.
    private struct Entry: Sendable {
        let end: ContinuousClock.Instant
        let deadline: RequestDeadline
        let task: Task<Response, any Error>
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var next: UInt64 = 0
    }

    private let timeout: Duration
    private let state = Mutex(State())

    init(timeout: Duration) { self.timeout = timeout }

    /// Cancels the requests whose time is over, once a second, until a listener closes.
    func begin(with listener: any Channel) {
        let timer = listener.eventLoop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
            self.cancelLate()
        }
        listener.closeFuture.whenComplete { _ in timer.cancel() }
    }

    /// Waits for a request. Its time counts from here.
    func run(_ task: Task<Response, any Error>, until deadline: RequestDeadline) async throws -> Response {
        let entry = Entry(end: .now + timeout, deadline: deadline, task: task)
        let id = state.withLock { state in
            state.next += 1
            state.entries[state.next] = entry
            return state.next
        }
        defer { state.withLock { _ = $0.entries.removeValue(forKey: id) } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func cancelLate() {
        let now = ContinuousClock.now
        let late = state.withLock { $0.entries.values.filter { $0.end <= now } }
        for entry in late where entry.deadline.pass() { entry.task.cancel() }
    }
}

/// A responder that cancels requests at their deadline.
///
/// A canceled request ends as it would when the server stops. What it has passed to the writer is stored, and its
/// outcome is the answer. Only a request that waits for something else is answered with `requestTimeout`.
struct DeadlineResponder<Base: HTTPResponder>: HTTPResponder where Base.Context == ServerContext {
    let base: Base
    let deadlines: RequestDeadlines

    @concurrent
    func respond(to request: Request, context: ServerContext) async throws -> Response {
        // A task does not inherit the executor of the task that creates it.
        let executor = context.channel.map { EventLoopExecutor($0.eventLoop) }
        let task = Task(executorPreference: executor) { try await base.respond(to: request, context: context) }
        return try await deadlines.run(task, until: context.deadline)
    }
}
