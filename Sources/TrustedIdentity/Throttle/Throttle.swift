internal import Primitives

/// The rules for failures that come without the proof of a device: counter (b) of the protocol.
///
/// After five failures in a row nothing is checked for a minute; every further block lasts twice as long as the one
/// before, up to a day. Fifty failures since the last lift block until somebody lifts. In a block nothing is checked
/// and nothing counted, so that nobody can prolong it. A success ends the row but not the level, which falls by one a
/// day: who fails four times and then succeeds gains nothing for the next four.
enum Throttle {
    /// Failures in a row that start a block.
    static let row = 5
    /// The length of the first block.
    static let firstBlock: Int64 = 60_000
    /// No block is longer.
    static let longestBlock: Int64 = 24 * 3_600_000
    /// Failures since the last lift that block until the next.
    static let limit = 50
    /// After this time without a change the level falls by one.
    static let levelLife: Int64 = 24 * 3_600_000
    /// Levels beyond the longest block say nothing more.
    static let highestLevel = 12

    /// Whether nothing is to be checked.
    static func isBlocked(_ record: ThrottleRecord?, now: Timestamp) -> Bool {
        guard let record else { return false }
        return isBlockedUntilLifted(record) || record.blockedUntil.map { now < $0 } ?? false
    }

    /// Whether only a lift helps.
    static func isBlockedUntilLifted(_ record: ThrottleRecord) -> Bool { record.total >= limit }

    /// Counts one failure, outside of a block.
    static func failing(_ record: ThrottleRecord, now: Timestamp) -> ThrottleRecord {
        var record = settled(record, now: now)
        record.usedAt = now
        record.consecutive += 1
        record.total += 1
        record.untold += 1
        guard record.consecutive >= row else { return record }
        let length = min(longestBlock, firstBlock << Int64(min(record.level, highestLevel)))
        record.blockedUntil = now.advanced(milliseconds: length)
        record.level = min(record.level + 1, highestLevel)
        record.levelSince = now
        record.consecutive = 0
        return record
    }

    /// Ends the row.
    static func succeeding(_ record: ThrottleRecord, now: Timestamp) -> ThrottleRecord {
        var record = settled(record, now: now)
        record.usedAt = now
        record.consecutive = 0
        return record
    }

    /// Forgets everything but what the user was not told yet.
    static func lifted(_ record: ThrottleRecord, now: Timestamp) -> ThrottleRecord {
        var lifted = ThrottleRecord(key: record.key, now: now)
        lifted.untold = record.untold
        lifted.version = record.version
        return lifted
    }

    /// Lets the level fall for the days that went by.
    private static func settled(_ record: ThrottleRecord, now: Timestamp) -> ThrottleRecord {
        let days = max(0, now.milliseconds(since: record.levelSince) / levelLife)
        guard days > 0 else { return record }
        var record = record
        record.level = Int(max(0, Int64(record.level) - days))
        // What is left of the last day counts towards the next.
        record.levelSince = record.levelSince.advanced(milliseconds: days * levelLife)
        return record
    }
}
