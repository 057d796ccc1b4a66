internal import OrchestrationProtocol
package import Primitives

/// A notice of an account for all its devices. It follows from an entry of the audit log.
package struct AccountNoticeRecord: Sendable, Hashable {
    /// The number of notices of an account that are kept.
    static let maximumCount = 32

    /// The number of notices in one answer.
    static let maximumInAnswer = 8

    /// The time for which a notice is kept, in milliseconds: 30 days.
    private static let lifetime: Int64 = 30 * 86_400_000

    /// `user@domain`, normalized; the first part of the key.
    package var account: String
    /// The number in the account, ascending, the second part of the key. It is the time in milliseconds, or the number
    /// after the last one: a platform that was restored from a backup thus gives no number again.
    package var number: UInt64
    /// The number of an `AccountNoticeKind`.
    package var kind: UInt64
    package var time: Timestamp
    /// The id of the device that it is about, 16 bytes.
    package var device: [UInt8]
    /// The time at which the row is removed.
    package var keptUntil: Timestamp

    /// The kinds that follow from an entry of the audit log. No path to such an entry can miss its notice.
    private static let kindsOfEntries: [AuditEvent: AccountNoticeKind] = [
        .activationCompleted: .deviceActivated, .deviceRevoked: .deviceRevoked, .deviceLocked: .deviceLocked,
        .deviceUnlocked: .deviceUnlocked, .unlockIssued: .unlockCodeIssued, .unlockUsed: .unlockCodeUsed,
        .moveStarted: .moveStarted,
    ]

    /// The notice in an answer.
    var form: AccountNoticeForm { AccountNoticeForm(number: number, kind: kind, time: time, device: device) }
}

extension AccountNoticeRecord {
    /// Creates the notice of an entry of the audit log, with the first number that its time allows.
    ///
    /// - Returns: nil for an entry that has none.
    init?(_ entry: AuditEntry) {
        guard let kind = Self.kindsOfEntries[entry.event], let account = entry.account, let device = entry.device
        else { return nil }
        self.account = account
        self.kind = kind.rawValue
        self.device = device
        time = entry.time
        number = UInt64(max(1, entry.time.millisecondsSinceEpoch))
        keptUntil = entry.time.advanced(milliseconds: Self.lifetime)
    }
}
