public import Primitives

/// One thing that happened, for whoever has to reconstruct it later.
///
/// An entry holds no secret, no code, no proof and nothing made from them.
public struct AuditEntry: Sendable, Hashable {
    /// The position in the log, from 1; 0 before the store gave one.
    public var sequence: Int64
    /// When, by the platform's clock.
    public var time: Timestamp
    /// What.
    public var event: AuditEvent
    /// About whom: `user@domain`; nil when about nobody, or about somebody unknown.
    public var account: String?
    /// Which device, 16 bytes; nil when none.
    public var device: [UInt8]?
    /// Why, and with what: a constant word such as `wrongCode`; empty when the event says all.
    public var reason: String

    /// Puts an entry together.
    public init(
        sequence: Int64 = 0, time: Timestamp, event: AuditEvent, account: String? = nil, device: [UInt8]? = nil,
        reason: String = ""
    ) {
        self.sequence = sequence
        self.time = time
        self.event = event
        self.account = account
        self.device = device
        self.reason = reason
    }
}
