internal import Primitives

// Wrong passwords with a valid device signature. The right password ends the count of those in a row. All of them are
// counted as well: otherwise a thief with a copy of the store could guess between the user's successes.
extension DeviceRecord {
    /// The time after which one of the counted wrong passwords is dropped, in milliseconds: three days.
    static let failureLifetime: Int64 = 3 * 86_400_000

    /// The number of wrong passwords that are not dropped.
    func countedFailures(at now: Timestamp) -> Int {
        guard let end = failuresEndAt, now < end else { return 0 }
        return Int((end.milliseconds(since: now) - 1) / Self.failureLifetime) + 1
    }

    /// Counts a wrong password.
    mutating func countFailure(at now: Timestamp) {
        passwordFailures += 1
        failuresEndAt = max(failuresEndAt ?? now, now).advanced(milliseconds: Self.failureLifetime)
    }

    /// Ends both counts, as a password change and lifting the blocks do.
    mutating func clearFailures() {
        passwordFailures = 0
        failuresEndAt = nil
    }
}
