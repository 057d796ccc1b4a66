public import Orchestration

extension HTTPTransport: NotificationTransport {
    /// The number of streams to one platform that a process can have open: 1,000. A further one waits for the end of
    /// another, up to the time limit of the transport. Commands use separate connections.
    public static let maximumStreams = 1_000

    /// Opens `GET {endpoint}/v1/notifications/{channel}`, a stream of Server-Sent Events, with the token in
    /// `Authorization`.
    ///
    /// The time limit of the transport ends with the head of the response. A line of more than 1,024 bytes or an event
    /// of more than 4,096 ends the stream.
    ///
    /// - Parameter stream: The channel and the right to open it.
    /// - Returns: The open stream.
    /// - Throws: ``/Orchestration/OrchestrationError`` with the code `transport` and an ``HTTPFailure`` as the
    ///   underlying error; `CancellationError` when the task was canceled.
    public func open(_ stream: NotificationStream) async throws -> any NotificationConnection {
        do {
            guard let url = endpoint.notifications(of: stream.channel) else { throw HTTPFailure(.unreachable) }
            var headers = [
                ("authorization", "Bearer " + stream.token), ("accept", "text/event-stream"),
                ("cache-control", "no-store"),
            ]
            // An id with a line break would be a separate header.
            if let id = stream.lastEventID, id.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
                headers.append(("last-event-id", id))
            }
            let reply = try await Deadline.run(within: timeout) { [headers] in
                try await HTTPExchange.open(url, headers: headers)
            }
            guard reply.status == 200 else { throw HTTPFailure(.status(reply.status, errorCode: nil)) }
            guard reply.mediaType?.lowercased().hasPrefix("text/event-stream") == true else {
                throw HTTPFailure(.notAStream)
            }
            return HTTPNotificationConnection(reply.body)
        } catch {
            if Task.isCancelled || error is CancellationError { throw CancellationError() }
            throw OrchestrationError(.transport, underlying: error as? HTTPFailure ?? HTTPFailure(.unreachable))
        }
    }
}
