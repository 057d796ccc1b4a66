internal import Primitives

/// The input of a user: a secret that can be taken once, or the fact that the user agreed.
///
/// A secret that was not taken is wiped when the last copy of the input is released.
public struct UserInput: Sendable, Redacted {
    private let secret: OneShotSecret

    /// Creates an input with a secret.
    ///
    /// - Parameter secret: The text that the user entered, as UTF-8 without a line end, 1 to 128 bytes. It is brought
    ///   into the form of ``PasswordProvider``.
    public init(_ secret: consuming SecretBytes) {
        self.secret = OneShotSecret(OpaqueString.of(secret))
    }

    /// An input without a secret: the user has agreed, for example with a touch or a fingerprint.
    public static var confirmed: UserInput { UserInput() }

    private init() {
        secret = OneShotSecret()
    }

    /// Takes the secret.
    ///
    /// - Returns: The secret at the first call; `nil` afterwards, and when there is none.
    package func takeSecret() -> SecretBytes? {
        secret.take()
    }

    /// A constant text.
    public var description: String { "user input" }
}
