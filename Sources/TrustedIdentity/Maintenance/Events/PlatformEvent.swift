public import Primitives

/// An event about an account or a device, for the application server.
///
/// It contains no secret, no code and no content of an approval request. See the article "Events for application
/// servers".
public struct PlatformEvent: Sendable, Hashable {
    /// The kind of an event, as a dotted word. New words are added; existing words keep their meaning. A word that is
    /// also in ``AuditEvent`` means the same.
    public struct Kind: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
        /// The word that stores keep and receivers get.
        public let rawValue: String

        /// Creates a kind of this or a later version.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a kind from a literal word.
        public init(stringLiteral value: String) { rawValue = value }

        /// A device was activated.
        public static let activationCompleted: Kind = "activation.completed"
        /// A device was locked. The reason is the raw value of a `LockReason`.
        public static let deviceLocked: Kind = "device.locked"
        /// A device was unlocked: the user has set a new password with an unlock code.
        public static let deviceUnlocked: Kind = "device.unlocked"
        /// An unlock code was issued. The reason is the scope of the caller.
        public static let unlockIssued: Kind = "unlock.issued"
        /// A device sent its unlock code. If the user has not asked for one, revoke the device.
        public static let unlockUsed: Kind = "unlock.used"
        /// The user proved the password after the device, or a copy of its store, had sent wrong ones.
        /// ``PlatformEvent/count`` is their number.
        public static let passwordsFailed: Kind = "passwords.failed"
        /// A device was revoked. The reason states the means.
        public static let deviceRevoked: Kind = "device.revoked"
        /// A device began to move to another one.
        public static let moveStarted: Kind = "move.started"
        /// A device took the place of the one that moved, which is revoked. The reason is the id of the revoked device, 32
        /// hexadecimal digits.
        public static let moveCompleted: Kind = "move.completed"
        /// A device began to change its password while three changes were open, and the oldest one has ended.
        public static let passwordOfferReplaced: Kind = "password.offer-replaced"
        /// Typed codes or static passwords of an account are blocked after wrong ones. The reason is the raw value of a
        /// ``CredentialKind-swift.enum``.
        public static let throttleBlocked: Kind = "throttle.blocked"
        /// The blocks of an account were lifted.
        public static let throttleLifted: Kind = "throttle.lifted"
        /// The user approved a request.
        public static let approvalApproved: Kind = "approval.approved"
        /// The user rejected a request. The reason is the user's reason.
        public static let approvalRejected: Kind = "approval.rejected"
        /// The user rejected a request as started by another person. That person may know the user's name.
        public static let approvalNotMe: Kind = "approval.not-me"
        /// The user approved a request, and the platform refused the answer. With the reason `wrongNumber`, the number
        /// was not the matching number. With `methodRefused`, the policy did not accept the method or the device.
        public static let approvalRefused: Kind = "approval.refused"
        /// The platform was restored from a backup. The reason is the same as for ``AuditEvent/platformRestored``.
        /// Events that waited in the backup were removed.
        public static let platformRestored: Kind = "platform.restored"
        /// All suspensions of a restore were lifted.
        public static let suspensionsLifted: Kind = "suspensions.lifted"
        /// The revocations of an exported audit log were applied after a restore.
        public static let auditApplied: Kind = "audit.applied"
        /// Events were dropped before they were delivered. ``PlatformEvent/count`` is their number.
        public static let eventsDropped: Kind = "events.dropped"
    }

    /// The id, 16 random bytes. It is the same at each attempt to deliver the event.
    public var id: [UInt8]
    /// The kind.
    public var kind: Kind
    /// The time of the event by the platform's clock.
    public var time: Timestamp
    /// `user@domain`; nil for an event without an account.
    public var account: String?
    /// The id of the device, 16 bytes; nil for an event without a device.
    public var device: [UInt8]?
    /// A constant word that states the reason or the means; empty when the kind needs none.
    public var reason: String
    /// The application server's request id of an approval request; nil for another event.
    public var requestID: String?
    /// The id of the API key that asked for the approval; nil for another event, and for code that embeds the
    /// platform.
    public var apiKey: String?
    /// The end of a block; nil for another event, and for a block that only an administrator ends.
    public var until: Timestamp?
    /// The number of events that this one represents: 1, for ``Kind-swift.struct/eventsDropped`` the number of the
    /// dropped ones, and for ``Kind-swift.struct/passwordsFailed`` the number of wrong passwords.
    public var count: Int

    /// Creates an event. The platform gives it an id when it records it.
    public init(
        id: [UInt8] = [], _ kind: Kind, time: Timestamp, account: String? = nil, device: [UInt8]? = nil,
        reason: String = "", requestID: String? = nil, apiKey: String? = nil, until: Timestamp? = nil, count: Int = 1
    ) {
        self.id = id
        self.kind = kind
        self.time = time
        self.account = account
        self.device = device
        self.reason = reason
        self.requestID = requestID
        self.apiKey = apiKey
        self.until = until
        self.count = count
    }
}

