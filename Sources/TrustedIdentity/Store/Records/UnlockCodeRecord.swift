package import Primitives

/// An unlock code of a device. The row stays for a day, because the codes of an account are counted.
package struct UnlockCodeRecord: VersionedRecord, Hashable {
    /// A random id, 16 bytes; the key.
    package var id: [UInt8]
    /// The account of the device.
    package var account: String
    /// The id of the device that the code unlocks, 16 bytes.
    package var device: [UInt8]
    /// The first three characters of the code as a number below 2^15. It is not secret.
    package var handle: UInt16
    /// The keyed hash of the eight secret characters, 32 bytes; nil once the code ended.
    package var secretHash: [UInt8]?
    /// The time when the code was made.
    package var createdAt: Timestamp
    /// The time from which the code is refused.
    package var expiresAt: Timestamp
    /// The number of wrong codes that named the handle.
    package var tries: Int = 0
    /// The generation that was offered for the code; nil until it is used. Below 2^63.
    package var generation: UInt64?
    /// The number of updates.
    package var version: Int64 = 0
}
