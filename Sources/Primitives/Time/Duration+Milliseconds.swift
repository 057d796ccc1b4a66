extension Duration {
    /// The milliseconds, rounded up; the nearest value for a duration beyond 64 bits.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (milliseconds, isOverflow) = seconds.multipliedReportingOverflow(by: 1_000)
        guard !isOverflow else { return seconds < 0 ? .min : .max }
        let part = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        let (sum, isSumOverflow) = milliseconds.addingReportingOverflow(part)
        return isSumOverflow ? .max : sum
    }
}
