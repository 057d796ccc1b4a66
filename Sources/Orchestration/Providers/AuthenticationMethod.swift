/// How the user shows that it is them. The raw value is the method's code on the wire.
public enum AuthenticationMethod: UInt8, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// No act of the user; possession of the device alone.
    case possession = 0
    /// A password or PIN that the platform can check and the device cannot.
    case password = 1
    /// The system's own biometric check, bound to a key by the system.
    case biometric = 2
    /// A face, by a provider of the app.
    case face = 3

    /// The name of the method as it is spelled in Swift.
    public var description: String {
        switch self {
        case .possession: "possession"
        case .password: "password"
        case .biometric: "biometric"
        case .face: "face"
        }
    }
}
