public import Primitives

/// What ``Orchestrator/registerNotifications(_:)`` needs (requirement E3). Neither printing nor reflection shows whom or
/// which device it is about.
public struct NotificationRegistrationParameters: Sendable, Redacted {
    /// Where the platform reaches this device. A push identifier is an address that others can send to, so it does not
    /// show in print or reflection either.
    public enum Identifier: Sendable, Hashable, Redacted {
        /// The platform's own pull channel, for apps without a push service (X3).
        case pullChannel
        /// The identifier that the app's push service gave it, unique for device and app: 1 to 1,024 bytes of UTF-8.
        case push(String)

        /// The name of the case.
        public var description: String {
            switch self {
            case .pullChannel: "pull channel"
            case .push: "push identifier"
            }
        }
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

    /// Names nobody and shows nothing.
    public var description: String { "notification registration parameters" }
}
