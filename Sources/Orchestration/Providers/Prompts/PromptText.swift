/// A text for the user: a key and the default English text.
///
/// Other SDKs of this kind also use the keys `orch_pinpad_…` and `orch_biometric_…`, which means that existing
/// translations can be reused. A text may hold placeholders in braces, such as `{count}`; ``PromptCatalog`` replaces
/// them.
package struct PromptText: Sendable, Hashable {
    /// The key, as used in files of translations.
    package let key: String

    /// The English text, for apps without their own text.
    package let defaultText: String

    init(_ key: String, _ defaultText: String) {
        self.key = key
        self.defaultText = defaultText
    }

    package static let registration = Self("orch_pinpad_text_registration", "Choose a password")
    package static let registrationConfirmation = Self(
        "orch_pinpad_text_registration_confirm", "Confirm your password")
    package static let authentication = Self("orch_pinpad_text_authentication", "Enter your password")
    package static let methodEnrollment = Self(
        "orch_pinpad_text_method_enrollment", "Enter your password to set up another sign-in method")
    package static let unlockedPassword = Self(
        "orch_pinpad_text_unlock", "Enter the new password that you have chosen")
    package static let methodRemoval = Self(
        "orch_pinpad_text_method_removal", "Enter your password to remove a sign-in method from all your devices")
    package static let update = Self("orch_pinpad_text_update", "Choose a new password")
    package static let updateConfirmation = Self("orch_pinpad_text_update_confirmation", "Confirm new password")
    package static let registrationTitle = Self("orch_pinpad_title_registration", "Set Up Password")
    package static let authenticationTitle = Self("orch_pinpad_title_authentication", "Password")
    package static let updateTitle = Self("orch_pinpad_title_update", "Change Password")
    /// The subtitle of a prompt. `{account}` is the account as `user@domain`.
    package static let subtitle = Self("orch_pinpad_subtitle", "{account}")
    /// The message for a password with fewer characters than allowed. `{count}` is the minimum number.
    package static let tooShort = Self(
        "orch_pinpad_error_too_short", "The password is too short. Please enter at least {count} characters.")
    /// The message for a password with more characters than allowed. `{count}` is the maximum number.
    package static let tooLong = Self(
        "orch_pinpad_error_too_long", "The password is too long. Please enter at most {count} characters.")
    package static let notDigits = Self("orch_pinpad_error_not_digits", "Please enter digits only.")
    package static let invalidText = Self(
        "orch_pinpad_error_invalid", "The password has characters that cannot be used. Please enter another one.")
    package static let weak = Self(
        "orch_pinpad_error_weak", "This password is too easy to guess. Please choose another one.")
    package static let unchangedPassword = Self(
        "orch_pinpad_error_unchanged", "This is your current password. Please choose another one.")
    package static let confirmationDiffers = Self(
        "orch_pinpad_error_confirmation", "The two entries are not the same. Please enter the same password twice.")
    package static let wrongPassword = Self(
        "orch_pinpad_error_wrong", "The password was not accepted. Please try again.")
    /// The number of wrong passwords that the platform still accepts. `{count}` is the number.
    package static let remainingTries = Self("orch_pinpad_tries_left", "tries left: {count}")
    /// The form of a password of digits. `{length}` is the number of digits, such as `6-12`.
    package static let digitsPolicy = Self("orch_pinpad_policy_digits", "{length} digits")
    /// The form of a password of any characters. `{length}` is the number of characters, such as `8-64`.
    package static let charactersPolicy = Self("orch_pinpad_policy_characters", "{length} characters")
    package static let keypadDelete = Self("orch_pinpad_btn_delete", "Delete")
    package static let keypadDone = Self("orch_pinpad_btn_done", "Done")
    /// The description of a masked entry, for screen readers. `{count}` is the number of entered digits.
    package static let keypadEntered = Self("orch_pinpad_entered", "Digits entered: {count}")
    /// The instruction of a keypad at a terminal. `{delete}` and `{done}` are its keys.
    package static let keypadInstruction = Self(
        "orch_pinpad_instruction", "Type the letter beside each digit. {delete} deletes, {done} ends the entry.")
    package static let biometricTitle = Self("orch_biometric_title", "Biometric Authentication")
    package static let biometricDescription = Self(
        "orch_biometric_description", "Use the biometric sensor of this device to continue.")
    package static let biometricFailed = Self("orch_biometric_failed", "Authentication failed")
    package static let biometricCancel = Self("orch_biometric_btn_cancel", "Cancel")

    /// Every text.
    package static let all: [PromptText] =
        [
            registration, registrationConfirmation, authentication, update, updateConfirmation, weak,
            confirmationDiffers,
            wrongPassword, biometricTitle, biometricDescription, biometricFailed, biometricCancel,
        ] + prompts + warnings + flowEnds + approvals + errors

    /// Every text by its key.
    static let keyed = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })

    private static let prompts = [
        methodEnrollment, methodRemoval, unlockedPassword, registrationTitle, authenticationTitle, updateTitle,
        subtitle,
        tooShort, tooLong, notDigits,
        invalidText,
        unchangedPassword, remainingTries, digitsPolicy, charactersPolicy, keypadDelete, keypadDone, keypadEntered,
        keypadInstruction,
    ]
}

