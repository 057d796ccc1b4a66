internal import CHashBlocks

extension OCRA {
    /// A code that was found in a window.
    public struct Match: Sendable, Hashable {
        /// The counter of the code, for a suite with a counter. Store the value after it.
        public let counter: UInt64?

        /// The time step of the code, for a suite with the time. Store it. For the same question, no code of this step
        /// or an earlier one may be accepted again.
        public let step: UInt64?
    }

    /// The maximum look-ahead of the counter. A larger value is reduced to it.
    public static let maximumLookAhead = 100

    /// The maximum tolerance in time steps, in each direction. A larger value is reduced to it.
    public static let maximumTolerance = 10

    /// Returns the counter and time step of a code, which is searched in a window.
    ///
    /// The running time depends only on the size of the window: every code in it is computed and compared, also after a
    /// match. A suite without counter and time has one code per question; the caller accepts only one answer to each
    /// question.
    ///
    /// - Parameters:
    ///   - candidate: The text that was typed: exactly as many ASCII digits as the suite has, or the whole HMAC in
    ///     hexadecimal. Any other text never matches.
    ///   - input: Exactly the values of the suite; the counter is the lowest that is not yet used.
    ///   - lookAhead: The number of counters after it that are also tried, 0 to ``maximumLookAhead``.
    ///   - tolerance: The number of time steps before and after the input's time step that are also tried, 0 to
    ///     ``maximumTolerance``.
    /// - Returns: The counter and time step of the code, or `nil` when no code matches.
    /// - Throws: The errors of ``code(for:)``.
    public borrowing func verify(
        _ candidate: some StringProtocol, for input: Input, lookAhead: Int = 0, tolerance: Int = 0
    ) throws(OneTimePasswordError) -> Match? {
        let typed = TypedCode(candidate, digits: suite.digits)
        let whole = TypedHexCode(candidate, byteCount: suite.algorithm.byteCount)
        let first = input.counter ?? 0
        let now = input.step(suite)
        let ahead = suite.hasCounter ? UInt64(min(max(lookAhead, 0), Self.maximumLookAhead)) : 0
        let around = suite.timeStep == nil ? 0 : min(max(tolerance, 0), Self.maximumTolerance)

        // A place is the number of a pair of counter and time step.
        var search = WindowSearch()
        try unsafe withMessage(input) { message in
            var place: UInt64 = 0
            for offset in -around...around {
                let (step, stepIsOutside) = Self.moved(now, by: offset)
                for counterOffset in 0...ahead {
                    let (counter, overflow) = first.addingReportingOverflow(counterOffset)
                    unsafe template.move(message, counter: counter, step: step)
                    let match =
                        suite.digits == 0
                        ? whole.mask(unsafe authenticationCode(message))
                        : typed.mask(hash_blocks_last_digits(unsafe number(message), Int32(suite.digits)))
                    search.visit(place, match: match, isEligible: !overflow && !stepIsOutside)
                    place += 1
                }
            }
        }
        return search.match.map { place in
            let (offset, counterOffset) = place.quotientAndRemainder(dividingBy: ahead + 1)
            return Match(
                counter: suite.hasCounter ? first + counterOffset : nil,
                step: suite.timeStep == nil ? nil : Self.moved(now, by: Int(offset) - around).0)
        }
    }

    /// Returns the counter of a code whose question also depends on the counter, searched in a window of counters.
    ///
    /// The running time depends only on the size of the window: every code in it is computed and compared, also after a
    /// match.
    ///
    /// - Parameters:
    ///   - candidate: The text that was typed, exactly as many ASCII digits as the suite has.
    ///   - counter: The lowest counter of the window.
    ///   - lookAhead: The number of counters after it that are also tried, 0 to ``maximumLookAhead``.
    ///   - question: Returns the hash that is the question of a counter, 32 bytes.
    /// - Returns: The counter of the code, or `nil` when no code matches.
    /// - Throws: The errors of ``code(for:)``.
    package borrowing func verify(
        _ candidate: some StringProtocol, from counter: UInt64, lookAhead: Int, question: (UInt64) -> [UInt8]
    ) throws(OneTimePasswordError) -> UInt64? {
        let typed = TypedCode(candidate, digits: suite.digits)
        var search = WindowSearch()
        for offset in 0...UInt64(min(max(lookAhead, 0), Self.maximumLookAhead)) {
            let (place, overflow) = counter.addingReportingOverflow(offset)
            let code = try code(for: Input(.hash(question(place)), counter: place))
            let digits = hash_blocks_last_digits(code.number, Int32(suite.digits))
            search.visit(place, match: typed.mask(digits), isEligible: !overflow)
        }
        return search.match
    }

    private static func moved(_ step: UInt64, by offset: Int) -> (UInt64, Bool) {
        let magnitude = UInt64(offset.magnitude)
        return offset < 0 ? step.subtractingReportingOverflow(magnitude) : step.addingReportingOverflow(magnitude)
    }
}
