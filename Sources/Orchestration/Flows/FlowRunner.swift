/// Runs one flow in the task of whoever iterates its stream.
///
/// There is no task of its own: demand is the back-pressure, cancellation is the consumer's, and when the stream goes
/// the runner, the flow and the secrets in it go.
actor FlowRunner {
    /// What the runner is doing.
    private enum State {
        /// Nobody has pulled yet: nothing has been made, nothing has happened.
        case untouched(make: @Sendable () -> any Flow)
        /// Waiting for the next pull.
        case idle(any Flow)
        /// Inside a pull.
        case pulling
        /// The terminal event was given out, or an error was thrown.
        case over
    }

    private var state: State

    private init(make: @escaping @Sendable () -> any Flow) {
        state = .untouched(make: make)
    }

    /// A stream that makes the flow at the first pull and drops it at the end.
    static func stream(_ make: @escaping @Sendable () -> any Flow) -> AsyncThrowingStream<FlowEvent, any Error> {
        let runner = FlowRunner(make: make)
        return AsyncThrowingStream { try await runner.next() }
    }

    private func next() async throws -> FlowEvent? {
        let flow: any Flow
        switch state {
        case .untouched(let make): flow = make()
        case .idle(let waiting): flow = waiting
        case .pulling: throw OrchestrationError(.consumedTwice)
        case .over: return nil
        }
        // An actor is entered again while it waits; this is what the second iterator runs into.
        state = .pulling
        do {
            try Task.checkCancellation()
            let event = try await flow.next()
            state = event.isTerminal ? .over : .idle(flow)
            return event
        } catch {
            state = .over
            throw OrchestrationError.crossingTheBorder(error)
        }
    }
}
