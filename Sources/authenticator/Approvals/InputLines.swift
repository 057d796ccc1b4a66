import Dispatch
import Synchronization

/// The lines of standard input, one after another. A thread of its own reads them, because reading blocks.
///
/// A wait that is canceled takes no line: the next one gets it.
final class InputLines: Sendable {
    private struct State {
        var isReading = false
        var isEnded = false
        var lines: [String] = []
        var waiting: CheckedContinuation<String?, Never>?
    }

    private let state = Mutex(State())

    /// Returns the next line; `nil` at the end of the input, and when the task is canceled. One task waits at a time.
    func next() async -> String? {
        startReading()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (line, isKnown): (String?, Bool) = state.withLock { state in
                    if !state.lines.isEmpty { return (state.lines.removeFirst(), true) }
                    guard !state.isEnded, !Task.isCancelled else { return (nil, true) }
                    state.waiting = continuation
                    return (nil, false)
                }
                if isKnown { continuation.resume(returning: line) }
            }
        } onCancel: {
            state.withLock { $0.waiting.take() }?.resume(returning: nil)
        }
    }

    /// Drops the lines that were typed and not asked for.
    func discard() { state.withLock { $0.lines = [] } }

    private func startReading() {
        let isFirst = state.withLock { state in
            defer { state.isReading = true }
            return !state.isReading
        }
        guard isFirst else { return }
        DispatchQueue.global().async { [self] in
            while let line = readLine() { take(line) }
            state.withLock { state in
                state.isEnded = true
                return state.waiting.take()
            }?.resume(returning: nil)
        }
    }

    private func take(_ line: String) {
        let waiting = state.withLock { state in
            guard let waiting = state.waiting.take() else {
                state.lines.append(line)
                return CheckedContinuation<String?, Never>?.none
            }
            return waiting
        }
        waiting?.resume(returning: line)
    }
}
