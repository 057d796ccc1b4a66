internal import Primitives

/// Token buckets by key, in bounded memory.
///
/// A rate limiter limits the work for a key. It does not decide whether a caller may try a code; see ``Throttle`` for
/// that.
struct RateLimiter {
    /// The maximum number of keys with a separate bucket.
    ///
    /// A further key replaces the oldest one, which gets a full bucket if it returns. That does not weaken the limit on
    /// work, and memory stays bounded for any number of addresses.
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

    /// Creates a limiter.
    ///
    /// - Parameter perMinute: The number of requests a minute, which is also the size of a burst.
    init(perMinute: Int) { capacity = Int64(perMinute) * 1_000 }

    /// Takes one request from the bucket of a key.
    ///
    /// - Returns: `nil` when the bucket contained one; otherwise the time until it contains one, in milliseconds.
    mutating func charge(_ key: [UInt8], now: Timestamp) -> Int64? {
        var bucket = buckets[key] ?? Bucket(level: capacity, since: now)
        // The bucket gains `capacity` thousandths over a minute. It gains nothing when the clock was set back.
        let elapsed = min(60_000, max(0, now.milliseconds(since: bucket.since)))
        bucket.level = min(capacity, bucket.level + capacity * elapsed / 60_000)
        bucket.since = now
        let lacking = max(0, 1_000 - bucket.level)
        if lacking == 0 { bucket.level -= 1_000 }
        remember(bucket, for: key)
        return lacking == 0 ? nil : (lacking * 60_000 + capacity - 1) / capacity
    }

    /// Returns one request to the bucket of a key, up to its capacity.
    mutating func refund(_ key: [UInt8]) {
        guard var bucket = buckets[key] else { return }
        bucket.level = min(capacity, bucket.level + 1_000)
        buckets[key] = bucket
    }

    private mutating func remember(_ bucket: Bucket, for key: [UInt8]) {
        if buckets.updateValue(bucket, forKey: key) != nil { return }
        if order.count < Self.maximumKeys { return order.append(key) }
        // `order` is a ring. The new key replaces the oldest one.
        buckets[order[oldest]] = nil
        order[oldest] = key
        oldest = (oldest + 1) % Self.maximumKeys
    }
}
