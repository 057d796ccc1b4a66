internal import Synchronization

/// The writes of one request, for a store that sheds load.
///
/// A request may write more than once. After its first commit, its later writes are taken however many others wait, so
/// that no request is refused for load when a part of it is stored.
package final class RequestWrites: Sendable {
    /// The writes of the request that the present task works for; nil for other work.
    @TaskLocal package static var current: RequestWrites?

    private let committed = Atomic(false)

    /// Creates the writes of a new request.
    package init() {}

    /// Whether the request has stored something.
    package var hasCommitted: Bool { committed.load(ordering: .acquiring) }

    /// Notes that the request has stored something.
    package func noteCommit() { committed.store(true, ordering: .releasing) }
}
