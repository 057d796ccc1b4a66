extension TOTP {
    /// Which time steps are tried when a code is verified.
    ///
    /// The window lies around the present step, moved by what is known of the device's clock. Every step more is a
    /// code more to guess, so that both parts are bounded.
    public struct Window: Sendable, Hashable {
        /// The largest tolerance in steps, each way.
        public static let maximumTolerance = 10

        /// The largest drift in steps, each way. A clock that is further off has to be set right.
        public static let maximumDrift = 2

        /// How many steps before and after the expected one are tried.
        public let tolerance: Int

        /// How many steps the device's clock is ahead of ours (behind when negative), as learnt from earlier codes.
        public let drift: Int

        /// The last step that was accepted. It and those before it never match again.
        public let after: UInt64?

        /// Makes a window. The default is one step before to one step after the present one (RFC 6238 section 5.2).
        ///
        /// - Parameters:
        ///   - tolerance: steps each way, brought into 0 to ``maximumTolerance``.
        ///   - drift: steps, brought into minus to plus ``maximumDrift``.
        ///   - after: the last step that was accepted.
        public init(tolerance: Int = 1, drift: Int = 0, after: UInt64? = nil) {
            self.tolerance = min(max(tolerance, 0), Self.maximumTolerance)
            self.drift = Self.bounded(drift)
            self.after = after
        }

        static func bounded(_ drift: Int) -> Int { min(max(drift, -maximumDrift), maximumDrift) }
    }

    /// A code that was found in a window.
    public struct Match: Sendable, Hashable {
        /// The time step of the code. Store it: no code of it or of an earlier step may be accepted again.
        public let step: UInt64

        /// How many steps the device's clock is ahead of ours, within ``Window/maximumDrift``. Store it for the next
        /// window.
        public let drift: Int
    }
}
