/// An event that waits for its delivery.
package struct EventRecord: VersionedRecord, Hashable {
    /// The position in the order of the events, from 1; 0 before the store assigned one. No number is used twice.
    package var sequence: Int64
    /// The event.
    package var event: PlatformEvent
    /// The number of updates.
    package var version: Int64

    /// Creates a row.
    package init(
        sequence: Int64 = 0, event: PlatformEvent, version: Int64 = 0
    ) {
        self.sequence = sequence
        self.event = event
        self.version = version
    }
}
