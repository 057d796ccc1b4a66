internal import OrchestrationProtocol
internal import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The description of a user as this device stores it. It holds no secret.
public struct UserInformation: Sendable, Hashable {
    /// The state of a user on this device.
    @nonexhaustive
    public enum State: String, Sendable, Hashable, Codable {
        /// The activation was started and not finished. ``Orchestrator/resumeActivation(of:domain:registersNotifications:)`` resumes it.
        case pending
        /// The activation is finished.
        case active
        /// The platform has locked or revoked the device, or the record was found to be a copy. The error of the next
        /// call has the reason: after `userLocked`, unlock the user, otherwise activate again. The record stays until a
        /// new activation is finished, and the platform then revokes the device if it is locked there.
        case locked
    }

    /// The account.
    public let account: AccountName

    /// The state of the user.
    public let state: State

    /// The id of this activation at the platform, 32 hexadecimal digits.
    public let deviceID: String

    /// The serial numbers of the two authenticator instances: that of the password, then that of the other methods.
    public let serialNumbers: [String]

    /// The crypto applications that the platform has issued.
    public let applications: [CryptoApplication]

    /// The form of the password.
    public let passwordPolicy: PINPolicy

    /// The notification identifier that is registered with the platform; `nil` before a registration.
    public let notificationIdentifier: String?

    /// The time at which the activation was finished, by the platform's clock; `nil` before that.
    public let activatedAt: Date?

    /// Biometric and face, where the user has enrolled them on this device.
    public let enrolledMethods: [AuthenticationMethod]

    /// Whether the keys were agreed with a post-quantum suite.
    package let isPostQuantum: Bool
}

extension UserInformation {
    init(_ record: UserRecord) {
        account = record.account
        state = State(record.state)
        deviceID = Hex.encode(record.deviceID)
        serialNumbers = record.serials
        applications = record.applications
        passwordPolicy = record.pinPolicy
        notificationIdentifier = record.notificationIdentifier
        activatedAt = record.activatedAt.map {
            Date(timeIntervalSince1970: Double($0.millisecondsSinceEpoch) / 1_000)
        }
        enrolledMethods = record.enrolledMethods.map(\.method)
        isPostQuantum = record.suite == Suite.hybrid.rawValue
    }
}

extension UserInformation.State {
    init(_ state: UserRecord.State) {
        self =
            switch state {
            case .pending, .passwordProven: .pending
            case .active: .active
            case .locked: .locked
            }
    }
}
