/// One of the up to eight things that an authenticator instance makes, as the platform issued it (requirement X10).
public struct CryptoApplication: Sendable, Hashable {
    /// What is made.
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        /// One-time passwords of the time (TOTP, RFC 6238).
        case timeBased = 0
        /// One-time passwords of a counter (HOTP, RFC 4226).
        case counterBased = 1
        /// Answers to a challenge of the platform (OCRA, RFC 6287).
        case challenge = 2
        /// Signatures over data and a counter (OCRA, RFC 6287).
        case signature = 3
    }

    /// The number of the application, 1 to 8.
    public let index: UInt8

    /// What is made.
    public let kind: Kind

    /// How many digits a code has, 6 to 10.
    public let digits: Int

    /// How long a code is valid, in seconds up to a day; 0 where time plays no part.
    public let period: Int

    /// Whether there is a host code, by which the platform shows itself to the user.
    public let hasHostCode: Bool

    /// Describes an application.
    ///
    /// - Returns: `nil` when a value is outside its limits.
    package init?(index: UInt8, kind: Kind, digits: Int, period: Int, hasHostCode: Bool) {
        guard
            (1...8).contains(index), (6...10).contains(digits),
            kind == .timeBased ? (1...86_400).contains(period) : period == 0
        else { return nil }
        self.index = index
        self.kind = kind
        self.digits = digits
        self.period = period
        self.hasHostCode = hasHostCode
    }
}
