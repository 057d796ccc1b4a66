internal import OrchestrationProtocol
internal import Primitives

/// The position of a device in its key ratchet, and the meaning of a message at an index.
///
/// The platform confirms an index when it is first used validly. It offers the next index five minutes later at the
/// earliest, and accepts the index before for five minutes, for codes that are on their way. It never goes back: an
/// offer that is made twice is the same offer, so that no lost, delayed or repeated message leaves an honest device
/// behind.
struct RatchetState: Equatable {
    /// The time after a promotion, in milliseconds, in which the platform makes no offer and accepts the index before.
    static let overlap: Int64 = 5 * 60_000
    /// The number of indexes by which one request moves the ratchet of a restored platform at most, with the decisions
    /// that are made again (``DerivedRatchet``). Each is one HKDF, so that no request costs more than 1,000, with those
    /// of its seal and its proof.
    static let longestStep: UInt64 = 900

    var confirmed: UInt64
    /// The confirmed index, or the next one after it was offered.
    var offered: UInt64
    var promotedAt: Timestamp
    var isRestored: Bool

    /// The meaning of an index.
    enum Position: Equatable {
        /// The confirmed index.
        case current
        /// The index before, within its time.
        case previous
        /// The offered index. Its first valid use promotes it.
        case next
        /// An index ahead of a restored platform, which rolls forward to it.
        case ahead
        /// An index so far ahead of a restored platform that it rolls forward in steps, one for each request.
        case farAhead
        /// An index left behind. It is refused and not counted: the client may have read an old copy of its store.
        case outdated
        /// An index that was never offered.
        case unknown
    }

    init(_ device: DeviceRecord) {
        confirmed = device.ratchetIndex
        offered = device.offeredIndex
        promotedAt = device.promotedAt
        isRestored = device.isRestored
    }

    /// Returns the meaning of an index.
    func position(of index: UInt64, now: Timestamp) -> Position {
        if index == confirmed { return .current }
        if index > confirmed {
            if index <= offered { return .next }
            // The backup may be older than some offers. The index is signed by the device.
            guard isRestored, index - confirmed <= KeyRatchet.longestAdvance else { return .unknown }
            return index - confirmed <= Self.longestStep ? .ahead : .farAhead
        }
        return index + 1 == confirmed && isYoung(now) ? .previous : .outdated
    }

    /// Returns the indexes at which a typed code may be, the confirmed one first; at most two.
    ///
    /// The next index is offered when the time of the index before is over, and the offer ends with the promotion that
    /// starts that time again. Both are therefore never accepted at once, except for a clock that is set back: then the
    /// index before stays left behind.
    func candidates(now: Timestamp) -> [UInt64] {
        if offered > confirmed { return [confirmed, offered] }
        return confirmed > 0 && isYoung(now) ? [confirmed, confirmed - 1] : [confirmed]
    }

    /// Returns the state after a valid use of an accepted index.
    func used(at index: UInt64, now: Timestamp) -> RatchetState {
        guard index > confirmed else { return self }
        var state = self
        state.confirmed = index
        state.offered = max(offered, index)
        state.promotedAt = now
        return state
    }

    /// Returns the index to which a request at an index moves the ratchet.
    func target(of index: UInt64, now: Timestamp) -> UInt64 {
        switch position(of: index, now: now) {
        case .next, .ahead: index
        case .farAhead: confirmed + Self.longestStep
        case .current, .previous, .outdated, .unknown: confirmed
        }
    }

    /// Returns the state after one step toward an index that is far ahead.
    func stepping(now: Timestamp) -> RatchetState { used(at: confirmed + Self.longestStep, now: now) }

    /// Returns the state after an answer, and the index that the answer moves the device to.
    func answering(_ position: Position, at index: UInt64, now: Timestamp) -> (state: RatchetState, moveTo: UInt64) {
        // A device at the index before is about to move, or a later message of it overtook this one. It stays there.
        guard position != .previous else { return (self, index) }
        var state = used(at: index, now: now)
        if state.offered == state.confirmed, !state.isYoung(now), state.confirmed < UInt64(Int64.max) {
            state.offered = state.confirmed + 1
        }
        return (state, state.offered)
    }

    private func isYoung(_ now: Timestamp) -> Bool { now.milliseconds(since: promotedAt) <= Self.overlap }
}
