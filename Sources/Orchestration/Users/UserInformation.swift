internal import OrchestrationProtocol
internal import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The description of a user as this device stores it. It holds no secret.
public struct UserInformation: Sendable, Hashable {
    /// The account.
    public let account: AccountName

    /// The state of the account on this device.
    public let state: AccountState

    /// The id of this activation at the platform, 32 hexadecimal digits.
    public let deviceID: String

    /// The serial numbers of the two authenticator instances: first of the password instance, then of the instance of
    /// the other methods.
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

    /// The latest notices about the devices of the account, at most 32, the oldest first.
    public let notices: [AccountNotice]

    /// Whether the keys were agreed with a post-quantum suite.
    package let isPostQuantum: Bool
}

extension UserInformation {
    init(_ record: UserRecord) {
        account = record.account
        state = AccountState(record)
        deviceID = Hex.encode(record.deviceID)
        serialNumbers = record.serials
        applications = record.applications
        passwordPolicy = record.pinPolicy
        notificationIdentifier = record.notificationIdentifier
        activatedAt = record.activatedAt.map {
            Date(timeIntervalSince1970: Double($0.millisecondsSinceEpoch) / 1_000)
        }
        enrolledMethods = record.enrolledMethods.map(\.method)
        notices = record.notices.compactMap(AccountNotice.init)
        isPostQuantum = record.suite == Suite.hybrid.rawValue
    }
}
