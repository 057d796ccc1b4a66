internal import Primitives

/// The input of a user: a secret that can be taken once.
///
/// A secret that was not taken is wiped when the last copy of the input is released.
public struct UserInput: Sendable, Redacted {
    private let secret: OneShotSecret

    /// Creates an input with a secret.
    ///
    /// - Parameter secret: The text that the user entered, as UTF-8 without a line end, 1 to 128 bytes. It is converted
    ///   to the form that ``PasswordProvider`` describes.
    public init(_ secret: consuming SecretBytes) {
        self.secret = OneShotSecret(OpaqueString.of(secret))
    }

    /// Takes the secret.
    ///
    /// - Returns: The secret at the first call; `nil` afterwards.
    package func takeSecret() -> SecretBytes? {
        secret.take()
    }
}