extension PlatformEvent {
    /// The kinds that follow from an audit log entry. They are derived from the entry, because no path to such an entry
    /// may miss its event.
    private static let kindsOfEntries: [AuditEvent: Kind] = [
        .activationCompleted: .activationCompleted, .deviceLocked: .deviceLocked,
        .deviceUnlocked: .deviceUnlocked, .unlockIssued: .unlockIssued, .unlockUsed: .unlockUsed,
        .deviceRevoked: .deviceRevoked, .moveStarted: .moveStarted, .moveCompleted: .moveCompleted,
        .passwordOfferReplaced: .passwordOfferReplaced,
        .throttleLifted: .throttleLifted, .platformRestored: .platformRestored,
        .suspensionsLifted: .suspensionsLifted,
        .auditApplied: .auditApplied,
    ]

    /// Creates the event of an audit log entry.
    ///
    /// - Returns: nil for an entry without an event.
    init?(_ entry: AuditEntry) {
        guard let kind = Self.kindsOfEntries[entry.event] else { return nil }
        self.init(kind, time: entry.time, account: entry.account, device: entry.device, reason: entry.reason)
    }

    /// Creates the event of an approval request that a device has answered.
    ///
    /// - Returns: nil for a request that has ended otherwise, or not at all.
    init?(_ ended: ApprovalRecord) {
        guard let time = ended.endedAt else { return nil }
        let kind: Kind
        var reason = ""
        switch ended.state {
        case .approved: kind = .approvalApproved
        case .rejected:
            kind = ended.reason == .notMe ? .approvalNotMe : .approvalRejected
            reason = ended.reason?.description ?? ""
        case .wrongNumber, .methodRefused:
            kind = .approvalRefused
            reason = ended.state.rawValue
        case .pending, .expired, .replaced, .canceled: return nil
        }
        self.init(
            kind, time: time, account: ended.account, device: ended.device, reason: reason,
            requestID: ended.requestID,
            // The principal of a seal is a device.
            apiKey: ended.principal.isEmpty || ended.kind == .seal ? nil : ended.principal)
    }

    /// Creates the event of a failure that starts a block.
    ///
    /// - Parameters:
    ///   - counts: The counts before the failure.
    ///   - record: The count of the source after it.
    ///   - overall: The count over all sources after it.
    /// - Returns: nil for a failure that starts no block.
    init?(from counts: ThrottleCounts, to record: ThrottleRecord, overall: ThrottleRecord, at now: Timestamp) {
        // Nothing is counted during a block. Each of these blocks therefore begins with this failure.
        let isUntilLifted = Throttle.isBlockedUntilLifted(record) || overall.consecutive >= Throttle.overallLimit
        guard isUntilLifted || record.blockedUntil != counts.record?.blockedUntil else { return nil }
        self.init(
            .throttleBlocked, time: now, account: record.key.account, reason: record.key.kind.rawValue,
            until: isUntilLifted ? nil : record.blockedUntil)
    }
}
