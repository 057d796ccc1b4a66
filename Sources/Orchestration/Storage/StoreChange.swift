/// What becomes of a stored value.
public enum StoreChange: Sendable, Hashable {
    /// It stays as it is; nothing is written.
    case keep
    /// It is replaced, or made when there was none. At most 256 KiB.
    case replace([UInt8])
    /// It goes away. Deleting what is not there is no error.
    case delete
}
