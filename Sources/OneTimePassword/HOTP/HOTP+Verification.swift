extension HOTP {
    /// The largest look-ahead. A wider window is narrowed to it: each place of a window is one more code to guess.
    public static let maximumLookAhead = 1000

    /// Looks for a code in a window of counter values (RFC 4226 section 7.2).
    ///
    /// The time depends on the size of the window only: every code of it is computed and compared, wherever the match
    /// is and whether there is one.
    ///
    /// - Parameters:
    ///   - candidate: what the user typed, exactly ``digits`` ASCII digits. Anything else never matches.
    ///   - counter: the lowest value that is not used yet.
    ///   - lookAhead: how many values after it are tried too, 0 to ``maximumLookAhead``.
    /// - Returns: the counter value of the code, or `nil`. Store the value after it.
    @inlinable
    public borrowing func verify(
        _ candidate: some StringProtocol, from counter: UInt64, lookAhead: Int = 10
    ) -> UInt64? {
        verify(Candidate(candidate, digits: digits), from: counter, lookAhead: lookAhead)
    }

    @usableFromInline
    borrowing func verify(_ candidate: Candidate, from counter: UInt64, lookAhead: Int) -> UInt64? {
        var search = WindowSearch()
        forEachCode(from: counter, count: Self.clamped(lookAhead) + 1) { place, code in
            search.visit(place, match: candidate.mask(code), isEligible: place >= counter)
        }
        return search.match
    }

    /// Finds the counter of a device that has run ahead, from two successive codes (RFC 4226 section 7.4).
    ///
    /// Two codes allow a window much wider than one does. The time depends on the size of the window only.
    ///
    /// - Parameters:
    ///   - first: a code.
    ///   - second: the code after it.
    ///   - counter: the lowest value that is not used yet.
    ///   - lookAhead: how many values after it the first code may be, 0 to ``maximumLookAhead``.
    /// - Returns: the counter value of the second code, or `nil`. Store the value after it.
    public borrowing func resynchronize(
        _ first: some StringProtocol, _ second: some StringProtocol, from counter: UInt64, lookAhead: Int = 100
    ) -> UInt64? {
        let first = Candidate(first, digits: digits)
        let second = Candidate(second, digits: digits)
        var search = WindowSearch()
        var previous: UInt64 = 0
        forEachCode(from: counter, count: Self.clamped(lookAhead) + 2) { place, code in
            search.visit(place, match: previous & second.mask(code), isEligible: place >= counter)
            previous = first.mask(code)
        }
        return search.match
    }

    private static func clamped(_ lookAhead: Int) -> Int {
        min(max(lookAhead, 0), maximumLookAhead)
    }
}
