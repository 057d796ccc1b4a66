/// An event that waits for its delivery.
public struct EventRecord: VersionedRecord, Hashable {
    /// The position in the order of the events, from 1; 0 before the store assigned one. No number is used twice.
    public var sequence: Int64
    /// The event.
    public var event: PlatformEvent
    /// The number of updates.
    public var version: Int64
    /// The HMAC of the row, 32 bytes. Stores keep it, and the platform makes and verifies it.
    public var authenticationCode: [UInt8]?

    /// Creates a row.
    public init(
        sequence: Int64 = 0, event: PlatformEvent, version: Int64 = 0, authenticationCode: [UInt8]? = nil
    ) {
        self.sequence = sequence
        self.event = event
        self.version = version
        self.authenticationCode = authenticationCode
    }
}
