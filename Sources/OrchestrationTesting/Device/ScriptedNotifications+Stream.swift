public import Orchestration

extension ScriptedNotifications {
    /// Returns the channel of a user's device with a new token of the platform, and opens no stream. A test of a
    /// ``/Orchestration/NotificationTransport`` opens it.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`. The device has registered a notification identifier.
    ///   - orchestrator: The app, whose transport reaches the platform.
    /// - Throws: The errors of ``/Orchestration/Orchestrator/notifications(for:domain:over:pollingEvery:)``;
    ///   `CancellationError`.
    public static func stream(for user: String, of orchestrator: Orchestrator) async throws -> NotificationStream {
        let (streams, continuation) = AsyncStream<NotificationStream>.makeStream()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                defer { continuation.finish() }
                for try await _ in orchestrator.notifications(for: user, over: StreamCapture(continuation)) {}
            }
            for await stream in streams { return stream }
            try await group.waitForAll()
            throw CancellationError()
        }
    }
}

/// A transport that reports the stream that it is asked to open, and then waits until its task is canceled.
private struct StreamCapture: NotificationTransport {
    let streams: AsyncStream<NotificationStream>.Continuation

    init(_ streams: AsyncStream<NotificationStream>.Continuation) { self.streams = streams }

    func open(_ stream: NotificationStream) async throws -> any NotificationConnection {
        streams.yield(stream)
        while true { try await Task.sleep(for: .seconds(3_600)) }
    }
}
