/// The report of a store about its writes, its files and its disk.
public struct StoreHealth: Sendable, Hashable {
    /// The number of writes that wait for the next transaction.
    public var waitingWrites: Int

    /// The number of waiting writes at which the store refuses writes of further requests; `nil` for a store without a
    /// limit.
    public var waitingLimit: Int?

    /// The bytes that can still be written to the disk of the store; `nil` for a store without one.
    public var freeBytes: Int64?

    /// The bytes of the database; `nil` for a store without one.
    public var databaseBytes: Int64?

    /// The bytes of the write-ahead log; `nil` for a store without one.
    public var logBytes: Int64?

    /// The time by which the clock of the database is ahead of the clock of this process, less than zero when it is
    /// behind; `nil` for a store without a clock.
    public var clockDifference: Duration?

    /// The reason why the store cannot be written currently, and the recovery, for an administrator; `nil` when it can
    /// be written.
    public var problem: String?

    /// Creates a report.
    public init(
        waitingWrites: Int = 0, waitingLimit: Int? = nil, freeBytes: Int64? = nil, databaseBytes: Int64? = nil,
        logBytes: Int64? = nil, clockDifference: Duration? = nil, problem: String? = nil
    ) {
        self.waitingWrites = waitingWrites
        self.waitingLimit = waitingLimit
        self.freeBytes = freeBytes
        self.databaseBytes = databaseBytes
        self.logBytes = logBytes
        self.clockDifference = clockDifference
        self.problem = problem
    }
}
