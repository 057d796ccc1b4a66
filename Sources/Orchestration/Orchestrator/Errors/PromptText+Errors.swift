/// The texts of errors. ``OrchestrationError/userMessage(in:)`` returns them.
extension PromptText {
    /// States that the app has a fault that the user cannot correct. `{count}` is the number of the code.
    package static let fault = Self(
        "orch_error_fault", "Something in this app went wrong (number {count}). Please contact support.")
    /// States that another process uses the stored data.
    package static let storeBusy = Self("orch_error_store_busy", "The data of this app is in use. Please try again.")
    /// States that the stored data is damaged.
    package static let storeCorrupt = Self(
        "orch_error_store_corrupt", "The data of this app is damaged. Please activate this device again.")
    /// States that a newer version of the app has written the data.
    package static let storeNewerVersion = Self(
        "orch_error_store_newer", "A newer version of this app has written its data. Please update the app.")
    /// States that the stored data belongs to another device.
    package static let storeRestoredElsewhere = Self(
        "orch_error_store_restored", "The data of this app belongs to another device. Please activate this device.")
    /// States that the system keeps the data locked.
    package static let storeLocked = Self(
        "orch_error_store_locked", "The data of this app is locked. Please unlock this device and try again.")
    /// States that the storage cannot be used.
    package static let storeUnavailable = Self(
        "orch_error_store_unavailable",
        "The data of this app cannot be read or written. Please check the storage of this device and try again.")
    /// States that the device cannot use a key.
    package static let deviceKeyUnavailable = Self(
        "orch_error_device_key",
        "The keys of this device cannot be used. Please try again, or activate this device again.")
    /// States that an input is empty or too long.
    package static let invalidInput = Self(
        "orch_error_input", "The input is empty or too long. Please try again.")
    /// States that the platform cannot be reached.
    package static let transport = Self(
        "orch_error_transport", "The service cannot be reached. Please check the network and try again.")
    /// States that an answer is not the platform's.
    package static let invalidAnswer = Self(
        "orch_error_answer", "The answer could not be verified. Please try again, or contact support.")
    /// States that a name cannot be a user.
    package static let invalidUser = Self("orch_error_user", "This cannot be a user name. Please check it.")
    /// States that the user is activated.
    package static let alreadyActivated = Self("orch_error_activated", "This device is activated for you already.")
    /// States that an activation link is for another app.
    package static let linkOfOtherPlatform = Self(
        "orch_error_link", "This activation link is for another app. Please use that app.")
    /// States that the user is not activated.
    package static let notActivated = Self(
        "orch_error_not_activated", "This device is not activated for you. Please activate it.")
    /// States that the password was changed during a flow.
    package static let changedPassword = Self(
        "orch_error_password_changed", "Your password was changed meanwhile. Please start again with the new one.")
    /// States that a challenge cannot be used.
    package static let invalidChallenge = Self(
        "orch_error_challenge", "No code can be made for this challenge. Please check it.")
    /// States that the chosen data cannot be sealed.
    package static let invalidSealData = Self(
        "orch_error_seal_data",
        "This cannot be sealed. Please check that it is not empty, not too large, and not in use.")
    /// States that the platform accepts no seals.
    package static let sealsUnavailable = Self("orch_error_seals", "The service does not accept seals.")
    /// States that the user has decided before.
    package static let alreadyDecided = Self("orch_error_decided", "You have decided about this already.")
    /// States that the answer was sent, and that its outcome is not known.
    package static let outcomeUnknown = Self(
        "orch_error_outcome_unknown", "Your answer was sent. Please open the request again to see whether it arrived.")
    /// States that the number does not have the form of the matching number.
    package static let invalidNumber = Self(
        "orch_error_number", "The site shows another kind of number. Please check it.")
    /// States that a newer version is needed to show an approval request.
    package static let cannotDisplay = Self(
        "orch_error_display", "This version of the app cannot show the request. Please update the app.")
    /// States that a code or message is not one for the app.
    package static let commandUnknown = Self(
        "orch_error_command", "This is not a request for this app. Please try again, or update the app.")
    /// States that a newer version is needed to show the reason for a refusal. `{count}` is the number of the reason.
    package static let refusalUnknown = Self(
        "orch_error_refusal_unknown",
        "The request was refused for a reason that this version does not know (number {count}). Please update the app.")

    /// The texts of errors.
    static let errors: [PromptText] = [
        fault, storeBusy, storeCorrupt, storeNewerVersion, storeRestoredElsewhere, storeLocked, storeUnavailable,
        deviceKeyUnavailable, invalidInput, transport, invalidAnswer, invalidUser, alreadyActivated,
        linkOfOtherPlatform, notActivated,
        changedPassword, invalidChallenge, invalidSealData, sealsUnavailable, alreadyDecided, outcomeUnknown,
        invalidNumber, cannotDisplay,
        commandUnknown, refusalUnknown,
    ]
}
