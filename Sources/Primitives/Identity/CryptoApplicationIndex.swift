/// The index of a crypto application that the platform issued to an activation.
///
/// The list of applications in the information about a user states the purpose of each. By default, `app1` makes
/// time-based one-time passwords, `app2` makes counter-based ones, `app3` answers challenges and `app4` signs.
public enum CryptoApplicationIndex: UInt8, Sendable, Hashable, CaseIterable, Codable, CustomStringConvertible {
    /// The first application, and the default everywhere.
    case app1 = 1
    /// The second application.
    case app2
    /// The third application.
    case app3
    /// The fourth application.
    case app4
    /// The fifth application.
    case app5
    /// The sixth application.
    case app6
    /// The seventh application.
    case app7
    /// The eighth application.
    case app8

    /// `app1` to `app8`.
    public var description: String { "app\(rawValue)" }
}
