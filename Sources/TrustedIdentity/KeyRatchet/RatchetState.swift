internal import Primitives

/// Where the key ratchet of a device stands, and what a message at some index means.
///
/// The platform confirms an index when it is first used validly, offers the next one five minutes later at the
/// earliest, and accepts the one before for five minutes more, for codes under way. It never goes back: an offer made
/// twice is the same offer, so that nothing lost, delayed or repeated leaves an honest device behind.
struct RatchetState: Equatable {
    /// How long a promotion is young: no new offer, and the index before is still taken.
    static let overlap: Int64 = 5 * 60_000
    /// How far a device may be ahead of a platform that was restored from a backup.
    static let longestRoll: UInt64 = 100_000

    var confirmed: UInt64
    /// The confirmed index, or the next one once it was offered.
    var offered: UInt64
    var promotedAt: Timestamp
    var isRestored: Bool

    /// What a message at some index is.
    enum Position: Equatable {
        /// At the confirmed index.
        case current
        /// At the one before, within its time.
        case previous
        /// At the index offered: its first valid use promotes it.
        case next
        /// Ahead of a restored platform, which rolls forward to it.
        case ahead
        /// Left behind: refused and not counted. The client may have read an old copy of its store.
        case outdated
        /// Never offered.
        case unknown
    }

    init(_ device: DeviceRecord) {
        confirmed = device.ratchetIndex
        offered = device.offeredIndex
        promotedAt = device.promotedAt
        isRestored = device.isRestored
    }

    /// Places an index.
    func position(of index: UInt64, now: Timestamp) -> Position {
        if index == confirmed { return .current }
        if index > confirmed {
            // A restored platform may have forgotten its offers; the device's signature vouches for the index.
            if index <= offered { return .next }
            return isRestored && index - confirmed <= Self.longestRoll ? .ahead : .unknown
        }
        return index + 1 == confirmed && isYoung(now) ? .previous : .outdated
    }

    /// The indexes at which a typed code may be, the confirmed one first.
    func candidates(now: Timestamp) -> [UInt64] {
        var indexes = [confirmed]
        if offered > confirmed { indexes.append(offered) }
        if confirmed > 0, isYoung(now) { indexes.append(confirmed - 1) }
        return indexes
    }

    /// The state after a valid use at an index that was accepted.
    func used(at index: UInt64, now: Timestamp) -> RatchetState {
        guard index > confirmed else { return self }
        var state = self
        state.confirmed = index
        state.offered = max(offered, index)
        state.promotedAt = now
        return state
    }

    /// The state once an answer goes out, and the index that the answer tells the device to move to.
    func answering(_ position: Position, at index: UInt64, now: Timestamp) -> (state: RatchetState, moveTo: UInt64) {
        // Whoever speaks at the index before is about to move, or has moved and was overtaken: it stays where it is.
        guard position != .previous else { return (self, index) }
        var state = used(at: index, now: now)
        if state.offered == state.confirmed, !state.isYoung(now), state.confirmed < UInt64(Int64.max) {
            state.offered = state.confirmed + 1
        }
        return (state, state.offered)
    }

    private func isYoung(_ now: Timestamp) -> Bool { now.milliseconds(since: promotedAt) <= Self.overlap }
}
