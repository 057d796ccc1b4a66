internal import Crypto
internal import OrchestrationProtocol
internal import Primitives

/// The comparison of a request with the key ratchet of its device, before anything else of it is decided.
struct RatchetCheck: Sendable {
    /// The meaning of the index, the tag and the input of a request.
    enum Outcome: Sendable, Equatable {
        /// The request shows the history of the ratchet that the platform has.
        case accepted
        /// The platform was restored and lacks the state. The request brings it.
        case brought
        /// The platform was restored and lacks the state. The request has to be made again with it.
        case behind
        /// An index left behind.
        case outdated
        /// An index that was never offered.
        case unknown
        /// Another history of the ratchet: one of two stores is a copy.
        case forked
    }

    let outcome: Outcome
    /// D at the index of the request; `nil` unless it is accepted or brought.
    let key: SymmetricKey?
    /// The state after a request that is served, and after the first right proof of a request that brings its state.
    let state: RatchetState
    /// The keys of ``state``.
    let keys: DeviceRatchet
    /// b, for the answer to a request that is served; `nil` when the device stays at its index.
    let platformInput: SymmetricKey?

    /// Compares a request.
    ///
    /// - Parameters:
    ///   - part: The part of the request next to its signature.
    ///   - index: The index that the request names.
    ///   - signed: The encoded `COSE_Sign1` of the request.
    ///   - record: The row of the device.
    ///   - keys: The keys of the row.
    ///   - fresh: The platform's input, if it offers the next index.
    init(
        _ part: RatchetPart, at index: UInt64, of signed: [UInt8], device: DeviceAddress, record: DeviceRecord,
        keys: DeviceRatchet, fresh: SymmetricKey, now: Timestamp
    ) throws {
        let state = RatchetState(record)
        func matches(_ key: SymmetricKey) -> Bool { part.matches(key, message: signed, device: device) }
        func matches(_ input: SymmetricKey?) -> Bool {
            guard let asked = part.input, let input else { return true }
            return asked == MessageSecret(input.secretBytes)
        }
        let position = state.position(of: index, now: now)
        switch position {
        case .current, .previous, .next:
            let key = try keys.key(at: index, confirmed: state.confirmed)
            let known =
                position == .previous ? keys.confirmedInput : position == .current ? keys.offer?.deviceInput : nil
            if matches(key) {
                guard matches(known) else {
                    self.init(.forked, state, keys)
                    return
                }
                try self.init(served: position, at: index, key, part.input, state, keys, fresh: fresh, now: now)
            } else if position == .next {
                // Copies have the offered state or none. Any other state is from before a restore.
                self.init(notKnown: part, at: index, state, keys, record, matches, now: now)
            } else {
                self.init(.forked, state, keys)
            }
        case .outdated:
            self.init(.outdated, state, keys)
        case .unknown:
            self.init(notKnown: part, at: index, state, keys, record, matches, now: now)
        }
    }

    init(
        _ outcome: Outcome, key: SymmetricKey? = nil, _ state: RatchetState, _ keys: DeviceRatchet,
        platformInput: SymmetricKey? = nil
    ) {
        self.outcome = outcome
        self.key = key
        self.state = state
        self.keys = keys
        self.platformInput = platformInput
    }

    private init(
        served position: RatchetState.Position, at index: UInt64, _ key: SymmetricKey, _ asked: MessageSecret?,
        _ before: RatchetState, _ keys: DeviceRatchet, fresh: SymmetricKey, now: Timestamp
    ) throws {
        var (state, keys) = (before, keys)
        if position == .next {
            keys = try keys.promoted(from: before.confirmed)
            state = before.used(at: index, now: now)
        }
        // A device at the previous index has moved, or is about to. It needs no input.
        guard position != .previous, let asked else {
            self.init(.accepted, key: key, state, keys)
            return
        }
        if let offering = state.offering(now: now) {
            state = offering
            keys = keys.offering(.init(deviceInput: asked.key, platformInput: fresh))
        }
        self.init(.accepted, key: key, state, keys, platformInput: keys.offer?.platformInput)
    }

    /// A state that the platform does not have. On a device that is restored, the request may bring it.
    private init(
        notKnown part: RatchetPart, at index: UInt64, _ before: RatchetState, _ keys: DeviceRatchet,
        _ record: DeviceRecord, _ matches: (SymmetricKey) -> Bool, now: Timestamp
    ) {
        guard record.isRestored, index <= UInt64(Int64.max) else {
            self.init(.unknown, before, keys)
            return
        }
        guard let brought = part.state?.key else {
            self.init(.behind, before, keys)
            return
        }
        guard matches(brought) else {
            self.init(.unknown, before, keys)
            return
        }
        self.init(
            .brought, key: brought, before.takingOver(index, now: now), DeviceRatchet(start: brought))
    }
}
