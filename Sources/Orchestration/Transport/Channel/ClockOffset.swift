internal import Primitives

/// The platform's time in a sealed answer, and the round trip of the answer.
struct ClockSample: Sendable, Hashable {
    /// The time in the answer.
    let platform: Timestamp

    /// The time of arrival, by the device's clock.
    let received: Timestamp

    /// The milliseconds between the first sending and the answer, by a clock that is never set.
    let roundTrip: Int64
}

/// The difference between the platform's clock and the device's, with the candidate for a new one.
///
/// The platform's time is taken only from sealed answers. An attacker who delays an answer shifts the time that it
/// shows by up to the round trip. For this reason, the round trip is limited, and a large change needs a second answer.
struct ClockOffset: Sendable, Hashable {
    /// The time in a slower answer is too inaccurate.
    static let longestRoundTrip: Int64 = 10_000

    /// A greater change needs two answers that agree.
    static let greatestStep: UInt64 = 60_000

    /// A smaller change is not stored: it is a small part of a time step of a code.
    static let leastChange: UInt64 = 500

    /// Two answers agree when their offsets differ by no more than two round trips can explain.
    static let agreement: UInt64 = 10_000

    /// The confirmed offset for codes: the platform's time minus the device's, in milliseconds.
    private(set) var milliseconds: Int64 = 0

    /// The offset of one answer that no second answer has confirmed. It dates requests and never codes.
    private(set) var candidate: Int64?

    /// Updates the offset with the time of a sealed answer.
    ///
    /// - Returns: Whether the offset is confirmed by the answer.
    @discardableResult mutating func observe(_ sample: ClockSample) -> Bool {
        guard (0..<Self.longestRoundTrip).contains(sample.roundTrip) else { return false }
        let observed = sample.platform.advanced(milliseconds: sample.roundTrip / 2)
            .milliseconds(since: sample.received)
        if Self.distance(observed, milliseconds) <= Self.greatestStep {
            self = ClockOffset(milliseconds: observed)
        } else if let candidate, Self.distance(observed, candidate) <= Self.agreement {
            self = ClockOffset(milliseconds: observed)
        } else {
            candidate = observed
        }
        return candidate == nil
    }

    /// Returns the platform's time for codes.
    func platformTime(at device: Timestamp) -> Timestamp {
        device.advanced(milliseconds: milliseconds)
    }

    /// Returns the platform's time for the date of a request: the platform's latest time, confirmed or not, because a
    /// wrong date only causes a refusal.
    func requestTime(at device: Timestamp) -> Timestamp {
        device.advanced(milliseconds: candidate ?? milliseconds)
    }

    /// Returns the offset to store instead of the stored one. Two answers never agree to the millisecond, and a
    /// difference that no code can show does not justify a write.
    func stored(over stored: Int64) -> Int64 {
        Self.distance(milliseconds, stored) < Self.leastChange ? stored : milliseconds
    }

    /// Whether the offset is to be stored instead of the stored one.
    func changes(_ stored: Int64) -> Bool { self.stored(over: stored) != stored }

    private static func distance(_ a: Int64, _ b: Int64) -> UInt64 {
        let (difference, overflow) = a.subtractingReportingOverflow(b)
        return overflow ? .max : difference.magnitude
    }
}
