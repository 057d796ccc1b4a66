public import Primitives

/// One-time passwords by time ([RFC 6238](https://www.rfc-editor.org/rfc/rfc6238)).
///
/// A code holds for one time step, usually 30 seconds. The verifier keeps the last step that it accepted and accepts
/// only later ones, so that no code is accepted twice.
///
/// ```swift
/// let totp = try TOTP(key: OneTimePasswordKey(secret, algorithm: .sha256), digits: 8)
/// totp.code(at: now).digits
/// if let match = totp.verify(typed, at: now, window: .init(drift: drift, after: lastStep)) {
///     lastStep = match.step; drift = match.drift
/// }
/// ```
public struct TOTP: ~Copyable, Sendable {
    /// The lengths of a time step, in seconds.
    public static let stepRange = 1...86_400

    /// The number of digits of a code.
    public var digits: Int { counterBased.digits }

    /// The length of a time step in seconds (X in RFC 6238).
    public let timeStep: Int

    /// When the first step began, in seconds since the Unix epoch (T0 in RFC 6238).
    public let start: Int64

    // RFC 6238 section 4.2: TOTP is HOTP over the number of the time step.
    let counterBased: HOTP

    /// Makes a generator and verifier.
    ///
    /// - Parameters:
    ///   - key: the seed and its hash function.
    ///   - digits: 6 to 10.
    ///   - timeStep: the length of a time step, 1 to 86,400 seconds.
    ///   - start: when the first step began, in seconds since the Unix epoch; 0 unless agreed otherwise.
    /// - Throws: ``OneTimePasswordError/Code/invalidDigits``, ``OneTimePasswordError/Code/invalidStep``.
    public init(
        key: consuming OneTimePasswordKey, digits: Int = 6, timeStep: Int = 30, start: Int64 = 0
    ) throws(OneTimePasswordError) {
        guard Self.stepRange ~= timeStep else {
            throw OneTimePasswordError(.invalidStep, "a time step has 1 to 86400 seconds")
        }
        counterBased = try HOTP(key: key, digits: digits)
        self.timeStep = timeStep
        self.start = start
    }

    /// The code of the time step in which a moment lies.
    public borrowing func code(at time: Timestamp) -> OneTimeCode {
        code(step: step(at: time))
    }

    /// The code of a time step.
    public borrowing func code(step: UInt64) -> OneTimeCode {
        counterBased.code(counter: step)
    }

    /// The number of the time step in which a moment lies; 0 for any moment before ``start``.
    public borrowing func step(at time: Timestamp) -> UInt64 {
        let (elapsed, overflow) = time.secondsSinceEpoch.subtractingReportingOverflow(start)
        if overflow { return start > 0 ? 0 : UInt64(Int64.max) / UInt64(timeStep) }
        return elapsed < 0 ? 0 : UInt64(elapsed) / UInt64(timeStep)
    }

    /// How long the code of a moment is still the current one: more than 0 milliseconds, at most one time step.
    public borrowing func remainingMilliseconds(at time: Timestamp) -> Int64 {
        let length = Int64(timeStep) * 1000
        let begin = Timestamp(secondsSinceEpoch: start % Int64(timeStep))
        let elapsed = time.milliseconds(since: begin) % length
        return length - (elapsed < 0 ? elapsed + length : elapsed)
    }
}
