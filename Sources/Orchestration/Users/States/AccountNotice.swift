public import OrchestrationProtocol
internal import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A notice about a device of the account. The platform sends it to all devices of the account with their next
/// synchronization.
public struct AccountNotice: Sendable, Hashable {
    /// The number of notices that a device keeps.
    static let maximumCount = 32

    /// What the notice is about.
    public let kind: AccountNoticeKind

    /// The time by the platform's clock.
    public let time: Date

    /// The id of the device that the notice is about, 32 hexadecimal digits: ``UserInformation/deviceID`` for this one.
    public let deviceID: String
}

extension AccountNotice {
    /// - Returns: `nil` for a kind of a newer platform.
    init?(_ form: AccountNoticeForm) {
        guard let kind = AccountNoticeKind(rawValue: form.kind) else { return nil }
        self.kind = kind
        time = Date(timeIntervalSince1970: Double(form.time.millisecondsSinceEpoch) / 1_000)
        deviceID = Hex.encode(form.device)
    }
}

extension UserRecord {
    /// Adds the notices of an answer that the record does not contain. Another flow may have added them meanwhile.
    mutating func take(_ new: [AccountNoticeForm]) {
        let last = notices.last?.number ?? 0
        notices = Array((notices + new.filter { $0.number > last }).suffix(AccountNotice.maximumCount))
    }
}
