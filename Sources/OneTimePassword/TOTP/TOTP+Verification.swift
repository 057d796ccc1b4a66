public import Primitives

extension TOTP {
    /// Looks for a code in a window of time steps.
    ///
    /// The time depends on the size of the window only: every code of it is computed and compared, wherever the match
    /// is and whether there is one.
    ///
    /// - Parameters:
    ///   - candidate: what the user typed, exactly ``digits`` ASCII digits. Anything else never matches.
    ///   - time: the verifier's time.
    ///   - window: which steps are tried.
    /// - Returns: the step of the code and the drift of the clock that follows from it, or `nil`.
    @inlinable
    public borrowing func verify(
        _ candidate: some StringProtocol, at time: Timestamp, window: Window = .init()
    ) -> Match? {
        verify(Candidate(candidate, digits: digits), at: time, window: window)
    }

    @usableFromInline
    borrowing func verify(_ candidate: Candidate, at time: Timestamp, window: Window) -> Match? {
        let now = step(at: time)
        var search = WindowSearch()
        let first = window.drift - window.tolerance
        counterBased.forEachCode(from: Self.moved(now, first), count: 2 * window.tolerance + 1) { place, code in
            search.visit(place, match: candidate.mask(code), isEligible: Self.counts(place, now, window))
        }
        return search.match.map { match($0, now) }
    }

    /// Learns how far a clock is off from two successive codes.
    ///
    /// The codes are looked for as far as ``Window/maximumDrift`` and the window's tolerance reach, whatever the drift
    /// so far: where a code is found, the next one is in the window again. The time depends on the size of the window
    /// only.
    ///
    /// - Parameters:
    ///   - first: a code.
    ///   - second: the code of the time step after it.
    ///   - time: the verifier's time when the second code was made.
    ///   - window: the tolerance and the last accepted step; its drift is not used.
    /// - Returns: the step of the second code and the drift of the clock, or `nil`.
    public borrowing func resynchronize(
        _ first: some StringProtocol, _ second: some StringProtocol, at time: Timestamp, window: Window = .init()
    ) -> Match? {
        let first = Candidate(first, digits: digits)
        let second = Candidate(second, digits: digits)
        let now = step(at: time)
        let reach = Window.maximumDrift + window.tolerance
        var search = WindowSearch()
        var previous: UInt64 = 0
        // The first code is one step before the second; both have to be later than what was accepted before.
        counterBased.forEachCode(from: Self.moved(now, -reach - 1), count: 2 * reach + 2) { place, code in
            let isEligible = Self.counts(place, now, window)
            search.visit(place, match: previous & second.mask(code), isEligible: isEligible)
            previous = first.mask(code) & (isEligible ? .max : 0)
        }
        return search.match.map { match($0, now) }
    }

    /// A step some steps from now, in a circle: the step before 0 is the last 64-bit number.
    private static func moved(_ now: UInt64, _ offset: Int) -> UInt64 {
        now &+ UInt64(bitPattern: Int64(offset))
    }

    /// Whether a step near to now exists and is later than the last accepted one. A step of another part of the circle
    /// does not exist: no time has it.
    private static func counts(_ place: UInt64, _ now: UInt64, _ window: Window) -> Bool {
        let isBefore = Int64(bitPattern: place &- now) < 0
        return isBefore == (place < now) && window.after.map { place > $0 } ?? true
    }

    private borrowing func match(_ step: UInt64, _ now: UInt64) -> Match {
        let distance = step >= now ? Int(step - now) : -Int(now - step)
        return Match(step: step, drift: Window.bounded(distance))
    }
}
