public import Primitives

/// A generator and verifier of one-time passwords with the time ([RFC 6238](https://www.rfc-editor.org/rfc/rfc6238)).
///
/// A code is valid for one time step, usually 30 seconds. The verifier stores the last step that it accepted and
/// accepts only later ones: no code is accepted twice.
///
/// A time step is a whole number of seconds, as in the RFC and in `otpauth` URIs. It is an `Int` and not a `Duration`,
/// which may have fractions of a second.
///
/// ```swift
/// let totp = try TOTP(key: OneTimePasswordKey(secret, algorithm: .sha256), digits: 8)
/// totp.code(at: now).digits
/// if let match = totp.verify(typed, at: now, window: .init(drift: drift, after: lastStep)) {
///     lastStep = match.step; drift = match.drift
/// }
/// ```
public struct TOTP: ~Copyable, Sendable {
    /// The lengths that a time step can have, in seconds.
    public static let stepRange = 1...86_400

    /// The number of digits of a code.
    public var digits: Int { counterBased.digits }

    /// The length of a time step in seconds (X in RFC 6238).
    public let timeStep: Int

    /// The beginning of the first step, in seconds since the Unix epoch (T0 in RFC 6238).
    public let start: Int64

    // TOTP is HOTP with the number of the time step as the counter (RFC 6238 section 4.2).
    let counterBased: HOTP

    /// Creates a generator and verifier.
    ///
    /// - Parameters:
    ///   - key: The seed and its hash function.
    ///   - digits: 6 to 10.
    ///   - timeStep: The length of a time step, 1 to 86,400 seconds.
    ///   - start: The beginning of the first step, in seconds since the Unix epoch; usually 0.
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

    /// Returns the code at a time.
    public borrowing func code(at time: Timestamp) -> OneTimeCode {
        code(step: step(at: time))
    }

    /// Returns the code of a time step.
    public borrowing func code(step: UInt64) -> OneTimeCode {
        counterBased.code(counter: step)
    }

    /// Returns the number of the time step at a time, and 0 for a time before ``start``.
    public borrowing func step(at time: Timestamp) -> UInt64 {
        let (elapsed, overflow) = time.secondsSinceEpoch.subtractingReportingOverflow(start)
        if overflow { return start > 0 ? 0 : UInt64(Int64.max) / UInt64(timeStep) }
        return elapsed < 0 ? 0 : UInt64(elapsed) / UInt64(timeStep)
    }

    /// Returns the duration for which the code at a time remains current: more than zero, and at most one time step.
    public borrowing func remainingTime(at time: Timestamp) -> Duration {
        let length = Int64(timeStep) * 1000
        let begin = Timestamp(secondsSinceEpoch: start % Int64(timeStep))
        let elapsed = time.milliseconds(since: begin) % length
        return .milliseconds(length - (elapsed < 0 ? elapsed + length : elapsed))
    }
}
