extension TOTP {
    /// The time steps that are tried when a code is verified.
    ///
    /// The window is around the current step plus the drift of the device's clock. Both the tolerance and the drift are
    /// bounded, because a code is easier to guess in a larger window.
    public struct Window: Sendable, Hashable {
        /// The maximum tolerance in steps, in each direction.
        public static let maximumTolerance = 10

        /// The maximum drift in steps, in each direction. A clock with a larger drift must be set.
        public static let maximumDrift = 2

        /// The number of steps before and after the expected one that are tried.
        public let tolerance: Int

        /// The number of steps by which the device's clock is ahead of the verifier's, according to previous codes.
        /// Negative when it is behind.
        public let drift: Int

        /// The last step that was accepted. This step and earlier ones do not match.
        public let after: UInt64?

        /// Creates a window. The default is the current step, the previous and the next one (RFC 6238 section 5.2).
        ///
        /// - Parameters:
        ///   - tolerance: Steps in each direction, limited to 0 to ``maximumTolerance``.
        ///   - drift: Steps, limited to ``maximumDrift`` in each direction.
        ///   - after: The last step that was accepted.
        public init(tolerance: Int = 1, drift: Int = 0, after: UInt64? = nil) {
            self.tolerance = min(max(tolerance, 0), Self.maximumTolerance)
            self.drift = Self.bounded(drift)
            self.after = after
        }

        static func bounded(_ drift: Int) -> Int { min(max(drift, -maximumDrift), maximumDrift) }
    }

    /// A code that was found in a window.
    public struct Match: Sendable, Hashable {
        /// The time step of the code. Store it: no code of this step or an earlier one may be accepted again.
        public let step: UInt64

        /// The number of steps by which the device's clock is ahead of the verifier's, within ``Window/maximumDrift``.
        /// Store it for the next window.
        public let drift: Int
    }
}
