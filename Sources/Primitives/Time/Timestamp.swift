/// A point in time in milliseconds of Unix time: since 1970-01-01T00:00:00Z, without leap seconds.
///
/// The messages of the protocol and the stored records contain this number. `Date`, which is a floating-point number of
/// seconds, does not represent every millisecond exactly.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Milliseconds since the Unix epoch. Negative before 1970.
    public var millisecondsSinceEpoch: Int64

    /// Creates a point in time from milliseconds since the Unix epoch.
    public init(millisecondsSinceEpoch: Int64) {
        self.millisecondsSinceEpoch = millisecondsSinceEpoch
    }

    /// Creates a point in time from seconds since the Unix epoch, clamped to the range of ``millisecondsSinceEpoch``.
    public init(secondsSinceEpoch: Int64) {
        let (product, overflow) = secondsSinceEpoch.multipliedReportingOverflow(by: 1000)
        self.millisecondsSinceEpoch = overflow ? (secondsSinceEpoch > 0 ? .max : .min) : product
    }

    /// Whole seconds since the Unix epoch, rounded down.
    public var secondsSinceEpoch: Int64 {
        millisecondsSinceEpoch.quotientAndRemainder(dividingBy: 1000).quotient
            - (millisecondsSinceEpoch % 1000 < 0 ? 1 : 0)
    }

    /// Returns the point in time some milliseconds later, or earlier for a negative number, clamped to the range of the
    /// type.
    public func advanced(milliseconds: Int64) -> Timestamp {
        let (sum, overflow) = millisecondsSinceEpoch.addingReportingOverflow(milliseconds)
        if overflow { return Timestamp(millisecondsSinceEpoch: milliseconds > 0 ? .max : .min) }
        return Timestamp(millisecondsSinceEpoch: sum)
    }

    /// Returns the time some seconds later, or earlier for a negative number, clamped to the range of the type.
    public func advanced(seconds: Int64) -> Timestamp {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return advanced(milliseconds: overflow ? (seconds > 0 ? .max : .min) : product)
    }

    /// Returns the milliseconds from another point in time to this one, clamped to the range of `Int64`.
    public func milliseconds(since earlier: Timestamp) -> Int64 {
        let (difference, overflow) = millisecondsSinceEpoch.subtractingReportingOverflow(earlier.millisecondsSinceEpoch)
        return overflow ? (self > earlier ? .max : .min) : difference
    }

    /// Returns whether the first point in time is earlier.
    public static func < (a: Timestamp, b: Timestamp) -> Bool {
        a.millisecondsSinceEpoch < b.millisecondsSinceEpoch
    }
}