// The texts of warnings.
extension PromptText {
    package static let fellBackToPassword = Self(
        "orch_warning_password_instead", "The requested method is not available. The password is used instead.")
    package static let notSynchronized = Self(
        "orch_warning_not_synchronized", "The code is ready, but this device was not synchronized with the platform.")
    package static let platformNotInformed = Self(
        "orch_warning_platform_not_informed",
        "The user was deleted here, but the platform could not be informed. Please have this device revoked.")
    package static let methodKeysLeft = Self(
        "orch_warning_method_keys_left",
        "The user was deleted, but keys of a sign-in method are still on this device. They can no longer be used.")
    package static let notificationsPending = Self(
        "orch_warning_notifications_pending", "Notifications must be registered to complete the activation.")
    /// The text of ``Warning/Code/failedCodes(_:)``. `{count}` is the number of codes.
    package static let failedCodes = Self(
        "orch_warning_failed_codes",
        "Codes that were refused since the last contact: {count}. If you did not enter them, contact support.")
    /// The text of ``Warning/Code/failedPasswords(_:)``. `{count}` is the number of passwords.
    package static let failedPasswords = Self(
        "orch_warning_failed_passwords",
        "Wrong passwords since the right one before: {count}. If you did not enter them, change your password and "
            + "contact support.")
    package static let clockUncertain = Self(
        "orch_warning_clock", "The clock of this device differs from the platform's. Please check its date and time.")
    package static let softwareKeys = Self(
        "orch_warning_software_keys", "The keys of this device are kept in software.")

    package static let passwordNotConfirmed = Self(
        "orch_warning_password_not_confirmed",
        "The password was changed on this device. The platform confirms it when it is used next.")

    package static let methodRemovalNotConfirmed = Self(
        "orch_warning_method_removal_not_confirmed",
        "The method was removed on this device, but the platform could not be informed. Please remove it again later.")

    package static let renewEnrolledMethods = Self(
        "orch_warning_renew_methods",
        "Your other sign-in methods on this device stay valid. If another person may know the previous password, set "
            + "them up again.")
    package static let livenessFailed = Self(
        "orch_warning_liveness_failed", "The check did not find a living person.")
    package static let deviceDataMissing = Self(
        "orch_warning_device_data_missing", "Some data about this device could not be collected.")
    package static let deviceDataPermissionMissing = Self(
        "orch_warning_device_data_permission", "A permission for data about this device is missing.")
    package static let deviceDataFieldLeftOut = Self(
        "orch_warning_device_data_field", "A value about this device is not valid and was left out.")
    package static let deviceDataNotSent = Self(
        "orch_warning_device_data_not_sent", "The data about this device were not sent.")

    private static let warnings = [
        fellBackToPassword, notSynchronized, platformNotInformed, notificationsPending, failedCodes, failedPasswords,
        clockUncertain,
        softwareKeys, passwordNotConfirmed, methodRemovalNotConfirmed, methodKeysLeft, renewEnrolledMethods,
        livenessFailed,
        deviceDataMissing,
        deviceDataPermissionMissing, deviceDataFieldLeftOut, deviceDataNotSent,
    ]
}

/// The texts of an app: its own, and the texts of another catalog for those that it does not replace.
///
/// The English texts are ``default``, and the German ones ``german``. ``init(json:over:)`` reads the texts of an app.
public struct PromptCatalog: Sendable, Hashable {
    private let replacements: [PromptText: String]

    /// The English texts.
    public static let `default` = PromptCatalog()

    /// Creates a catalog.
    ///
    /// - Parameter replacements: The texts of the app. Missing texts stay English.
    package init(_ replacements: [PromptText: String] = [:]) {
        self.replacements = replacements
    }

    /// The text, with its placeholders.
    package subscript(_ text: PromptText) -> String {
        replacements[text] ?? text.defaultText
    }

    /// Returns the text for an input that was refused.
    public func text(for rejection: InputRejection) -> String {
        replacing("{count}", by: rejection.count.map { "\($0)" }, in: self[rejection.textKey])
    }

    /// Returns the text for a warning.
    public func text(for warning: Warning) -> String {
        replacing("{count}", by: warning.code.count.map { "\($0)" }, in: self[warning.code.text])
    }

    /// Returns the text for the form of a password.
    func text(for policy: PINPolicy) -> String {
        let (least, greatest) = (policy.minimumLength, policy.maximumLength)
        return replacing(
            "{length}", by: least == greatest ? "\(least)" : "\(least)-\(greatest)",
            in: self[policy.digitsOnly ? .digitsPolicy : .charactersPolicy])
    }

    func subtitle(account: String) -> String { replacing("{account}", by: account, in: self[.subtitle]) }

    /// Returns the text of a key, for example `orch_pinpad_btn_done`.
    ///
    /// - Parameters:
    ///   - key: A key of ``json``.
    ///   - count: The number instead of `{count}`; `nil` to keep the placeholders.
    /// - Returns: The text; the key itself where the SDK has no text for it.
    public func text(forKey key: String, count: Int? = nil) -> String {
        guard let text = PromptText.keyed[key] else { return key }
        return replacing("{count}", by: count.map { "\($0)" }, in: self[text])
    }

    /// Returns a text with a number instead of `{count}`.
    func text(for text: PromptText, count: Int) -> String { replacing("{count}", by: "\(count)", in: self[text]) }

    func replacing(_ placeholder: String, by value: String?, in text: String) -> String {
        guard let value else { return text }
        return text.split(separator: placeholder, omittingEmptySubsequences: false).joined(separator: value)
    }
}
