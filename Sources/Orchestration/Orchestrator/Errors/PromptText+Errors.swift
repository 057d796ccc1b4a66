/// The texts of errors. ``OrchestrationError/userMessage(in:)`` returns them.
extension PromptText {
    /// States that the app has a fault that the user cannot correct. `{count}` is the number of the code.
    package static let fault = Self(
        "orch_error_fault", "Something in this app went wrong (number {count}). Please contact support.")
    package static let storeBusy = Self("orch_error_store_busy", "The data of this app is in use. Please try again.")
    package static let storeCorrupt = Self(
        "orch_error_store_corrupt", "The data of this app is damaged. Please activate this device again.")
    package static let storeNewerVersion = Self(
        "orch_error_store_newer", "A newer version of this app has written its data. Please update the app.")
    package static let storeRestoredElsewhere = Self(
        "orch_error_store_restored", "The data of this app belongs to another device. Please activate this device.")
    package static let storeLocked = Self(
        "orch_error_store_locked", "The data of this app is locked. Please unlock this device and try again.")
    package static let storeUnavailable = Self(
        "orch_error_store_unavailable",
        "The data of this app cannot be read or written. Please check the storage of this device and try again.")
    package static let deviceKeyUnavailable = Self(
        "orch_error_device_key",
        "The keys of this device cannot be used. Please try again, or activate this device again.")
    package static let invalidInput = Self(
        "orch_error_input", "The input is empty or too long. Please try again.")
    package static let transport = Self(
        "orch_error_transport", "The service cannot be reached. Please check the network and try again.")
    package static let invalidAnswer = Self(
        "orch_error_answer", "The answer could not be verified. Please try again, or contact support.")
    package static let invalidUser = Self("orch_error_user", "This cannot be a user name. Please check it.")
    package static let alreadyActivated = Self("orch_error_activated", "This device is activated for you already.")
    package static let linkOfOtherPlatform = Self(
        "orch_error_link", "This activation link is for another app. Please use that app.")
    package static let notActivated = Self(
        "orch_error_not_activated", "This device is not activated for you. Please activate it.")
    package static let changedPassword = Self(
        "orch_error_password_changed", "Your password was changed meanwhile. Please start again with the new one.")
    package static let invalidChallenge = Self(
        "orch_error_challenge", "No code can be made for this challenge. Please check it.")
    package static let invalidSealData = Self(
        "orch_error_seal_data",
        "This cannot be sealed. Please check that it is not empty, not too large, and not in use.")
    package static let sealsUnavailable = Self("orch_error_seals", "The service does not accept seals.")
    package static let alreadyDecided = Self("orch_error_decided", "You have decided about this already.")
    package static let outcomeUnknown = Self(
        "orch_error_outcome_unknown", "Your answer was sent. Please open the request again to see whether it arrived.")
    package static let invalidNumber = Self(
        "orch_error_number", "The site shows another kind of number. Please check it.")
    package static let cannotDisplay = Self(
        "orch_error_display", "This version of the app cannot show the request. Please update the app.")
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
