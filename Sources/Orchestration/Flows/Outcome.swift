/// What a flow that succeeded has brought.
public enum Outcome: Sendable {
    /// The user is activated on this device. The platform keeps the account in `pendingNotification` until
    /// ``Orchestrator/registerNotifications(_:)`` has run (requirements D10, X3).
    case activated(UserInformation)

    /// The notification identifier is registered.
    case notificationsRegistered(UserInformation)

    /// A one-time password was made.
    case authenticatedLocally(OneTimePasswordResult)
}

extension Outcome {
    /// The result of a local authentication; `nil` for the outcome of another flow.
    public var localAuthentication: OneTimePasswordResult? {
        guard case .authenticatedLocally(let result) = self else { return nil }
        return result
    }

    /// The one-time password of a local authentication; `nil` for the outcome of another flow.
    public var oneTimePassword: String? { localAuthentication?.oneTimePassword }

    /// The host code of a local authentication, where the platform has configured one.
    public var hostCode: String? { localAuthentication?.hostCode }

    /// The user whose device was activated or registered; `nil` after a local authentication.
    public var user: UserInformation? {
        switch self {
        case .activated(let user), .notificationsRegistered(let user): user
        case .authenticatedLocally: nil
        }
    }
}
