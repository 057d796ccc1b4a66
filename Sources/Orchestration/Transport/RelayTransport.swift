internal import Synchronization
public import Wire

/// A transport that hands commands to the app and takes the answers by hand.
///
/// An app that routes everything through its own application server iterates ``exchanges`` in a task of its own,
/// carries each command there and gives back the answer (requirement A2):
///
/// ```swift
/// let relay = RelayTransport()
/// let carrier = Task {
///     for await exchange in relay.exchanges {
///         do { exchange.reply(try await server.forward(exchange.command)) } catch { exchange.fail(error) }
///     }
/// }
/// ```
///
/// A flow waits until its command is answered, is failed, or is dropped by the app (which fails it), or until its task
/// is canceled. There is no time limit of its own.
public final class RelayTransport: Transport {
    /// A command on its way and the place to put its answer.
    public struct Exchange: Sendable {
        /// The command to carry to the platform.
        public let command: OrchestrationCommand

        private let slot: Slot

        fileprivate init(command: OrchestrationCommand, slot: Slot) {
            self.command = command
            self.slot = slot
        }

        /// Hands over the platform's answer. Only the first reply or failure counts.
        ///
        /// - Returns: whether this was the one that counts.
        @discardableResult
        public func reply(_ answer: OrchestrationCommand) -> Bool { slot.settle(.success(answer)) }

        /// Says that there is no answer. Only the first reply or failure counts.
        ///
        /// - Returns: whether this was the one that counts.
        @discardableResult
        public func fail(_ error: any Error) -> Bool { slot.settle(.failure(error)) }
    }

    /// The commands, in the order in which flows send them. Iterate it once, from one task.
    public let exchanges: AsyncStream<Exchange>

    private let continuation: AsyncStream<Exchange>.Continuation

    /// Makes a relay with nothing under way.
    public init() {
        (exchanges, continuation) = AsyncStream.makeStream()
    }

    deinit { continuation.finish() }

    /// Hands a command to whoever iterates ``exchanges`` and waits for the answer.
    ///
    /// A task that is canceled already hands over nothing.
    ///
    /// - Throws: what the app fails the exchange with; ``OrchestrationError`` with the code `transport` when the app
    ///   drops the exchange; `CancellationError`, at once, when the task is canceled.
    public func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        let pending = Pending()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiting in
                guard pending.wait(with: waiting) else { return }
                continuation.yield(Exchange(command: command, slot: Slot(pending)))
            }
        } onCancel: {
            pending.settle(.failure(CancellationError()))
        }
    }

    /// Ends ``exchanges``. A command that is sent afterwards fails at once.
    public func finish() { continuation.finish() }
}

/// What the app holds of an exchange: when the last copy goes without an answer, the flow does not wait for ever.
private final class Slot: Sendable {
    private let pending: Pending

    init(_ pending: Pending) { self.pending = pending }

    deinit { pending.settle(.failure(OrchestrationError(.transport))) }

    func settle(_ result: Result<OrchestrationCommand, any Error>) -> Bool { pending.settle(result) }
}

/// One waiting `send`: settled exactly once, whoever comes first.
private final class Pending: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<OrchestrationCommand, any Error>)
        case settled(Result<OrchestrationCommand, any Error>)
        case over
    }

    private let state = Mutex(State.empty)

    /// - Returns: whether there is something to wait for; not when the task was canceled before.
    func wait(with continuation: CheckedContinuation<OrchestrationCommand, any Error>) -> Bool {
        let early: Result<OrchestrationCommand, any Error>? = state.withLock { state in
            if case .settled(let result) = state {
                state = .over
                return result
            }
            state = .waiting(continuation)
            return nil
        }
        guard let early else { return true }
        continuation.resume(with: early)
        return false
    }

    @discardableResult
    func settle(_ result: Result<OrchestrationCommand, any Error>) -> Bool {
        let (counts, waiting): (Bool, CheckedContinuation<OrchestrationCommand, any Error>?) = state.withLock { state in
            switch state {
            case .empty:
                state = .settled(result)
                return (true, nil)
            case .waiting(let continuation):
                state = .over
                return (true, continuation)
            case .settled, .over:
                return (false, nil)
            }
        }
        waiting?.resume(with: result)
        return counts
    }
}
