/// The reasons for a refusal. A code that we do not know is kept and shown as unknown: newer platforms may have more.
package struct RefusalCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let wrongPassword = RefusalCode(rawValue: 1)
    package static let locked = RefusalCode(rawValue: 2)
    /// The ratchet index is older than the platform accepts.
    package static let ratchetOutdated = RefusalCode(rawValue: 3)
    /// By the platform's time the request is too old or too far ahead.
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
        default: "unknown(\(rawValue))"
        }
    }
}
