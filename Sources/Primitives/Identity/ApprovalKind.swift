/// The kind of an approval request. The raw value is the number in commands and stores.
@nonexhaustive
public enum ApprovalKind: UInt8, Sendable, Hashable, CaseIterable, Codable, CustomStringConvertible {
    /// A login at a site.
    case login = 0
    /// A transaction, such as a payment.
    case transaction = 1
    /// Another event that a site asks to confirm.
    case event = 2
    /// A seal over data, which the device itself has asked for.
    case seal = 3

    /// The name of the case, for example `login`.
    public var description: String {
        switch self {
        case .login: "login"
        case .transaction: "transaction"
        case .event: "event"
        case .seal: "seal"
        }
    }
}

/// The reason for a user's rejection. The raw value is the number in commands and stores.
@nonexhaustive
public enum RejectionReason: UInt8, Sendable, Hashable, CaseIterable, Codable, CustomStringConvertible {
    /// The user did not start it. Another person may have the user's name and try to log in.
    case notMe = 0
    /// The user started it and no longer wants it.
    case canceled = 1
    /// The display data is not what the user wanted, for example another amount.
    case wrongData = 2

    /// The name of the case, for example `notMe`.
    public var description: String {
        switch self {
        case .notMe: "notMe"
        case .canceled: "canceled"
        case .wrongData: "wrongData"
        }
    }
}

/// The reason why a user authenticated by a method other than the requested one. The raw value is the number in
/// commands.
@nonexhaustive
public enum FallbackReason: UInt8, Sendable, Hashable, CaseIterable, Codable, CustomStringConvertible {
    /// The user has not enrolled the requested method on this device.
    case notEnrolled = 0
    /// The device cannot currently perform the requested method.
    case notAvailable = 1
    /// The requested method failed.
    case failed = 2
    /// The user chose the other method.
    case chosenByUser = 3

    /// The name of the case, for example `notEnrolled`.
    public var description: String {
        switch self {
        case .notEnrolled: "notEnrolled"
        case .notAvailable: "notAvailable"
        case .failed: "failed"
        case .chosenByUser: "chosenByUser"
        }
    }
}
