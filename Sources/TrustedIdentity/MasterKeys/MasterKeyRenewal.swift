internal import Synchronization

/// How far a running platform is with the renewal of rows after a replacement of the master key.
///
/// Nothing of it is stored: a restart walks from the beginning, and finds less to renew.
final class MasterKeyRenewal: Sendable {
    /// The least time between the beginning of a replacement and that of the walk that finds nothing to renew, and
    /// between the end of a replacement and the end of the earlier key in memory. A decision that has read or sealed
    /// rows under the earlier key ends before.
    static let grace: Duration = .seconds(60)

    /// A kind of row, in the order of the walk.
    enum Part: Int, CaseIterable, Sendable {
        case state, platformKeys, apiKeys, accounts, accountRisks, devices, challenges, approvals, activationSessions
        case events
    }

    /// A walk through all rows.
    struct Walk: Sendable {
        var part = Part.state
        /// The key of the last row of the part that was read; `nil` at its beginning.
        var last: [UInt8]?
        let begin: Duration
        var checked = 0
        /// The number of rows that needed a renewal.
        var found = 0
    }

    struct Progress: Sendable {
        fileprivate var begin: Duration = .zero
        /// The walk that the next run continues.
        var walk: Walk?
        var renewed = 0
        /// When the replacement ended; nil before.
        fileprivate var end: Duration?

        var checked: Int { walk?.checked ?? 0 }
        var hasEnded: Bool { end != nil }
    }

    private let state: Mutex<Progress>

    /// Creates the state of a platform that starts, maybe within a replacement.
    init(uptime: Duration) { state = Mutex(Progress(begin: uptime)) }

    var progress: Progress { state.withLock { $0 } }

    /// Notes that a replacement begins.
    func begin(uptime: Duration) { state.withLock { $0 = Progress(begin: uptime) } }

    /// Returns the walk to continue.
    func walk(uptime: Duration) -> Walk { state.withLock { $0.walk ?? Walk(begin: uptime) } }

    /// Notes how far a walk is.
    func note(_ walk: Walk, renewed: Int) {
        state.withLock { state in
            state.walk = walk
            state.renewed += renewed
        }
    }

    /// Notes that a walk has read all rows.
    ///
    /// - Returns: Whether no row needs the earlier key any more.
    func finish(_ walk: Walk) -> Bool {
        state.withLock { state in
            state.walk = nil
            return walk.found == 0 && walk.begin - state.begin >= Self.grace
        }
    }

    /// Notes that the replacement has ended.
    func end(uptime: Duration) { state.withLock { $0.end = uptime } }

    /// Returns whether the earlier key may be removed from memory.
    func isOver(uptime: Duration) -> Bool { state.withLock { $0.end.map { uptime - $0 >= Self.grace } ?? false } }
}
