internal import Primitives

/// The rules for failed credentials that no device has proven.
///
/// Five failures in a row start a block of a minute. Each further block lasts twice as long as the previous one, up to
/// a day. Fifty failures since blocks were last lifted start a block that lasts until an administrator lifts it. During
/// a block, nothing is checked and nothing is counted, so that an attacker cannot prolong it. A success ends the series
/// but does not reset the level, which falls by one a day. Otherwise four failures and a success would give four more
/// tries.
///
/// A hundred failures in a row of one kind of credential, over all sources of an account, start a block of all sources
/// until an administrator lifts it (NIST SP 800-63B, section 5.2.2).
enum Throttle {
    /// The number of failures in a row that starts a block.
    static let row = 5
    /// The length of the first block, in milliseconds.
    static let firstBlock: Int64 = 60_000
    /// The length of the longest block, in milliseconds.
    static let longestBlock: Int64 = 24 * 3_600_000
    /// The number of failures since the last lift that starts a block until the next lift.
    static let limit = 50
    /// The number of failures in a row, over all sources, that starts a block of all sources until the next lift.
    static let overallLimit = 100
    /// The time after which the level falls by one, in milliseconds.
    static let levelLife: Int64 = 24 * 3_600_000
    /// The maximum level. Higher levels would not make a block longer.
    static let highestLevel = 12

    /// Returns whether credentials are blocked.
    static func isBlocked(_ record: ThrottleRecord?, now: Timestamp) -> Bool {
        guard let record else { return false }
        return isBlockedUntilLifted(record) || record.blockedUntil.map { now < $0 } ?? false
    }

    /// Returns whether only a lift ends the block.
    static func isBlockedUntilLifted(_ record: ThrottleRecord) -> Bool { record.total >= limit }

    /// Returns the count after one more failure, outside of a block.
    static func failing(_ record: ThrottleRecord, now: Timestamp) -> ThrottleRecord {
        var record = settled(record, now: now)
        record.usedAt = now
        record.consecutive &+= 1
        record.total &+= 1
        record.unreported &+= 1
        guard record.consecutive >= row else { return record }
        let length = min(longestBlock, firstBlock << Int64(min(record.level, highestLevel)))
        record.blockedUntil = now.advanced(milliseconds: length)
        record.level = min(record.level + 1, highestLevel)
        record.levelSince = now
        record.consecutive = 0
        return record
    }

    /// Returns the count over all sources after one more failure.
    static func failingOverall(_ record: ThrottleRecord, now: Timestamp) -> ThrottleRecord {
        var record = record
        record.usedAt = now
        record.consecutive = min(record.consecutive + 1, overallLimit)
        return record
    }

    /// Returns the count after a success.
    static func succeeding(_ record: ThrottleRecord, now: Timestamp) -> ThrottleRecord {
        var record = settled(record, now: now)
        record.usedAt = now
        record.consecutive = 0
        return record
    }

    /// Returns the count after a lift. It keeps the failures that no answer has reported to the user yet.
    static func lifted(_ record: ThrottleRecord, now: Timestamp) -> ThrottleRecord {
        var lifted = ThrottleRecord(key: record.key, now: now)
        lifted.unreported = record.unreported
        lifted.version = record.version
        return lifted
    }

    /// Returns the count with the level lowered for the days that passed.
    private static func settled(_ record: ThrottleRecord, now: Timestamp) -> ThrottleRecord {
        let days = max(0, now.milliseconds(since: record.levelSince) / levelLife)
        guard days > 0 else { return record }
        var record = record
        record.level = Int(max(0, Int64(record.level) - days))
        // The rest of the last day counts toward the next.
        record.levelSince = record.levelSince.advanced(milliseconds: days * levelLife)
        return record
    }
}
