public import OrchestrationProtocol
public import Primitives

/// A transport that keeps a stream of notifications from the platform open.
///
/// `HTTPTransport` of `OrchestrationHTTP` is one implementation. An app with another way to the platform may implement
/// this protocol. Without an implementation, ``Orchestrator/notifications(for:domain:over:pollingEvery:)`` polls. Test
/// an implementation with `NotificationTransportConformance` of the product `OrchestrationTesting`.
///
/// The contract:
/// - The data of a stream is not trusted. It only causes the SDK to fetch. An implementation limits its buffers, and
///   drops data that it cannot decode.
/// - ``open(_:)`` returns when the platform has accepted the stream, and throws when it has not. The SDK tries again
///   with a new token, after a pause that grows. An implementation does not retry automatically, because a token opens
///   one stream only.
/// - Both methods end soon after their task is canceled.
public protocol NotificationTransport: Sendable {
    /// Opens a stream.
    ///
    /// - Parameter stream: The channel and the right to open it.
    /// - Returns: The open stream. It ends when the last reference is released.
    /// - Throws: Any error when there is no stream; `CancellationError` when the task was canceled.
    func open(_ stream: NotificationStream) async throws -> any NotificationConnection
}

/// An open stream of notifications.
public protocol NotificationConnection: Sendable {
    /// Waits for the next signal. It is called again only after it has returned.
    ///
    /// - Returns: The signal; `nil` when the stream has ended.
    /// - Throws: Any error when the stream broke; `CancellationError` when the task was canceled. The SDK does not call
    ///   the method after that.
    func next() async throws -> NotificationStream.Signal?
}

/// A channel of notifications, and the right to open it once.
public struct NotificationStream: Sendable, Redacted {
    /// The notification identifier of the device, which names the channel: `GET /v1/notifications/{channel}`.
    public let channel: String

    /// The token in base64url without padding, for `Authorization: Bearer`. It opens one stream, before it
    /// expires: after 60 seconds on the platform of this package.
    public let token: String

    /// The id of the last event that arrived, for `Last-Event-ID`; `nil` on the first stream.
    public let lastEventID: String?

    package init(channel: String, token: String, lastEventID: String? = nil) {
        self.channel = channel
        self.token = token
        self.lastEventID = lastEventID
    }
}

extension NotificationStream {
    /// A signal on a stream of notifications.
    @nonexhaustive
    public enum Signal: Sendable, Hashable {
        /// A sign that the stream is open. The platform sends one every 15 seconds.
        case heartbeat
        /// A pointer, as it was received, with the id of its event.
        case pointer(OrchestrationCommand, eventID: String?)
    }
}
