/// What releases the keys of an enrolled method on the device. The raw value is the number in commands and stores.
///
/// It is a statement of the device, which the device signs and the password proves. The platform has no proof of it.
@nonexhaustive
public enum MethodProtection: UInt8, Sendable, Hashable, CaseIterable, Codable, CustomStringConvertible {
    /// A program releases them, after a check that no system binds to the keys, or without any. The method counts as
    /// possession, unless the policy of the platform names software providers.
    case software = 0
    /// The operating system binds them to its biometric check, and withholds them when a person is added to that check.
    case system = 1
    /// A provider of the app releases them, after it recognized the face of the user and found a living person.
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
    /// face the third one as well.
    package func isAllowed(for method: AuthenticationMethod) -> Bool {
        switch (self, method) {
        case (_, .possession), (_, .password), (.provider, .biometric): false
        case (.software, .biometric), (.system, .biometric), (_, .face): true
        }
    }
}
