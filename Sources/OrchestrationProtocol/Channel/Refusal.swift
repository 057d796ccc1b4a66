/// The platform's refusal: its code and, where known, tries and waiting time.
package struct Refusal: Sendable, Hashable {
    package var code: RefusalCode

    /// The number of tries before the instance is locked, if tries are counted.
    package var remainingTries: UInt64?

    /// The number of milliseconds after which asking again makes sense, if it does.
    package var retryAfter: UInt64?

    package init(_ code: RefusalCode, remainingTries: UInt64? = nil, retryAfter: UInt64? = nil) {
        self.code = code
        self.remainingTries = remainingTries
        self.retryAfter = retryAfter
    }

    init(from reader: inout CBORReader) throws(WireError) {
        code = RefusalCode(rawValue: try reader.readNumber())
        remainingTries = try reader.readIfNull() ? nil : reader.readNumber()
        retryAfter = try reader.readIfNull() ? nil : reader.readNumber()
    }

    func write(to output: inout some CBOROutput) {
        output.unsigned(code.rawValue)
        output.optional(remainingTries)
        output.optional(retryAfter)
    }
}

/// The reason for a refusal.
///
/// A code that this library does not know is kept and described as unknown: newer platforms may define more.
package struct RefusalCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let wrongPassword = RefusalCode(rawValue: 1)
    package static let locked = RefusalCode(rawValue: 2)
    /// The ratchet index is older than those that the platform accepts.
    package static let ratchetOutdated = RefusalCode(rawValue: 3)
    /// By the platform's clock, the request is too old or too far ahead.
    package static let expired = RefusalCode(rawValue: 4)
    package static let revoked = RefusalCode(rawValue: 5)
    /// The activation was not finished in time.
    package static let pendingExpired = RefusalCode(rawValue: 6)
    package static let cloneSuspected = RefusalCode(rawValue: 7)
    package static let wrongReceipt = RefusalCode(rawValue: 8)
    package static let malformed = RefusalCode(rawValue: 9)
    package static let generationUnknown = RefusalCode(rawValue: 10)
    /// The ratchet index was never offered.
    package static let ratchetUnknown = RefusalCode(rawValue: 11)
    package static let rateLimited = RefusalCode(rawValue: 12)
    package static let notPermitted = RefusalCode(rawValue: 13)
    /// The platform was restored without its audit log, and the device is suspended until an administrator ends the
    /// suspension.
    package static let suspended = RefusalCode(rawValue: 14)
    /// The platform was restored, and does not have the state of the device's ratchet. The device repeats the request
    /// with its state.
    package static let ratchetBehind = RefusalCode(rawValue: 15)
    /// The platform key of the request is no longer honored for its message, or the device lacks more key statements
    /// than fit into one answer.
    package static let keysOutdated = RefusalCode(rawValue: 16)
    package static let approvalExpired = RefusalCode(rawValue: 17)
    /// A device has answered the approval request.
    package static let approvalAnswered = RefusalCode(rawValue: 18)
    /// A newer login from the same source has replaced the approval request.
    package static let approvalReplaced = RefusalCode(rawValue: 19)
    /// The application server has withdrawn the approval request.
    package static let approvalCanceled = RefusalCode(rawValue: 20)
    /// The approval request does not exist, or belongs to another account.
    package static let approvalUnknown = RefusalCode(rawValue: 21)
    /// The number that the user typed is not the matching number. The approval request has ended.
    package static let wrongNumber = RefusalCode(rawValue: 22)
    /// The policy does not accept the method of the answer. The approval request has ended.
    package static let methodRefused = RefusalCode(rawValue: 23)
    /// The generation of the password is older than the platform's generation.
    package static let generationOutdated = RefusalCode(rawValue: 24)
    /// The device has not registered the method of the answer.
    package static let methodUnknown = RefusalCode(rawValue: 25)
    /// The policy reads device data, and the platform does not have the data with this hash. The approval request
    /// waits.
    package static let deviceDataUnknown = RefusalCode(rawValue: 26)
    /// The unlock code is wrong, used or expired, or belongs to another device. A wrong one spends a try.
    package static let unlockCodeRefused = RefusalCode(rawValue: 27)
}

extension RefusalCode {
    /// The refusals of a message from a device that is served at its ratchet index. The platform has read the device
    /// data of such a message. No other code, including codes of later versions, is in this set.
    package static let ofServedDevices: Set<RefusalCode> = [
        .wrongPassword, .wrongReceipt, .malformed, .generationUnknown, .notPermitted, .approvalExpired,
        .approvalAnswered,
        .approvalReplaced, .approvalCanceled, .approvalUnknown, .wrongNumber, .methodRefused, .generationOutdated,
        .methodUnknown, .deviceDataUnknown, .unlockCodeRefused,
    ]
}

extension RefusalCode: CustomStringConvertible {
    /// The name of the code, or its number.
    package var description: String {
        switch self {
        case .wrongPassword: "wrongPassword"
        case .locked: "locked"
        case .ratchetOutdated: "ratchetOutdated"
        case .expired: "expired"
        case .revoked: "revoked"
        case .pendingExpired: "pendingExpired"
        case .cloneSuspected: "cloneSuspected"
        case .wrongReceipt: "wrongReceipt"
        case .malformed: "malformed"
        case .generationUnknown: "generationUnknown"
        case .ratchetUnknown: "ratchetUnknown"
        case .rateLimited: "rateLimited"
        case .notPermitted: "notPermitted"
        case .suspended: "suspended"
        case .ratchetBehind: "ratchetBehind"
        case .keysOutdated: "keysOutdated"
        case .approvalExpired: "approvalExpired"
        case .approvalAnswered: "approvalAnswered"
        case .approvalReplaced: "approvalReplaced"
        case .approvalCanceled: "approvalCanceled"
        case .approvalUnknown: "approvalUnknown"
        case .wrongNumber: "wrongNumber"
        case .methodRefused: "methodRefused"
        case .generationOutdated: "generationOutdated"
        case .methodUnknown: "methodUnknown"
        case .deviceDataUnknown: "deviceDataUnknown"
        case .unlockCodeRefused: "unlockCodeRefused"
        default: "unknown(\(rawValue))"
        }
    }
}
