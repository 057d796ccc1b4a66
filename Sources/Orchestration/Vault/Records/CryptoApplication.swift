/// A crypto application that the platform has issued. A device has at most eight.
public struct CryptoApplication: Sendable, Hashable {
    /// The kind of result.
    @nonexhaustive
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        /// Time-based one-time passwords (TOTP, RFC 6238).
        case timeBased = 0
        /// Counter-based one-time passwords (HOTP, RFC 4226).
        case counterBased = 1
        /// Responses to a challenge of the platform (OCRA, RFC 6287).
        case challenge = 2
        /// Signatures over data and a counter (OCRA, RFC 6287).
        case signature = 3
    }

    /// The index of the application, which the parameters of a flow name.
    public let index: CryptoApplicationIndex

    /// The kind of result.
    public let kind: Kind

    /// The number of digits of a code, 6 to 10.
    public let digits: Int

    /// The time step, 1 to 86,400 seconds; `nil` for an application that does not depend on time.
    public var timeStep: Duration? { timeStepSeconds == 0 ? nil : .seconds(timeStepSeconds) }

    /// The time step in seconds; 0 for an application that does not depend on time.
    let timeStepSeconds: Int

    /// Whether a code comes with a host code, which proves the platform to the user.
    public let hasHostCode: Bool

    /// Creates the description of an application.
    ///
    /// - Returns: `nil` when a value is outside its limits.
    package init?(index: UInt8, kind: Kind, digits: Int, timeStep: Int, hasHostCode: Bool) {
        guard
            let index = CryptoApplicationIndex(rawValue: index), (6...10).contains(digits),
            kind == .timeBased ? (1...86_400).contains(timeStep) : timeStep == 0
        else { return nil }
        self.index = index
        self.kind = kind
        self.digits = digits
        timeStepSeconds = timeStep
        self.hasHostCode = hasHostCode
    }
}
