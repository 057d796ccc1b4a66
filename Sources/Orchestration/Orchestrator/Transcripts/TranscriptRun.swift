internal import OrchestrationProtocol
internal import Primitives
internal import Synchronization

/// The recording of one flow.
///
/// It is a value of the flow's task. The courier and the transport find it, also in child tasks.
package final class TranscriptRun: Sendable {
    @TaskLocal package static var current: TranscriptRun?

    private struct State {
        var transcript: Transcript
        var replyCorrelationID: String?
        var hasEnded = false
    }

    private let recorder: TranscriptRecorder
    private let time: any TimeSource
    private let start: Duration
    private let state: Mutex<State>

    init(_ recorder: TranscriptRecorder, time: any TimeSource, random: any RandomSource) {
        self.recorder = recorder
        self.time = time
        start = time.uptime()
        state = Mutex(
            State(
                transcript: Transcript(
                    correlationID: Hex.encode(random.bytes(16)), flow: "unknown", startedAt: time.now().date)))
    }

    /// Names the kind of the flow, once its parameters are checked.
    func name(_ kind: FlowKind) { state.withLock { $0.transcript.flow = kind.name } }

    /// The id that a transport sends with the commands of the flow.
    package var correlationID: String { state.withLock { $0.transcript.correlationID } }

    /// Notes the correlation id in the reply to the command that is being sent. It comes from the network: an id that
    /// is not 1 to 64 letters, digits, `-`, `_` and `.` is ignored.
    package func received(replyCorrelationID id: String) {
        guard id.isPlainID(lengths: 1...64) else { return }
        state.withLock { $0.replyCorrelationID = id }
    }

    /// The time since the start of the flow.
    var elapsed: Duration { time.uptime() - start }

    /// Records a command with its answer or its failure.
    func exchanged(
        _ command: OrchestrationCommand, _ answer: OrchestrationCommand?, _ result: String, since began: Duration
    ) {
        let duration = (elapsed - began).wholeMilliseconds
        let id = state.withLock { $0.replyCorrelationID.take() }
        append(
            .exchange, result, sentBytes: command.bytes.count, receivedBytes: answer?.bytes.count, duration: duration,
            replyCorrelationID: id, at: began)
    }

    /// Records an event. A terminal one ends the recording.
    func record(_ event: FlowEvent) {
        append(event.isTerminal ? .end : .event, event.transcriptName)
        if event.isTerminal { finish() }
    }

    /// Ends the recording of a call that is not a flow.
    func succeed(with warnings: [Warning]) {
        for warning in warnings { append(.event, FlowEvent.warning(warning).transcriptName) }
        append(.end, "succeeded")
        finish()
    }

    /// Ends the recording with an error.
    func end(_ error: any Error) {
        append(.end, (error as? OrchestrationError)?.transcriptName ?? "canceled")
        finish()
    }

    /// Ends the recording of a flow that was left, unless the recording has ended.
    func leave() {
        guard !state.withLock(\.hasEnded) else { return }
        append(.end, "left")
        finish()
    }

    private func append(
        _ kind: Transcript.Entry.Kind, _ name: String, sentBytes: Int? = nil, receivedBytes: Int? = nil,
        duration: Int64? = nil, replyCorrelationID: String? = nil, at moment: Duration? = nil
    ) {
        let entry = Transcript.Entry(
            milliseconds: (moment ?? elapsed).wholeMilliseconds, kind, name, sentBytes: sentBytes,
            receivedBytes: receivedBytes, duration: duration, replyCorrelationID: replyCorrelationID)
        state.withLock { state in
            guard !state.hasEnded else { return }
            guard kind == .end || state.transcript.entries.count < Transcript.maximumEntries - 1 else {
                state.transcript.droppedEntries += 1
                return
            }
            state.transcript.entries.append(entry)
        }
    }

    private func finish() {
        let ended: Transcript? = state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            return state.transcript
        }
        if let ended { recorder.keep(ended) }
    }
}

extension Courier {
    /// Sends a command once, and records the exchange where the flow is recorded.
    func send(_ command: OrchestrationCommand) async throws -> OrchestrationCommand {
        guard let run = TranscriptRun.current else { return try await transport.send(command) }
        let began = run.elapsed
        do {
            let answer = try await transport.send(command)
            run.exchanged(command, answer, "answered", since: began)
            return answer
        } catch {
            let failure = (error as? OrchestrationError)?.transcriptName
            run.exchanged(command, nil, failure ?? (error is CancellationError ? "canceled" : "failed"), since: began)
            throw error
        }
    }
}
