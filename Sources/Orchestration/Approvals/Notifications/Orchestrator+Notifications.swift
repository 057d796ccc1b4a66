public import OrchestrationProtocol

extension Orchestrator {
    /// Returns the pointers to the approval requests of a user, as they arrive, for an app that iterates the flow of
    /// each. ``UserHandle/approvalRequests(over:pollingEvery:)`` returns the requests themselves.
    ///
    /// ```swift
    /// for try await pointer in orchestrator.notifications(for: "alice") {
    ///     for try await event in orchestrator.execute(pointer) { … }
    /// }
    /// ```
    ///
    /// The sequence keeps a stream to the platform open, and opens it again when it breaks or is silent for 45 seconds.
    /// Each new stream begins with the pending requests, which means that a device that was offline gets them. The
    /// sequence returns each pointer once, even when the stream repeats it. If the flow of a pointer ends with
    /// `transport`, execute the pointer again. Without a transport that has streams, the sequence polls.
    ///
    /// A platform does not announce requests over the limits of its policy. Call ``UserHandle/pendingApprovals()``,
    /// which returns all of them, when the app comes to the foreground.
    ///
    /// The work is done in the task that iterates. While the app handles a pointer, further ones wait. Failures of the
    /// network do not end the sequence: it tries again after a pause of up to a minute. It ends with an error when the
    /// user can no longer be used.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain, where it is not the default.
    ///   - stream: The transport of the stream; by default the orchestrator's transport, if it has streams.
    ///   - interval: The time between two polls without a stream, more than zero. A random part of up to one half is
    ///     subtracted.
    /// - Returns: The pointers, for ``execute(_:)-(OrchestrationCommand)``. The sequence throws `invalidUser`, `notActivated`, `userLocked`,
    ///   `invalidConfiguration` for an interval that is not positive; the code of a refusal; the
    ///   errors of the store and the device key; `CancellationError`.
    public nonisolated func notifications(
        for user: String, domain: String? = nil, over stream: (any NotificationTransport)? = nil,
        pollingEvery interval: Duration = .seconds(30)
    ) -> AsyncThrowingStream<OrchestrationCommand, any Error> {
        let feed = NotificationFeed(
            user: UserName(user, domain: domain), orchestrator: self,
            transport: stream ?? environment.transport as? any NotificationTransport, pollingInterval: interval)
        return AsyncThrowingStream {
            guard interval > .zero else { throw OrchestrationError(.invalidConfiguration) }
            return try await feed.next()
        }
    }
}
