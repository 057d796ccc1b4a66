internal import Synchronization

/// The streams of notifications that are open in this process: the latest of each device.
///
/// A device has one stream. A newer one ends the older, which may belong to a connection that was lost.
final class OpenStreams: Sendable {
    private struct State {
        var number: UInt64 = 0
        var latest: [[UInt8]: UInt64] = [:]
    }

    private let state = Mutex(State())

    /// Counts a new stream of a device.
    ///
    /// - Returns: Its number.
    func open(_ device: [UInt8]) -> UInt64 {
        state.withLock { state in
            state.number += 1
            state.latest[device] = state.number
            return state.number
        }
    }

    /// Returns whether a stream is the latest of its device.
    func isLatest(_ device: [UInt8], number: UInt64) -> Bool { state.withLock { $0.latest[device] == number } }

    /// Removes a stream that has ended.
    func close(_ device: [UInt8], number: UInt64) {
        state.withLock { state in
            if state.latest[device] == number { state.latest[device] = nil }
        }
    }
}
