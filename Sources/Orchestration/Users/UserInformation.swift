public import Primitives
internal import SecureChannel

/// What this device knows of a user (requirement O3). No secret is in it.
public struct UserInformation: Sendable, Hashable {
    /// How far the user has come on this device.
    public enum State: String, Sendable, Hashable, Codable {
        /// The activation was begun and not finished; ``Orchestrator/activate(_:)`` resumes it.
        case pending
        /// Everything can be used.
        case active
        /// The store was found to be a copy, or the platform has revoked the device. Delete the user and activate anew.
        case locked
    }

    /// Who it is.
    public let account: AccountName

    /// How far the user has come on this device.
    public let state: State

    /// The id of this activation at the platform, in hex.
    public let deviceID: String

    /// The serial numbers of the two authenticator instances: the password's, and the one of the other methods (D7).
    public let serialNumbers: [String]

    /// What the platform issued (X10).
    public let applications: [CryptoApplication]

    /// The form of the password (X9).
    public let passwordPolicy: PINPolicy

    /// What is registered with the platform for notifications; `nil` until it is.
    public let notificationIdentifier: String?

    /// When the activation was finished, by the platform's clock as this device knows it; `nil` until it is.
    public let activatedAt: Timestamp?

    /// Whether the keys were agreed with a post-quantum suite.
    public let isPostQuantum: Bool
}

extension UserInformation {
    init(_ record: UserRecord) {
        account = record.account
        state =
            switch record.state {
            case .pending, .passwordProven: .pending
            case .active: .active
            case .locked: .locked
            }
        deviceID = Hex.encode(record.deviceID)
        serialNumbers = record.serials
        applications = record.applications
        passwordPolicy = record.pinPolicy
        notificationIdentifier = record.notificationIdentifier
        activatedAt = record.activatedAt
        isPostQuantum = record.suite == Suite.hybrid.rawValue
    }
}
