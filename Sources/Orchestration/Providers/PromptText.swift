/// A text that is shown to the user: its key, and our English words for it.
///
/// The keys are those of the mobile SDKs of this kind, so that existing translations fit.
public struct PromptText: Sendable, Hashable {
    /// The key, as it stands in files of translations.
    public let key: String

    /// The English text that is used when the app has none of its own.
    public let defaultText: String

    init(_ key: String, _ defaultText: String) {
        self.key = key
        self.defaultText = defaultText
    }

    /// Asks for a first password.
    public static let registration = Self("orch_pinpad_text_registration", "Choose a password")
    /// Asks for the first password again.
    public static let registrationConfirmation = Self(
        "orch_pinpad_text_registration_confirm", "Confirm your password")
    /// Asks for the password.
    public static let authentication = Self("orch_pinpad_text_authentication", "Enter your password")
    /// Asks for a new password.
    public static let update = Self("orch_pinpad_text_update", "Choose a new password")
    /// Asks for the new password again.
    public static let updateConfirmation = Self("orch_pinpad_text_update_confirmation", "Confirm new password")
    /// Says that the password is too easy.
    public static let weak = Self(
        "orch_pinpad_error_weak", "This password is too easy to guess. Please choose another one.")
    /// Says that the two entries differ.
    public static let confirmationDiffers = Self(
        "orch_pinpad_error_confirmation", "The two entries are not the same. Please enter the same password twice.")
    /// Says that the platform refused the password. Not among the keys of the other SDKs.
    public static let wrongPassword = Self(
        "orch_pinpad_error_wrong", "The password was not accepted. Please try again.")
    /// The title of the biometric dialog.
    public static let biometricTitle = Self("orch_biometric_title", "Biometric Authentication")
    /// What the biometric dialog asks for.
    public static let biometricDescription = Self(
        "orch_biometric_description", "Use the biometric sensor of this device to continue.")
    /// Says that the biometric check failed.
    public static let biometricFailed = Self("orch_biometric_failed", "Authentication failed")
    /// The button that leaves the biometric dialog.
    public static let biometricCancel = Self("orch_biometric_btn_cancel", "Cancel")

    /// Every text there is.
    public static let all: [PromptText] =
        [
            registration, registrationConfirmation, authentication, update, updateConfirmation, weak,
            confirmationDiffers,
            wrongPassword, biometricTitle, biometricDescription, biometricFailed, biometricCancel,
        ] + flowEnds
}
