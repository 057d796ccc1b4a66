internal import Synchronization

/// The channel for the events from a flow to its consumer: a rendezvous.
///
/// A flow that sends events waits until the consumer has taken them and asks for the next one. Nothing happens between
/// two events, and a flow whose stream was dropped ends.
final class FlowEvents: Sendable {
    /// A delivery from a flow to its consumer.
    enum Delivery: Sendable {
        /// Events. The flow waits.
        case events([FlowEvent])
        /// The last events, a terminal one at the end. The flow has ended.
        case end([FlowEvent])
        /// The flow has ended with an error.
        case failure(any Error)
    }

    private struct State {
        /// The delivery of the flow, until the consumer takes it.
        var delivery: Delivery?
        /// The consumer that waits for a delivery.
        var consumer: CheckedContinuation<Delivery, Never>?
        /// The flow that waits for the consumer.
        var flow: CheckedContinuation<Void, any Error>?
        var isCanceled = false
        /// The lease of the flow; `nil` before it has started.
        var lease: FlowLease?
    }

    private let orchestrator: Orchestrator
    private let state = Mutex(State())

    init(on orchestrator: Orchestrator) { self.orchestrator = orchestrator }

    /// Sets the lease, which the flow holds until a newer one takes it.
    func begin(_ lease: FlowLease) { state.withLock { $0.lease = lease } }

    /// Delivers events, and waits until the consumer asks for the next one. Without events it does not wait.
    ///
    /// A flow that was superseded meanwhile does not continue. Its course returns the events that are reported together
    /// with the end of the flow, because no newer flow may come in between.
    ///
    /// - Throws: The end of a flow that was superseded; `CancellationError` when the consumer is canceled, or its stream
    ///   was dropped.
    func send(_ events: [FlowEvent]) async throws {
        if events.isEmpty { try Task.checkCancellation() } else { try await deliver(events) }
        guard let lease = state.withLock({ $0.lease }), await orchestrator.holds(lease) else {
            throw FlowEnd(.superseded)
        }
    }

    /// Delivers one event, and waits until the consumer asks for the next one.
    func send(_ event: FlowEvent) async throws { try await send([event]) }

    private func deliver(_ events: [FlowEvent]) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (consumer, isCanceled) = state.withLock { state in
                    if state.consumer == nil { state.delivery = .events(events) }
                    if !state.isCanceled { state.flow = continuation }
                    return (state.consumer.take(), state.isCanceled)
                }
                consumer?.resume(returning: .events(events))
                if isCanceled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let flow = state.withLock { state in
                state.isCanceled = true
                return state.flow.take()
            }
            flow?.resume(throwing: CancellationError())
        }
    }

    /// Delivers the end of the flow.
    func finish(_ delivery: Delivery) {
        let consumer = state.withLock { state in
            if state.consumer == nil { state.delivery = delivery }
            return state.consumer.take()
        }
        consumer?.resume(returning: delivery)
    }

    /// Resumes the flow, and waits for its next delivery.
    func next() async -> Delivery {
        await withCheckedContinuation { continuation in
            let (delivery, flow) = state.withLock { state in
                let delivery = state.delivery.take()
                if delivery == nil { state.consumer = continuation }
                return (delivery, delivery == nil ? state.flow.take() : nil)
            }
            if let delivery { continuation.resume(returning: delivery) }
            flow?.resume()
        }
    }
}
