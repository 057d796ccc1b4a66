extension Warning {
    /// What a warning is about. Later versions may know more codes.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: Sendable, Hashable {
            case fellBackToPassword, notSynchronized, platformNotInformed, notificationsPending, failedCodes(Int)
            case clockUncertain
        }

        private let kind: Kind

        /// The requested method is not available on this device; the password was asked instead (X16, J2).
        public static var fellBackToPassword: Code { Code(kind: .fellBackToPassword) }

        /// The one-time password is good, but the platform could not be reached to move the key ratchet. It moves
        /// with the next contact.
        public static var notSynchronized: Code { Code(kind: .notSynchronized) }

        /// The user was deleted on this device, but the platform could not be told (X11). Revoke the device there.
        public static var platformNotInformed: Code { Code(kind: .platformNotInformed) }

        /// The account stays in `pendingNotification` until the notification identifier is registered (D10).
        public static var notificationsPending: Code { Code(kind: .notificationsPending) }

        /// Since the last contact codes for this user were typed somewhere and refused. Tell the user: either he
        /// mistyped, or somebody else tries.
        ///
        /// - Parameter count: how many.
        public static func failedCodes(_ count: Int) -> Code { Code(kind: .failedCodes(count)) }

        /// The platform's clock seems to differ by more than a minute from what was known; codes go on with the old
        /// difference until a second answer agrees (PROTOCOL §6).
        public static var clockUncertain: Code { Code(kind: .clockUncertain) }

        /// The name of the code.
        public var description: String { "\(kind)" }

        var message: String {
            switch kind {
            case .fellBackToPassword: "the requested method is not available; the password was asked instead"
            case .notSynchronized: "the platform could not be reached; the device synchronizes at the next contact"
            case .platformNotInformed: "the user was deleted here, but the platform could not be told"
            case .notificationsPending: "notifications must be registered to finish the activation"
            case .failedCodes: "codes of this user were refused since the last contact"
            case .clockUncertain: "the device's clock and the platform's differ; waiting for a second answer"
            }
        }
    }
}
