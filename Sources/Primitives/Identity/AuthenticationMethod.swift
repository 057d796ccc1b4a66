/// A way in which a user authenticates.
///
/// The platform takes the method of a code or proof from the secret that made it, never from a claim. The raw value is
/// the number of the method in commands and stores.
@nonexhaustive
public enum AuthenticationMethod: UInt8, Sendable, Hashable, CaseIterable, Codable, CustomStringConvertible {
    /// Possession of the device. The user does nothing.
    case possession = 0
    /// A password or PIN that the platform can check and the device cannot.
    case password = 1
    /// The biometric check of the operating system, which the system binds to a key.
    case biometric = 2
    /// A face, recognized by a provider of the app.
    case face = 3

    /// The name of the case, for example `password`.
    public var description: String {
        switch self {
        case .possession: "possession"
        case .password: "password"
        case .biometric: "biometric"
        case .face: "face"
        }
    }

    /// Whether a user enrolls the method on a device. The activation creates the keys of the other methods.
    public var isEnrollable: Bool {
        switch self {
        case .possession, .password: false
        case .biometric, .face: true
        }
    }
}
