package import Primitives

/// The latest data that a device reported about itself, sealed. One row replaces the other.
package struct DeviceDataRecord: Sendable, Hashable {
    /// The device, 16 bytes; the key.
    package var device: [UInt8]
    /// The data, their time and the latest event, sealed.
    package var content: SealedValue
    /// The time until which the row is kept.
    package var keptUntil: Timestamp
}
