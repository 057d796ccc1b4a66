public import Primitives

/// An event in the audit log.
///
/// An entry contains no secret, no code, no proof and nothing derived from them.
///
/// A store finds the account's subject, unless the entry specifies one. The platform adds its own caller if an entry
/// specifies no actor.
public struct AuditEntry: Sendable, Hashable {
    /// The position in the log, from 1; 0 before the store assigned one.
    public var sequence: Int64 = 0
    /// The random id of the entry, 16 bytes; empty before the platform appended the entry.
    public var id: [UInt8] = []
    /// The time of the event by the platform's clock.
    public var time: Timestamp
    /// The kind of event.
    public var event: AuditEvent
    /// The account as `user@domain`; `nil` for an event without an account or with an unknown one.
    ///
    /// No store keeps it. A store writes the account's subject instead, and returns the name of the account with this
    /// subject. Once an account is removed, its entries contain a subject and no name.
    public var account: String?
    /// The random value that stands for the account, 16 bytes, which is also in the account's row; `nil` for an event
    /// without an account. The entry of a refused login under a name that no account has contains its own random bytes.
    public var subject: [UInt8]?
    /// The id of the device, 16 bytes; `nil` for an event without a device.
    public var device: [UInt8]?
    /// A constant word that states the reason or the means, such as `wrongCredential`; empty when the event needs none.
    public var reason = ""
    /// The party that caused the event; `nil` before the platform appended the entry.
    public var actor: AuditActor?
    /// The correlation id of the request that caused the event, 1 to 64 characters; `nil` for an event that no request
    /// has caused.
    public var correlationID: String?
    /// The IP address of the caller, as the server determined it; `nil` for a local caller.
    public var address: String?
    /// The id of the decision record, 16 bytes; `nil` for an event without one. See ``Platform/decision(_:)``.
    public var decision: [UInt8]?
}

/// A count of equal events in one hour.
///
/// Events that anybody on the network can cause are counted. They are listed only up to a limit, because they must not
/// fill the log.
public struct AuditTally: Sendable, Hashable, Codable {
    /// The beginning of the hour by the platform's clock.
    public var hour: Timestamp
    /// The kind of event.
    public var event: AuditEvent
    /// A constant word that states the reason or the means.
    public var reason: String
    /// The number of events, 1 or more.
    public var count: Int

    /// Creates a count.
    public init(hour: Timestamp, event: AuditEvent, reason: String, count: Int) {
        self.hour = hour
        self.event = event
        self.reason = reason
        self.count = count
    }

    /// Returns the beginning of the hour that contains a time.
    static func hour(of time: Timestamp) -> Timestamp {
        let milliseconds = time.millisecondsSinceEpoch
        let length: Int64 = 3_600_000
        let past = milliseconds % length
        return Timestamp(millisecondsSinceEpoch: milliseconds - (past < 0 ? past + length : past))
    }
}
