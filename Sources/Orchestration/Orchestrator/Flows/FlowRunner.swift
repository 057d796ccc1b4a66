internal import OrchestrationProtocol

/// Runs one flow, from one event to the next, each time its stream is asked for one.
///
/// The flow has a task, which waits until the consumer asks: the demand of the consumer is the back-pressure. A
/// consumer that is canceled cancels that task. The stream owns the runner; a dropped stream also cancels the task,
/// which releases the flow with its secrets. The task owns the orchestrator. A stream therefore continues to work when
/// the app no longer holds the orchestrator.
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
    private let events: FlowEvents
    private var state: State
    private var task: Task<Void, Never>?
    private var pending: [FlowEvent] = []
    private var transcript: TranscriptRun?
    /// The events that ``finish()`` has pulled, and the error that has ended it, for the stream.
    private var finished: [FlowEvent] = []
    private var failure: (any Error)?

    init(_ parameters: F.Parameters, _ orchestrator: Orchestrator) {
        self.orchestrator = orchestrator
        events = FlowEvents(on: orchestrator)
        state = .ready(parameters)
    }

    deinit {
        task?.cancel()
        transcript?.leave()
    }

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
    /// An app that decides through ``finish()`` while it iterates the stream gets the remaining events from the stream
    /// afterwards, with the same end.
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
    /// - Throws: The error of the flow, including the error of another terminal event.
    func finish() async throws -> Outcome {
        do {
            while let event = try await pull() {
                finished.append(event)
                if let outcome = try event.outcome() { return outcome }
            }
        } catch {
            // An aborted flow has its terminal event, which reports the same error on the stream. A flow that the
            // stream pulls at the same time has not ended.
            if case .ended = state, finished.last?.isTerminal != true { failure = error }
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
            // Events that wait are delivered, because their effect on the device is stored.
            if pending.isEmpty { try Task.checkCancellation() }
            let event = try await nextEvent(from: before)
            transcript?.record(event)
            state = event.isTerminal ? .ended : .idle
            return event.decided(by: self as? FlowRunner<ApprovalFlow>)
        } catch {
            state = .ended
            pending = []
            task?.cancel()
            await task?.value
            let error = OrchestrationError.leavingTheSDK(error)
            transcript?.end(error)
            throw error
        }
    }

    /// Starts the flow at the first pull, and returns its next event.
    private func nextEvent(from before: State) async throws -> FlowEvent {
        guard pending.isEmpty else { return pending.removeFirst() }
        let task = if case .ready(let parameters) = before { start(parameters) } else { task }
        let delivery = await withTaskCancellationHandler {
            await events.next()
        } onCancel: {
            task?.cancel()
        }
        switch delivery {
        case .events(let events): pending = events
        case .end(let events):
            await task?.value
            pending = events
        case .failure(let error): throw error
        }
        return pending.removeFirst()
    }

    /// Starts the task of the flow. A recorded flow carries its recording as a value of the task.
    private func start(_ parameters: F.Parameters) -> Task<Void, Never> {
        let environment = orchestrator.environment
        transcript = environment.recorder.map {
            TranscriptRun($0, time: environment.time, random: environment.random)
        }
        let task = TranscriptRun.$current.withValue(transcript) {
            Task { [orchestrator, events, transcript] in
                events.finish(await Self.run(parameters, on: orchestrator, events, transcript))
            }
        }
        self.task = task
        return task
    }

    /// Runs the flow to its end, and releases it.
    private static func run(
        _ parameters: F.Parameters, on orchestrator: Orchestrator, _ events: FlowEvents, _ transcript: TranscriptRun?
    ) async -> FlowEvents.Delivery {
        do {
            let (flow, subject) = try F.make(parameters, on: orchestrator)
            transcript?.name(subject.kind)
            let lease = await orchestrator.startFlow(subject)
            events.begin(lease)
            do {
                let last = try await flow.run(events)
                await orchestrator.endFlow(lease)
                return .end(last)
            } catch {
                await orchestrator.endFlow(lease)
                throw error
            }
        } catch let end as FlowEnd {
            return .end(end.events)
        } catch {
            return .failure(error)
        }
    }
}

extension FlowEvent {
    /// Gives an approval request the flow that continues with its decision. The flow's own copy has no runner, because
    /// it would keep the flow of a dropped stream alive.
    fileprivate func decided(by runner: FlowRunner<ApprovalFlow>?) -> FlowEvent {
        guard case .approvalRequired(var request) = self else { return self }
        request.runner = runner
        return .approvalRequired(request)
    }
}
