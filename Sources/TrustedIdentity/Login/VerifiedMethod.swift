/// How a user was proven to be there: by the secret that a code or proof was made with, never by a claim.
public enum VerifiedMethod: UInt8, Sendable, Hashable, CaseIterable, Codable {
    /// The device alone.
    case possession = 0
    /// The password of the authenticator.
    case password = 1
    /// A biometric check of the device's system.
    case biometric = 2
    /// A face, by a provider of the app.
    case face = 3
}
