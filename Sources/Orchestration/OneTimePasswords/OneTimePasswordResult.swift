public import Primitives

/// A one-time password and what belongs to it (requirement H6).
///
/// Neither printing nor reflection shows the codes.
public struct OneTimePasswordResult: Sendable, Redacted {
    /// The code for the site: decimal digits.
    ///
    /// Whether the password behind it was right is known to the platform alone: a wrong one gives a code that looks
    /// like any other (requirement X12).
    public let oneTimePassword: String

    /// The code that the site must show after it has accepted ``oneTimePassword``, where the platform has configured
    /// one. It proves the site to the user.
    public let hostCode: String?

    /// Seconds until the code expires, by the platform's clock; `nil` for codes without a time.
    public let expiresIn: Int?

    /// The method that made the code.
    public let method: AuthenticationMethod

    /// The method alone.
    public var description: String { "one-time password (\(method))" }
}
