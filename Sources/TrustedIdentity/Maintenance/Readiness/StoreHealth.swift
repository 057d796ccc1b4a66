/// The report of a store about its writes, its files and its disk.
public struct StoreHealth: Sendable, Hashable {
    /// The number of writes that wait for the next transaction.
    public var waitingWrites: Int

    /// The number of waiting writes at which the store refuses those of further requests; `nil` for a store without a
    /// limit.
    public var waitingLimit: Int?

    /// The bytes that can still be written to the disk of the store; `nil` for a store without one.
    public var freeBytes: Int64?

    /// The bytes of the database; `nil` for a store without one.
    public var databaseBytes: Int64?

    /// The bytes of the write-ahead log; `nil` for a store without one.
    public var logBytes: Int64?

    /// Creates a report.
    public init(
        waitingWrites: Int = 0, waitingLimit: Int? = nil, freeBytes: Int64? = nil, databaseBytes: Int64? = nil,
        logBytes: Int64? = nil
    ) {
        self.waitingWrites = waitingWrites
        self.waitingLimit = waitingLimit
        self.freeBytes = freeBytes
        self.databaseBytes = databaseBytes
        self.logBytes = logBytes
    }
}
