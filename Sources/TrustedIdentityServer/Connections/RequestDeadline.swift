internal import Hummingbird
internal import Synchronization

/// The deadline of a request. A call that waits for a user lifts it, because it has a time of its own.
final class RequestDeadline: Sendable {
    private enum State { case running, lifted, passed }

    private let state = Mutex(State.running)

    /// Whether the request was canceled because its time was over.
    var isPassed: Bool { state.withLock { $0 == .passed } }

    /// Lets the request take longer.
    func lift() { state.withLock { if $0 == .running { $0 = .lifted } } }

    /// Ends the time of the request, unless it was lifted.
    func pass() { state.withLock { if $0 == .running { $0 = .passed } } }
}

/// A responder that cancels requests at their deadline.
///
/// A canceled request ends as it would at a stop of the server: what it has handed to the writer is stored, and its outcome
/// is the answer. Only a request that waits for something else is answered with `requestTimeout`.
struct DeadlineResponder<Base: HTTPResponder>: HTTPResponder where Base.Context == ServerContext {
    let base: Base
    let timeout: Duration

    @concurrent
    func respond(to request: Request, context: ServerContext) async throws -> Response {
        try await withThrowingTaskGroup(of: Response?.self) { group in
            group.addTask { try await base.respond(to: request, context: context) }
            group.addTask { [timeout, deadline = context.deadline] in
                try? await Task.sleep(for: timeout)
                if !Task.isCancelled { deadline.pass() }
                return nil
            }
            // Whichever task ends first ends the group: the answer, or the time. A lifted deadline ends nothing.
            while let response = try await group.next() {
                if let response {
                    group.cancelAll()
                    return response
                }
                if context.deadline.isPassed { group.cancelAll() }
            }
            throw CancellationError()
        }
    }
}
