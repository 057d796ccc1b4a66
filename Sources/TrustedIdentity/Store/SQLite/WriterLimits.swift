/// The limits of the requests that wait to be written. Writes that belong to no request have none.
public struct WriterLimits: Sendable, Hashable {
    /// The maximum number of writes that wait for a transaction. A further one fails at once with `overloaded`.
    public var waiting: Int

    /// The longest time that a write waits for its transaction; `nil` for any time. One that has waited longer fails
    /// with `overloaded` and does not run.
    public var deadline: Duration?

    /// Creates limits.
    public init(waiting: Int = 4_096, deadline: Duration? = nil) {
        self.waiting = waiting
        self.deadline = deadline
    }
}
