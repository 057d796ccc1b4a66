internal import Primitives

/// Token buckets by key, in bounded memory: a limit on work, never on who may try what (that is ``Throttle``).
struct RateLimiter {
    /// Keys remembered at once. Beyond that the one that waited longest is forgotten, which gives it a full bucket:
    /// harmless for a bucket that bounds work, and the memory stays bounded under any number of addresses.
    static let maximumKeys = 10_000

    private struct Bucket {
        /// Thousandths of a request.
        var level: Int64
        var since: Timestamp
    }

    private let capacity: Int64
    private var buckets: [[UInt8]: Bucket] = [:]
    private var order: [[UInt8]] = []
    private var oldest = 0

    /// - Parameter perMinute: how many requests a minute, and in a burst.
    init(perMinute: Int) { capacity = Int64(perMinute) * 1_000 }

    /// Takes one request from the bucket of a key.
    ///
    /// - Returns: nil when there was one; else in how many milliseconds there will be.
    mutating func take(_ key: [UInt8], now: Timestamp) -> Int64? {
        var bucket = buckets[key] ?? Bucket(level: capacity, since: now)
        // capacity thousandths flow in over a minute. A clock that was set back lets nothing flow.
        let elapsed = min(60_000, max(0, now.milliseconds(since: bucket.since)))
        bucket.level = min(capacity, bucket.level + capacity * elapsed / 60_000)
        bucket.since = now
        let lacking = max(0, 1_000 - bucket.level)
        if lacking == 0 { bucket.level -= 1_000 }
        remember(bucket, for: key)
        return lacking == 0 ? nil : (lacking * 60_000 + capacity - 1) / capacity
    }

    /// Gives back one request that ``take(_:now:)`` took and that turned out not to count.
    mutating func giveBack(_ key: [UInt8]) {
        guard var bucket = buckets[key] else { return }
        bucket.level = min(capacity, bucket.level + 1_000)
        buckets[key] = bucket
    }

    private mutating func remember(_ bucket: Bucket, for key: [UInt8]) {
        if buckets.updateValue(bucket, forKey: key) != nil { return }
        if order.count < Self.maximumKeys { return order.append(key) }
        // A ring: the key that came first makes room.
        buckets[order[oldest]] = nil
        order[oldest] = key
        oldest = (oldest + 1) % Self.maximumKeys
    }
}
