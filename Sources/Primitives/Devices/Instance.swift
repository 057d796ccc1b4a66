/// One of the two authenticator instances of an activation. The raw value is its number in commands and stores.
public enum Instance: UInt8, Sendable, Hashable, CaseIterable, Codable {
    /// The instance of the password, with the secret K₁.
    case password = 1
    /// The instance of the other methods, with the secret K₂n.
    case possession = 2
}
