/// A moment: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted (Unix time).
public struct Timestamp: Sendable, Hashable, Comparable, Codable {
    /// Milliseconds since the Unix epoch. Negative before 1970.
    public var millisecondsSinceEpoch: Int64

    /// Makes a moment from milliseconds.
    public init(millisecondsSinceEpoch: Int64) {
        self.millisecondsSinceEpoch = millisecondsSinceEpoch
    }

    /// Makes a moment from whole seconds, clamped to what can be represented.
    public init(secondsSinceEpoch: Int64) {
        let (product, overflow) = secondsSinceEpoch.multipliedReportingOverflow(by: 1000)
        self.millisecondsSinceEpoch = overflow ? (secondsSinceEpoch > 0 ? .max : .min) : product
    }

    /// Whole seconds since the Unix epoch, rounded towards the past.
    public var secondsSinceEpoch: Int64 {
        millisecondsSinceEpoch.quotientAndRemainder(dividingBy: 1000).quotient
            - (millisecondsSinceEpoch % 1000 < 0 ? 1 : 0)
    }

    /// A moment some milliseconds later (earlier when negative), clamped to what can be represented.
    public func advanced(milliseconds: Int64) -> Timestamp {
        let (sum, overflow) = millisecondsSinceEpoch.addingReportingOverflow(milliseconds)
        if overflow { return Timestamp(millisecondsSinceEpoch: milliseconds > 0 ? .max : .min) }
        return Timestamp(millisecondsSinceEpoch: sum)
    }

    /// A moment some seconds later (earlier when negative), clamped to what can be represented.
    public func advanced(seconds: Int64) -> Timestamp {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return advanced(milliseconds: overflow ? (seconds > 0 ? .max : .min) : product)
    }

    /// Milliseconds from another moment to this one, clamped to what can be represented.
    public func milliseconds(since earlier: Timestamp) -> Int64 {
        let (difference, overflow) = millisecondsSinceEpoch.subtractingReportingOverflow(earlier.millisecondsSinceEpoch)
        return overflow ? (self > earlier ? .max : .min) : difference
    }

    /// Which of two moments is earlier.
    public static func < (a: Timestamp, b: Timestamp) -> Bool {
        a.millisecondsSinceEpoch < b.millisecondsSinceEpoch
    }
}
