/// An event that waits for its delivery.
package struct EventRecord: Sendable, Hashable {
    /// The position in the order of the events, from 1; 0 before the store assigned one. No number is used twice.
    package var sequence: Int64 = 0
    /// The event.
    package var event: PlatformEvent
}
