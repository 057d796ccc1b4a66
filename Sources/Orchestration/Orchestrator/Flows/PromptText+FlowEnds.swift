/// The texts for the ends of flows.
extension PromptText {
    package static let abortedByUser = Self("orch_flow_aborted", "Canceled.")
    package static let inputRejectedTooOften = Self(
        "orch_flow_input_rejected", "Too many entries were not a password of this device. Please start again.")
    package static let superseded = Self("orch_flow_superseded", "This was started again, so the first one has ended.")
    /// States that the platform refused without a reason that the user can act on. `{count}` is the number of the
    /// reason.
    package static let refused = Self("orch_flow_refused", "The request was refused (number {count}).")
    package static let rateLimited = Self("orch_flow_rate_limited", "Too many requests. Please try again later.")
    /// States that the platform asks to wait for a time. `{count}` is the number of seconds.
    package static let rateLimitedForSeconds = Self(
        "orch_flow_rate_limited_seconds", "Too many requests. Please try again in {count} s.")
    package static let deviceLocked = Self(
        "orch_flow_locked",
        "This device is locked after wrong passwords. Ask for an unlock code or a new activation password, "
            + "or contact support.")
    package static let deviceSuspended = Self(
        "orch_flow_suspended", "This device is suspended until support confirms it. Please contact support.")
    package static let cloneSuspected = Self(
        "orch_flow_clone_suspected",
        "The data of this device was copied or restored, so it is locked. Please activate it again.")
    package static let deviceRevoked = Self(
        "orch_flow_revoked", "This device was revoked. Please activate it again.")
    package static let deviceLimitReached = Self(
        "orch_flow_device_limit", "You have as many devices as allowed. Remove one and try again.")
    package static let exchangeExpired = Self(
        "orch_activation_exchange_expired",
        "This took too long. Please start again with the same activation password.")
    package static let activationExpired = Self(
        "orch_activation_expired",
        "The activation was not completed in time. Please ask for a new activation password.")
    package static let activationPasswordLength = Self(
        "orch_activation_password_length", "An activation password has 12 characters. Please check it.")
    /// States that an activation password has a character that cannot occur in one. `{count}` is its position, counted
    /// from 1.
    package static let activationPasswordCharacter = Self(
        "orch_activation_password_character",
        "Character {count} of the activation password cannot occur in one. Please check it.")
    package static let activationPasswordMistyped = Self(
        "orch_activation_password_mistyped", "The activation password has a typing error. Please check it.")
    package static let activationPasswordNotConfirmed = Self(
        "orch_activation_password_not_confirmed",
        "The activation password was not confirmed. "
            + "Check the user and the password, or ask for a new activation password.")
    package static let activationPasswordTriedTooOften = Self(
        "orch_activation_password_too_often",
        "This activation password was tried too often. Please ask for a new one.")
    package static let unlockCodeLength = Self(
        "orch_unlock_code_length", "An unlock code has 12 characters. Please check it.")
    /// States that an unlock code has a character that cannot occur in one. `{count}` is its position, counted from 1.
    package static let unlockCodeCharacter = Self(
        "orch_unlock_code_character", "Character {count} of the unlock code cannot occur in one. Please check it.")
    package static let unlockCodeMistyped = Self(
        "orch_unlock_code_mistyped", "The unlock code has a typing error. Please check it.")
    package static let unlockCodeRefused = Self(
        "orch_unlock_code_refused", "The unlock code was not accepted. Please check it, or ask for a new one.")
    /// States that the platform does not accept an unlock code. `{count}` is the number of tries that are left.
    package static let unlockCodeRefusedWithTries = Self(
        "orch_unlock_code_refused_tries",
        "The unlock code was not accepted. Please check it, or ask for a new one. Tries left: {count}.")

    /// The texts for the ends of flows.
    static let flowEnds: [PromptText] = [
        abortedByUser, inputRejectedTooOften, superseded, refused, rateLimited, rateLimitedForSeconds, deviceLocked,
        deviceSuspended, cloneSuspected, deviceRevoked, deviceLimitReached, exchangeExpired, activationExpired,
        activationPasswordLength, activationPasswordCharacter, activationPasswordMistyped,
        activationPasswordNotConfirmed,
        activationPasswordTriedTooOften, unlockCodeLength, unlockCodeCharacter, unlockCodeMistyped, unlockCodeRefused,
        unlockCodeRefusedWithTries,
    ]
}
