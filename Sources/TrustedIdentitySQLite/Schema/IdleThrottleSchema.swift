/// The twenty-seventh step: counts of failures that limit nothing are found by the time of their last use.
enum IdleThrottleSchema {
    /// The condition of such a count. A query uses the index by the same condition.
    static let isIdle =
        "consecutive = 0 AND total = 0 AND level = 0 AND unreported = 0 AND blocked_until IS NULL"

    static let statements = ["CREATE INDEX throttle_by_used_at ON throttle (used_at) WHERE \(isIdle)"]
}
