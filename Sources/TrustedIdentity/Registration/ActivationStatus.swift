/// How far the latest registration of an account is. The raw values are those of the REST API.
public enum ActivationStatus: String, Sendable, Hashable, CaseIterable, Codable {
    /// The activation password is still good, or an activation with it is under way.
    case pending
    /// A device was activated with it.
    case activated
    /// The time to wait, or the time of the activation password, went by without an activation.
    case timeout
    /// There is no such account.
    case unknown
}
