internal import OrchestrationProtocol
public import Primitives

/// The address for notifications of this device. Others can send to a push identifier, so printing and reflection
/// do not show it.
@nonexhaustive
public enum NotificationIdentifier: Sendable, Hashable, Redacted {
    /// The pull channel of the platform, for apps without a push service.
    case pullChannel
    /// The identifier that the push service has issued for app and device: 1 to 1,024 bytes of UTF-8, without control
    /// characters and the other characters that <doc:Approvals> refuses in a visible text.
    case push(String)

    /// Returns the text for the platform.
    func text(deviceID: [UInt8]) -> String {
        switch self {
        case .pullChannel: NotificationsRegisterMessage.pullChannel(of: deviceID)
        case .push(let text): text
        }
    }
}
