/// What ``Orchestrator/registerNotifications(_:)`` needs (requirement E3).
public struct NotificationRegistrationParameters: Sendable {
    /// Where the platform reaches this device.
    public enum Identifier: Sendable, Hashable {
        /// The platform's own pull channel, for apps without a push service (X3).
        case pullChannel
        /// The identifier that the app's push service gave it, unique for device and app: 1 to 1,024 bytes of UTF-8.
        case push(String)
    }

    /// The user id, or `user@domain`.
    public var user: String

    /// The domain, where it is neither in ``user`` nor the orchestrator's default.
    public var domain: String?

    /// Where the platform reaches this device.
    public var identifier: Identifier

    /// Takes the parameters of a registration.
    ///
    /// - Parameters:
    ///   - user: the user id, or `user@domain`.
    ///   - domain: the domain, where it is not the default.
    ///   - identifier: where the platform reaches this device.
    public init(user: String, domain: String? = nil, identifier: Identifier = .pullChannel) {
        self.user = user
        self.domain = domain
        self.identifier = identifier
    }
}
