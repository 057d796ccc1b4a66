internal import CHashBlocks

extension OCRA {
    /// A code that was found in a window.
    public struct Match: Sendable, Hashable {
        /// The counter of the code, for a suite with a counter. Store the value after it.
        public let counter: UInt64?

        /// The number of the time step of the code, for a suite with the time. Store it: no code of it or of an
        /// earlier step may be accepted again for the same question.
        public let step: UInt64?
    }

    /// The largest look-ahead of the counter. A wider window is narrowed to it.
    public static let maximumLookAhead = 100

    /// The largest tolerance in time steps, each way. A wider window is narrowed to it.
    public static let maximumTolerance = 10

    /// Looks for a code in a window of counters and time steps.
    ///
    /// The time depends on the size of the window only: every code of it is computed and compared, wherever the match
    /// is and whether there is one. A suite without counter and time has a single code; the caller makes sure that a
    /// question is answered once.
    ///
    /// - Parameters:
    ///   - candidate: what was typed: exactly the suite's number of ASCII digits, or the whole HMAC in hexadecimal.
    ///     Anything else never matches.
    ///   - input: exactly what the suite names; the counter is the lowest that is not used yet.
    ///   - lookAhead: how many counters after it are tried too, 0 to ``maximumLookAhead``.
    ///   - tolerance: how many time steps before and after the input's are tried too, 0 to ``maximumTolerance``.
    /// - Returns: where the code was found, or `nil`.
    /// - Throws: the errors of ``code(for:)``.
    public borrowing func verify(
        _ candidate: some StringProtocol, for input: Input, lookAhead: Int = 0, tolerance: Int = 0
    ) throws(OneTimePasswordError) -> Match? {
        let typed = Candidate(candidate, digits: suite.digits)
        let whole = HexCandidate(candidate, byteCount: suite.algorithm.byteCount)
        let first = input.counter ?? 0
        let now = input.step(suite)
        let ahead = suite.hasCounter ? UInt64(min(max(lookAhead, 0), Self.maximumLookAhead)) : 0
        let around = suite.timeStepSeconds == nil ? 0 : min(max(tolerance, 0), Self.maximumTolerance)

        // A place is the number of a pair of counter and step; the pairs are far fewer than 2⁶⁴.
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
                step: suite.timeStepSeconds == nil ? nil : Self.moved(now, by: Int(offset) - around).0)
        }
    }

    private static func moved(_ step: UInt64, by offset: Int) -> (UInt64, Bool) {
        let magnitude = UInt64(offset.magnitude)
        return offset < 0 ? step.subtractingReportingOverflow(magnitude) : step.addingReportingOverflow(magnitude)
    }
}
