/// The protection of an enrolled method's keys on the device. The raw value is the number in commands and stores.
///
/// The protection is a statement of the device, which the device signs and the password proves. The platform cannot
/// verify it.
@nonexhaustive
public enum MethodProtection: UInt8, Sendable, Hashable, CaseIterable, Codable, CustomStringConvertible {
    /// A program releases the keys, after a check that the system does not bind to the keys, or without a check. The
    /// method counts as possession, unless the policy of the platform names software providers.
    case software = 0
    /// The operating system binds the keys to its biometric check, and withholds them when a person is added to the
    /// check.
    case system = 1
    /// A provider of the app releases the keys after it recognized the face of the user and found a living person.
    case provider = 2

    /// The name of the case, for example `system`.
    public var description: String {
        switch self {
        case .software: "software"
        case .system: "system"
        case .provider: "provider"
        }
    }

    /// Returns whether keys of a method can have this protection: both enrolled methods can have the first two, and a
    /// face can also have the third.
    package func isAllowed(for method: AuthenticationMethod) -> Bool {
        switch (self, method) {
        case (_, .possession), (_, .password), (.provider, .biometric): false
        case (.software, .biometric), (.system, .biometric), (_, .face): true
        }
    }
}
