public import OrchestrationProtocol
public import Primitives

/// A service that wakes a device for an approval request, such as the push service of an operating system.
///
/// The scheme of the notification identifier that a device has registered chooses the gateway: `apns` for `apns:0a1b`.
/// The platform calls a gateway after it has stored the request, and only within ``Platform/deliverNotifications()``:
/// no login and no approval request waits for it.
///
/// Any number of tasks may call a gateway. An implementation must end soon after its task is canceled. Until then it
/// occupies one of the ``Platform/concurrentDeliveries`` of its service.
public protocol NotificationGateway: Sendable {
    /// Makes one attempt to deliver a notification.
    ///
    /// The platform cancels it after ``Platform/deliveryTimeout``, and repeats failed attempts
    /// (``Platform/repeatedDeliveries``). An implementation does neither.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - address: The part of the notification identifier after the scheme and the colon, up to 1,024 bytes. A device
    ///     has chosen it: it may be anything.
    /// - Returns: The result.
    /// - Throws: Any error. It counts as ``NotificationDelivery/failed(retryAfter:)`` without a time.
    func deliver(_ notification: GatewayNotification, to address: String) async throws -> NotificationDelivery

    /// Returns the name of the service that an address leads to. A service that hangs or is down delays only addresses
    /// with its name.
    ///
    /// The platform calls it for each notification, from any task. It must return at once, and always return the same
    /// name for an address. Beyond 32 services in use, the further ones count as one service.
    ///
    /// - Parameter address: As for ``deliver(_:to:)``.
    /// - Returns: A name such as the host name; `nil` for an address that this gateway refuses without a request: the
    ///   platform counts the notification as refused. Without an implementation the name is empty, and all addresses
    ///   lead to one service.
    func service(of address: String) -> String?
}

extension NotificationGateway {
    /// Returns the empty name, for a gateway with one service.
    public func service(of address: String) -> String? { "" }
}

/// A notification about an approval request.
///
/// It contains nothing of the request's content. The device fetches the request through its channel.
public struct GatewayNotification: Sendable, Hashable {
    /// The id of the approval request, 16 bytes.
    public let id: [UInt8]
    /// The pointer, a command that the app executes to fetch the request.
    public let pointer: OrchestrationCommand
    /// The time at which the request expires. A service need not keep the notification longer.
    public let expiresAt: Timestamp

    /// Creates a notification.
    public init(id: [UInt8], pointer: OrchestrationCommand, expiresAt: Timestamp) {
        self.id = id
        self.pointer = pointer
        self.expiresAt = expiresAt
    }
}

/// The result of one attempt to deliver a notification.
public enum NotificationDelivery: Sendable, Hashable {
    /// The service has taken the notification.
    case delivered
    /// The service no longer knows the address. The platform removes the identifier of the device.
    case unregistered
    /// The service refused the notification, and would refuse it again.
    case refused
    /// The attempt failed. The platform repeats it, not before the time that the service asks for. After ten failed
    /// attempts in a row, the service is down for ten seconds.
    case failed(retryAfter: Duration?)
    /// The service asks for a later attempt, for example with the status 429. The platform repeats it like a failed
    /// one. It counts neither for nor against the service, because the answer can be about one address.
    case deferred(retryAfter: Duration?)
}
