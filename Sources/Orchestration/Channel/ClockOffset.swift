internal import Primitives

/// The difference between the platform's clock and the device's, and the doubt about it (PROTOCOL §6, X13).
///
/// The platform's time is taken from sealed answers alone. Whoever can delay an answer can bend the time it shows by as
/// much as the round trip: hence the limit on that, and the second opinion on a large change.
struct ClockOffset: Sendable, Hashable {
    /// A slower answer says too little about the time.
    static let longestRoundTrip: Int64 = 10_000

    /// A greater change needs two answers that agree.
    static let greatestStep: UInt64 = 60_000

    /// A smaller change is not stored: it is a small part of the step of a code of the time.
    static let leastChange: UInt64 = 500

    /// Two answers agree when their offsets differ by no more than what two round trips can explain.
    static let agreement: UInt64 = 10_000

    /// What codes are made with: the platform's time less the device's, in milliseconds.
    private(set) var milliseconds: Int64

    /// What one answer said and no second has confirmed. Requests are dated with it, codes are not.
    private(set) var candidate: Int64?

    init(milliseconds: Int64 = 0, candidate: Int64? = nil) {
        self.milliseconds = milliseconds
        self.candidate = candidate
    }

    /// Takes the time of a sealed answer into account.
    ///
    /// - Parameters:
    ///   - platform: the time in the answer.
    ///   - received: when the answer came, by the device's clock.
    ///   - roundTrip: how many milliseconds before that the request had left, by a clock that nobody sets. With repeats,
    ///     the first of them: the platform may have answered any.
    mutating func observe(platform: Timestamp, received: Timestamp, roundTrip: Int64) {
        guard (0..<Self.longestRoundTrip).contains(roundTrip) else { return }
        let observed = platform.advanced(milliseconds: roundTrip / 2).milliseconds(since: received)
        if Self.distance(observed, milliseconds) <= Self.greatestStep {
            self = ClockOffset(milliseconds: observed)
        } else if let candidate, Self.distance(observed, candidate) <= Self.agreement {
            self = ClockOffset(milliseconds: observed)
        } else {
            candidate = observed
        }
    }

    /// The platform's time for codes.
    func platformTime(at device: Timestamp) -> Timestamp {
        device.advanced(milliseconds: milliseconds)
    }

    /// The platform's time for the expiry of a request: the latest that the platform has said, confirmed or not,
    /// since a wrong one costs a refusal and nothing else.
    func requestTime(at device: Timestamp) -> Timestamp {
        device.advanced(milliseconds: candidate ?? milliseconds)
    }

    /// What the store shall hold, where this is what it holds. Two answers never agree to the millisecond; a difference
    /// that no code can show is not worth a write.
    func stored(over stored: Int64) -> Int64 {
        Self.distance(milliseconds, stored) < Self.leastChange ? stored : milliseconds
    }

    private static func distance(_ a: Int64, _ b: Int64) -> UInt64 {
        let (difference, overflow) = a.subtractingReportingOverflow(b)
        return overflow ? .max : difference.magnitude
    }
}
