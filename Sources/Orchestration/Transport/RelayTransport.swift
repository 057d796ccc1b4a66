public import OrchestrationProtocol
internal import Synchronization

/// A transport whose commands the app delivers itself.
///
/// An app that sends everything through its application server iterates ``exchanges`` in a task, delivers each command
/// and returns the answer:
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
/// When the answer arrives in another part of the app, for example in a push message, leave the exchange open and pass
/// the answer to ``Orchestrator/execute(_:)-(OrchestrationCommand)``:
///
/// ```swift
/// for await exchange in relay.exchanges {
///     exchange.leaveOpen()
///     outbox.post(exchange.command)
/// }
/// ```
///
/// A flow waits until the app has answered, failed or released the exchange of its command, or until its task is
/// canceled. There is no time limit.
public final class RelayTransport: Transport {
    /// A command and the way to return its answer.
    public struct Exchange: Sendable {
        /// The command to deliver to the platform.
        public let command: OrchestrationCommand

        /// The correlation id of the flow that sends the command, as in its transcript; `nil` for a flow that is not
        /// recorded.
        ///
        /// Send it in the header `log-correlation-id`. An application server forwards the header to the platform.
        public let correlationID: String?

        fileprivate let slot: Slot

        /// Keeps the exchange open after its last copy is released. ``Orchestrator/execute(_:)-(OrchestrationCommand)`` takes the answer.
        public func leaveOpen() { slot.leaveOpen() }

        /// Returns the platform's answer to the flow. Only the first reply or failure of an exchange has an effect.
        ///
        /// - Parameter answer: The answer of the platform.
        /// - Returns: Whether this call had an effect.
        @discardableResult
        public func reply(_ answer: OrchestrationCommand) -> Bool { slot.settle(.success(answer)) }

        /// Ends the exchange without an answer. Only the first reply or failure of an exchange has an effect.
        ///
        /// - Parameter error: The reason.
        /// - Returns: Whether this call had an effect.
        @discardableResult
        public func fail(_ error: any Error) -> Bool { slot.settle(.failure(error)) }
    }

    /// The exchanges, in the order in which flows send their commands. Iterate the stream once, from one task.
    public let exchanges: AsyncStream<Exchange>

    private let continuation: AsyncStream<Exchange>.Continuation

    /// The waiting calls of ``send(_:)``, by the key that connects their commands with the answers.
    private let waiting = Mutex<[ReplyKey: Pending]>([:])

    /// Creates a relay without exchanges.
    public init() {
        (exchanges, continuation) = AsyncStream.makeStream()
    }

    deinit { continuation.finish() }

    /// Adds a command to ``exchanges`` and waits for the answer. In a canceled task it adds no command.
    ///
    /// - Parameter command: The command.
    /// - Returns: The answer.
    /// - Throws: The error with which the app fails the exchange; ``OrchestrationError`` with the code `transport` when
    ///   the app releases the exchange; `CancellationError`, at once, when the task is canceled.
    public func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        let pending = Pending()
        let key = ReplyKey(sent: command)
        if let key { waiting.withLock { $0[key] = pending } }
        defer {
            if let key { waiting.withLock { if $0[key] === pending { $0[key] = nil } } }
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiting in
                guard pending.wait(with: waiting) else { return }
                // The task that iterates the exchanges is a different one, and has no run.
                let correlationID = Transcript.currentCorrelationID
                continuation.yield(Exchange(command: command, correlationID: correlationID, slot: Slot(pending)))
            }
        } onCancel: {
            pending.settle(.failure(CancellationError()))
        }
    }

    /// Delivers a reply to the call of ``send(_:)`` that waits for it.
    ///
    /// - Returns: Whether a call waited for the reply.
    func deliver(_ reply: OrchestrationCommand) -> Bool {
        guard let envelope = try? Envelope(decoding: reply), case .reply(let keys) = ReplyKey.Direction(envelope) else {
            return false
        }
        let pending = waiting.withLock { waiting in keys.compactMap { waiting[$0] }.first }
        return pending?.settle(.success(reply)) ?? false
    }

    /// Ends ``exchanges``. A command that is sent later fails at once.
    package func finish() { continuation.finish() }
}

/// The part of an exchange that the app holds. When its last copy is released without an answer, the exchange fails.
private final class Slot: Sendable {
    private let pending: Pending

    private let isLeftOpen = Mutex(false)

    init(_ pending: Pending) { self.pending = pending }

    deinit {
        if !isLeftOpen.withLock(\.self) { pending.settle(.failure(OrchestrationError(.transport))) }
    }

    func leaveOpen() { isLeftOpen.withLock { $0 = true } }

    func settle(_ result: Result<OrchestrationCommand, any Error>) -> Bool { pending.settle(result) }
}

/// A call of `send` that waits. The first result settles it.
private final class Pending: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<OrchestrationCommand, any Error>)
        case settled(Result<OrchestrationCommand, any Error>)
        case over
    }

    private let state = Mutex(State.empty)

    /// Waits for the result.
    ///
    /// - Returns: Whether the call must wait. `false` when the task was canceled before.
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
