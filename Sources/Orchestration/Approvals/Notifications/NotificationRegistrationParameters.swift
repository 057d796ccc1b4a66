internal import Primitives

/// The parameters of ``Orchestrator/registerNotifications(_:)``. Neither printing nor reflection shows the user or the
/// identifier.
public struct NotificationRegistrationParameters: FlowParameters, Sendable, Redacted {
    /// The address for notifications of this device. Others can send to a push identifier, so printing and reflection
    /// do not show it.
    @nonexhaustive
    public enum Identifier: Sendable, Hashable, Redacted {
        /// The pull channel of the platform, for apps without a push service.
        case pullChannel
        /// The identifier that the push service has issued for app and device: 1 to 1,024 bytes of UTF-8.
        case push(String)

        /// The name of the case.
        public var description: String {
            switch self {
            case .pullChannel: "pull channel"
            case .push: "push identifier"
            }
        }

        /// Returns the text for the platform. The pull channel is named after the device, so that it is unique for
        /// device and app, as push identifiers are.
        func text(deviceID: [UInt8]) -> String {
            switch self {
            case .pullChannel: "pull:" + Hex.encode(deviceID)
            case .push(let text): text
            }
        }
    }

    /// The user id, or `user@domain`.
    public var user: String

    /// The domain, or `nil` for the domain in ``user`` or the default domain.
    public var domain: String?

    /// The address for notifications of this device.
    public var identifier: Identifier

    /// Creates the parameters of a registration.
    ///
    /// - Parameters:
    ///   - user: The user id, or `user@domain`.
    ///   - domain: The domain, where it is not the default one.
    ///   - identifier: The address for notifications of this device.
    public init(user: String, domain: String? = nil, identifier: Identifier = .pullChannel) {
        self.user = user
        self.domain = domain
        self.identifier = identifier
    }

    /// A constant text.
    public var description: String { "notification registration parameters" }
}
