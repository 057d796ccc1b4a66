/// A record that counts its updates, so that a store can replace it by compare-and-set.
public protocol VersionedRecord: Sendable {
    /// The number of updates, 0 in a new row. A store compares it and counts it up; other code leaves it alone.
    var version: Int64 { get set }
}
