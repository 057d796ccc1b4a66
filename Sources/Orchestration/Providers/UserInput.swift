public import Primitives

/// What the user gave: a secret that is handed over once, or the plain fact that they agreed.
///
/// The secret can be taken once. Whatever was not taken is wiped when the last copy of the input goes.
public struct UserInput: Sendable, Redacted {
    private let secret: OneShotSecret

    /// Hands a secret over.
    ///
    /// - Parameter secret: what the user typed, as UTF-8, without the line end. 1 to 128 bytes, taken as they are:
    ///   see ``UserAuthenticationProvider`` about spellings of one text.
    public init(_ secret: consuming SecretBytes) {
        self.secret = OneShotSecret(secret)
    }

    /// The user agreed, and there is no secret: a touch, a fingerprint.
    public static var confirmed: UserInput { UserInput(secret: OneShotSecret()) }

    private init(secret: OneShotSecret) {
        self.secret = secret
    }

    /// The secret, the first time; `nil` afterwards, and when there is none.
    package func takeSecret() -> SecretBytes? {
        secret.take()
    }

    /// Always the same words.
    public var description: String { "user input" }
}
