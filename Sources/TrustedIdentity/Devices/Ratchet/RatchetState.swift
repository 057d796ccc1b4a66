internal import OrchestrationProtocol
internal import Primitives

/// The position of a device in its key ratchet, and the meaning of an index.
///
/// The platform confirms an index when a request or a typed code first shows its state. Five minutes later at the
/// earliest it offers the next one to a device that asks, and for five minutes it accepts the previous index, for codes
/// that are under way. It never goes back.
struct RatchetState: Equatable {
    /// The time after a promotion, in milliseconds, in which the platform makes no offer and accepts the previous
    /// index.
    static let overlap = CodeWindow.overlap

    var confirmed: UInt64
    /// The confirmed index, or the next one after it was offered.
    var offered: UInt64
    var promotedAt: Timestamp

    /// The meaning of an index.
    enum Position: Equatable {
        /// The confirmed index.
        case current
        /// The previous index, within its time.
        case previous
        /// The offered index. Its first valid use promotes it.
        case next
        /// An index left behind. It is refused and not counted: the client may have read an old copy of its store.
        case outdated
        /// An index that was never offered.
        case unknown
    }

    init(_ device: DeviceRecord) {
        confirmed = device.ratchetIndex
        offered = device.offeredIndex
        promotedAt = device.promotedAt
    }

    /// Returns the meaning of an index.
    func position(of index: UInt64, now: Timestamp) -> Position {
        if index == confirmed { return .current }
        if index > confirmed { return index <= offered ? .next : .unknown }
        return index + 1 == confirmed && isYoung(now) ? .previous : .outdated
    }

    /// Returns the indexes at which a typed code may be, the confirmed one first; at most two.
    ///
    /// The next index is offered when the time of the previous index is over, and the offer ends with the promotion
    /// that starts that time again. Both are therefore never accepted at once, unless a clock is set back. The
    /// previous index is then not a candidate.
    func candidates(now: Timestamp) -> [UInt64] {
        if offered > confirmed { return [confirmed, offered] }
        return confirmed > 0 && isYoung(now) ? [confirmed, confirmed - 1] : [confirmed]
    }

    /// Returns the state after a valid use of an accepted index.
    func used(at index: UInt64, now: Timestamp) -> RatchetState {
        guard index > confirmed else { return self }
        var state = self
        state.confirmed = index
        state.offered = index
        state.promotedAt = now
        return state
    }

    /// Returns the state after an offer of the next index; `nil` while there is one, and within five minutes of a
    /// promotion.
    func offering(now: Timestamp) -> RatchetState? {
        guard offered == confirmed, !isYoung(now), confirmed < UInt64(Int64.max) else { return nil }
        var state = self
        state.offered = confirmed + 1
        return state
    }

    /// Returns the state of a restored platform that takes an index over. The previous index is not accepted, because
    /// its key is not known.
    func takingOver(_ index: UInt64, now: Timestamp) -> RatchetState {
        var state = used(at: index, now: now)
        state.promotedAt = now.advanced(milliseconds: -Self.overlap - 1)
        return state
    }

    private func isYoung(_ now: Timestamp) -> Bool { now.milliseconds(since: promotedAt) <= Self.overlap }
}
