/// The reason why an input of the user was refused. The user is asked again.
@nonexhaustive
public enum InputRejection: Sendable, Hashable {
    /// The password breaks a rule of the policy, or is too easy to guess.
    ///
    /// At a prompt for an existing password, the input cannot be that password because its form differs. It was not
    /// used, and no try was counted.
    case unsuitable(PasswordFault)
    /// The confirmation differs from the password.
    case confirmationDiffers
    /// The method failed, for example because a finger was not recognized.
    case notRecognized
    /// The platform refused the password.
    ///
    /// - Parameter remainingTries: The number of wrong passwords until the platform locks the device, where the
    ///   platform has stated it.
    case wrongPassword(remainingTries: Int?)

    /// The text for the user. ``PromptCatalog/text(for:)-(InputRejection)`` returns it in the words of the app.
    package var textKey: PromptText {
        switch self {
        case .unsuitable(let fault): fault.textKey
        case .confirmationDiffers: .confirmationDiffers
        case .notRecognized: .biometricFailed
        case .wrongPassword: .wrongPassword
        }
    }

    /// The number of tries that remain, where the platform has stated it.
    package var remainingTries: Int? {
        guard case .wrongPassword(let remainingTries) = self else { return nil }
        return remainingTries
    }

    /// Every reason, with samples where it has a value.
    package static let all: [InputRejection] =
        [.confirmationDiffers, .notRecognized, .wrongPassword(remainingTries: nil), .wrongPassword(remainingTries: 2)]
        + PasswordFault.all.map(InputRejection.unsuitable)

    /// The number in the text.
    var count: Int? {
        guard case .unsuitable(let fault) = self else { return nil }
        return fault.count
    }
}
