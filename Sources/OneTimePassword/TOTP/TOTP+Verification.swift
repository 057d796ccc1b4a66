public import Primitives

extension TOTP {
    /// Returns the time step of a code, which is searched in a window of time steps.
    ///
    /// The running time depends only on the size of the window: every code in it is computed and compared, also after a
    /// match.
    ///
    /// - Parameters:
    ///   - candidate: The text that the user typed, exactly ``digits`` ASCII digits. Any other text never matches.
    ///   - time: The time of the verifier.
    ///   - window: The steps that are tried.
    /// - Returns: The step of the code and the drift of the device's clock, or `nil` when no code matches.
    @inlinable
    public borrowing func verify(
        _ candidate: some StringProtocol, at time: Timestamp, window: Window = .init()
    ) -> Match? {
        verify(TypedCode(candidate, digits: digits), at: time, window: window)
    }

    @usableFromInline
    borrowing func verify(_ candidate: TypedCode, at time: Timestamp, window: Window) -> Match? {
        let now = step(at: time)
        var search = WindowSearch()
        let first = window.drift - window.tolerance
        counterBased.forEachCode(from: Self.moved(now, first), count: 2 * window.tolerance + 1) { place, code in
            search.visit(place, match: candidate.mask(code), isEligible: Self.counts(place, now, window))
        }
        return search.match.map { match($0, now) }
    }

    /// Returns the drift of a clock from two successive codes.
    ///
    /// The codes are searched within ``Window/maximumDrift`` plus the tolerance of the window. The current drift is not
    /// used. A device that is found in this range is within the ordinary window afterwards. The running time depends
    /// only on the size of the window.
    ///
    /// - Parameters:
    ///   - first: A code.
    ///   - second: The code of the time step after it.
    ///   - time: The time of the verifier when the second code was made.
    ///   - window: The tolerance and the last accepted step.
    /// - Returns: The step of the second code and the drift of the clock, or `nil` when the codes do not match.
    public borrowing func resynchronize(
        _ first: some StringProtocol, _ second: some StringProtocol, at time: Timestamp, window: Window = .init()
    ) -> Match? {
        let first = TypedCode(first, digits: digits)
        let second = TypedCode(second, digits: digits)
        let now = step(at: time)
        let reach = Window.maximumDrift + window.tolerance
        var search = WindowSearch()
        var previous: UInt64 = 0
        // The first code is one step before the second. Both must be later than the last accepted step.
        counterBased.forEachCode(from: Self.moved(now, -reach - 1), count: 2 * reach + 2) { place, code in
            let isEligible = Self.counts(place, now, window)
            search.visit(place, match: previous & second.mask(code), isEligible: isEligible)
            previous = first.mask(code) & (isEligible ? .max : 0)
        }
        return search.match.map { match($0, now) }
    }

    /// Returns the step at a distance from another step, modulo 2⁶⁴: the step before 0 is the last 64-bit number.
    private static func moved(_ now: UInt64, _ offset: Int) -> UInt64 {
        now &+ UInt64(bitPattern: Int64(offset))
    }

    /// Returns whether a step is later than the last accepted one and did not wrap around. A step that wrapped around
    /// does not correspond to a time.
    private static func counts(_ place: UInt64, _ now: UInt64, _ window: Window) -> Bool {
        let isBefore = Int64(bitPattern: place &- now) < 0
        return isBefore == (place < now) && window.after.map { place > $0 } ?? true
    }

    private borrowing func match(_ step: UInt64, _ now: UInt64) -> Match {
        let distance = step >= now ? Int(step - now) : -Int(now - step)
        return Match(step: step, drift: Window.bounded(distance))
    }
}
