public import Primitives

/// How often something happened in an hour that anybody can make happen: it is counted instead of told one by one, so
/// that no stranger fills the log.
public struct AuditTally: Sendable, Hashable {
    /// The beginning of the hour, by the platform's clock.
    public var hour: Timestamp
    /// What.
    public var event: AuditEvent
    /// Why, and with what: a constant word.
    public var reason: String
    /// How often, 1 or more.
    public var count: Int

    /// Puts a tally together.
    public init(hour: Timestamp, event: AuditEvent, reason: String, count: Int) {
        self.hour = hour
        self.event = event
        self.reason = reason
        self.count = count
    }

    /// The beginning of the hour of a time.
    static func hour(of time: Timestamp) -> Timestamp {
        let milliseconds = time.millisecondsSinceEpoch
        let length: Int64 = 3_600_000
        let past = milliseconds % length
        return Timestamp(millisecondsSinceEpoch: milliseconds - (past < 0 ? past + length : past))
    }
}
