internal import Synchronization

/// What one request has done so far.
///
/// A store that sheds load takes the later writes of a request that has stored something, however many others wait, so
/// that no request is refused for load when a part of it is stored. A server that closes connections closes those last
/// on which a request has proven its caller.
package final class RequestProgress: Sendable {
    /// The progress of the request that the current task works for; nil for other work.
    @TaskLocal package static var current: RequestProgress?

    private let commit = Atomic(false)
    private let proof = Atomic(false)

    /// Creates the progress of a new request.
    package init() {}

    /// Whether the request has stored something.
    package var hasCommitted: Bool { commit.load(ordering: .acquiring) }

    /// Whether the request has proven an API key, a client certificate or a device.
    package var hasProvenCaller: Bool { proof.load(ordering: .acquiring) }

    /// Notes that the request has stored something.
    package func noteCommit() { commit.store(true, ordering: .releasing) }

    /// Notes that the request has proven its caller.
    package func noteProof() { proof.store(true, ordering: .releasing) }
}
