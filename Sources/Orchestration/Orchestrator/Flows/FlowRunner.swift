internal import OrchestrationProtocol

/// Runs one flow in the task that iterates its stream.
///
/// The runner has no task of its own: the demand of the consumer is the back-pressure, and cancellation is that of the
/// consumer's task. The stream owns the runner, and the runner owns the flow and the orchestrator. A dropped stream
/// therefore releases the flow with its secrets, and a stream works on when the app holds no orchestrator.
actor FlowRunner<F: RunnableFlow> {
    private enum State {
        /// Before the first pull: nothing has been made or done.
        case ready(F.Parameters)
        /// Between two pulls.
        case idle
        /// Inside a pull.
        case busy
        /// After the terminal event or an error.
        case ended
    }

    private let orchestrator: Orchestrator
    private var state: State
    private var run: (flow: F, lease: FlowLease)?
    private var pending: [FlowEvent] = []
    private var transcript: TranscriptRun?
    /// The events that ``finish()`` has pulled, and the error that has ended it, for the stream.
    private var finished: [FlowEvent] = []
    private var failure: (any Error)?

    init(_ parameters: F.Parameters, _ orchestrator: Orchestrator) {
        self.orchestrator = orchestrator
        state = .ready(parameters)
    }

    deinit { transcript?.leave() }

    /// Returns the stream of a flow, which starts at the first pull.
    static func stream(
        _ parameters: F.Parameters, on orchestrator: Orchestrator
    ) -> AsyncThrowingStream<FlowEvent, any Error> {
        FlowRunner(parameters, orchestrator).stream
    }

    /// The events, for one consumer.
    nonisolated var stream: AsyncThrowingStream<FlowEvent, any Error> {
        AsyncThrowingStream { try await self.next() }
    }

    /// Returns the next event; `nil` after the end. Only one caller may wait at a time.
    ///
    /// An app that decides through ``finish()`` while it iterates the stream gets the events of the rest from the
    /// stream afterwards, with the same end.
    func next() async throws -> FlowEvent? {
        if !finished.isEmpty { return finished.removeFirst() }
        if let failure {
            self.failure = nil
            throw failure
        }
        return try await pull()
    }

    /// Runs the flow to its end, for the decision of an app. The events wait for the stream, if it is still iterated.
    ///
    /// - Returns: The outcome.
    /// - Throws: The error of the flow, also of another terminal event.
    func finish() async throws -> Outcome {
        do {
            while let event = try await pull() {
                finished.append(event)
                if let outcome = try event.outcome() { return outcome }
            }
        } catch {
            // An aborted flow has its terminal event, which tells the stream the same.
            if finished.last?.isTerminal != true { failure = error }
            throw error
        }
        throw OrchestrationError(.alreadyDecided)
    }

    private func pull() async throws -> FlowEvent? {
        let before = state
        switch before {
        case .ready, .idle: state = .busy
        // The actor is entered again while a pull waits: a second iterator pulls at the same time.
        case .busy: throw OrchestrationError(.consumedTwice)
        case .ended: return nil
        }
        do {
            try Task.checkCancellation()
            let event = try await nextEvent(from: before)
            transcript?.record(event)
            if event.isTerminal { await end() } else { state = .idle }
            return event.decided(by: self as? FlowRunner<ApprovalFlow>)
        } catch {
            await end()
            let error = OrchestrationError.leavingTheSDK(error)
            transcript?.end(error)
            throw error
        }
    }

    /// Starts the flow at the first pull, and returns its next event. A flow that is recorded has its recording as a
    /// value of the task.
    private func nextEvent(from before: State) async throws -> FlowEvent {
        if case .ready(let parameters) = before { try await start(parameters) }
        guard let transcript else { return try await nextEvent() }
        return try await TranscriptRun.$current.withValue(transcript) { try await nextEvent() }
    }

    private func start(_ parameters: F.Parameters) async throws {
        let environment = orchestrator.environment
        transcript = environment.recorder.map {
            TranscriptRun($0, time: environment.time, random: environment.random)
        }
        let (flow, subject) = try F.make(parameters, on: orchestrator)
        transcript?.name(subject.kind)
        run = (flow, await orchestrator.startFlow(subject))
    }

    /// Performs steps until there is an event.
    ///
    /// Supersession is checked before a step and never after one: what a step has done, it reports.
    private func nextEvent() async throws -> FlowEvent {
        while pending.isEmpty {
            guard let run, await orchestrator.holds(run.lease) else { return .aborted(.superseded) }
            pending = try await run.flow.step()
        }
        return pending.removeFirst()
    }

    /// Releases the flow and what it holds.
    private func end() async {
        state = .ended
        pending = []
        guard let (flow, lease) = run.take() else { return }
        await orchestrator.endFlow(lease)
        await flow.cleanUp()
    }
}

extension FlowEvent {
    /// Gives an approval request the flow that its decision goes on with. The flow's own copy has none, so that a
    /// stream that is dropped releases its flow.
    fileprivate func decided(by runner: FlowRunner<ApprovalFlow>?) -> FlowEvent {
        guard case .approvalRequired(var request) = self else { return self }
        request.runner = runner
        return .approvalRequired(request)
    }
}
