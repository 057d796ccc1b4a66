extension HOTP {
    /// The maximum look-ahead. A larger value is reduced to it, because a code is easier to guess in a larger window.
    public static let maximumLookAhead = 1000

    /// Returns the counter of a code, which is searched in a window of counter values (RFC 4226 section 7.2).
    ///
    /// The running time depends only on the size of the window: every code in it is computed and compared, also after a
    /// match.
    ///
    /// - Parameters:
    ///   - candidate: The text that the user typed, exactly ``digits`` ASCII digits. Any other text never matches.
    ///   - counter: The lowest counter value that is not yet used.
    ///   - lookAhead: The number of counter values after it that are also tried, 0 to ``maximumLookAhead``.
    /// - Returns: The counter value of the code, or `nil` when no code matches. Store the value after it.
    @inlinable
    public borrowing func verify(
        _ candidate: some StringProtocol, from counter: UInt64, lookAhead: Int = 10
    ) -> UInt64? {
        verify(TypedCode(candidate, digits: digits), from: counter, lookAhead: lookAhead)
    }

    @usableFromInline
    borrowing func verify(_ candidate: TypedCode, from counter: UInt64, lookAhead: Int) -> UInt64? {
        var search = WindowSearch()
        forEachCode(from: counter, count: Self.clamped(lookAhead) + 1) { place, code in
            search.visit(place, match: candidate.mask(code), isEligible: place >= counter)
        }
        return search.match
    }

    /// Returns the counter of a device that has advanced too far, from two successive codes (RFC 4226 section 7.4).
    ///
    /// With two codes, a much larger window is safe than with one. The running time depends only on the size of the
    /// window.
    ///
    /// - Parameters:
    ///   - first: A code.
    ///   - second: The code after it.
    ///   - counter: The lowest counter value that is not yet used.
    ///   - lookAhead: The maximum distance from it to the first code, 0 to ``maximumLookAhead``.
    /// - Returns: The counter value of the second code, or `nil` when the codes do not match. Store the value after it.
    public borrowing func resynchronize(
        _ first: some StringProtocol, _ second: some StringProtocol, from counter: UInt64, lookAhead: Int = 100
    ) -> UInt64? {
        let first = TypedCode(first, digits: digits)
        let second = TypedCode(second, digits: digits)
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
