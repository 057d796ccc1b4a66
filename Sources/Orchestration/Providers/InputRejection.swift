/// Why what the user typed was not taken. The user is asked again.
@nonexhaustive
public enum InputRejection: Sendable, Hashable {
    /// The password breaks a rule of the policy or is too easy to guess.
    case unsuitable(PasswordFault)
    /// The confirmation is not the same as the password.
    case confirmationDiffers
    /// The method failed, for example a finger that was not recognized.
    case notRecognized
    /// The platform refused the password.
    ///
    /// - Parameter remainingTries: The number of wrong passwords until the platform locks the device, where the
    ///   platform has named it.
    case wrongPassword(remainingTries: Int?)

    /// The text that tells the user.
    public var textKey: PromptText {
        switch self {
        case .unsuitable: .weak
        case .confirmationDiffers: .confirmationDiffers
        case .notRecognized: .biometricFailed
        case .wrongPassword: .wrongPassword
        }
    }

    /// The number of tries that are left, where the platform has named it.
    public var remainingTries: Int? {
        guard case .wrongPassword(let remainingTries) = self else { return nil }
        return remainingTries
    }
}
