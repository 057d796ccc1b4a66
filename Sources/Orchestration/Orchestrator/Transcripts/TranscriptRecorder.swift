internal import Synchronization

/// A recorder of flows for support. Give one to an orchestrator to get a ``Transcript`` of each of its flows, of each
/// list of pending approval requests, and of each deletion of a user.
///
/// ```swift
/// let recorder = TranscriptRecorder()
/// let orchestrator = try await Orchestrator(…, recorder: recorder)
/// …
/// print(recorder.transcripts.last?.description ?? "no flow yet")
/// ```
public final class TranscriptRecorder: Sendable {
    private let capacity: Int
    private let onEnd: (@Sendable (Transcript) -> Void)?
    private let latest = Mutex<[Transcript]>([])

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - capacity: The number of transcripts that are kept in memory, 0 or more. The oldest one is removed first.
    ///   - onEnd: Called with the transcript of each flow that has ended, in the task that iterates the flow, or in any
    ///     task when the flow was left. It must return soon.
    public init(capacity: Int = 32, onEnd: (@Sendable (Transcript) -> Void)? = nil) {
        self.capacity = max(0, capacity)
        self.onEnd = onEnd
    }

    /// The transcripts of the latest flows that have ended, the oldest one first.
    public var transcripts: [Transcript] { latest.withLock { $0 } }

    func keep(_ transcript: Transcript) {
        latest.withLock { latest in
            latest.append(transcript)
            if latest.count > capacity { latest.removeFirst(latest.count - capacity) }
        }
        onEnd?(transcript)
    }
}
