// Configuration.
extension OrchestrationError.Code {
    /// An argument of a configuration is outside its documented limits, for example a salt of fewer than 16 bytes or a
    /// name with characters that are not allowed. The message names the rule.
    public static let invalidConfiguration = Self(
        "invalidConfiguration", 101, .faultOfTheApp, .fault,
        "an argument of a configuration is outside its documented limits; correct the argument")

    /// The same code with the rule that the argument breaks.
    package static func invalidConfiguration(_ rule: String) -> Self {
        Self(
            invalidConfiguration.name, invalidConfiguration.number, invalidConfiguration.recovery,
            invalidConfiguration.text, rule)
    }

    /// An argument of a call is outside its documented limits: a field of a transaction, a notification identifier, an
    /// event or the data about it, or a value of more than 256 KiB for a store. Where one field is wrong,
    /// ``OrchestrationError/underlying`` is a `DataFieldError` that names it.
    public static let invalidArgument = Self(
        "invalidArgument", 103, .faultOfTheApp, .fault,
        "an argument of a call is outside its documented limits; correct the argument")
}

// The stored data of users.
extension OrchestrationError.Code {
    /// Another process or task held the user's data for longer than the waiting time. Nothing was changed; try again.
    public static let storeBusy = Self(
        "storeBusy", 201, .tryAgain, .storeBusy, "another process has held the user's data for too long; try again")

    /// The stored bytes are damaged. Nothing of them is used. The recovery: delete the user and activate again.
    public static let storeCorrupt = Self(
        "storeCorrupt", 202, .activateAgain, .storeCorrupt,
        "the stored data is damaged; delete the user and activate again")

    /// The data was written by a newer version of the SDK. The recovery: update the app.
    public static let storeNewerVersion = Self(
        "storeNewerVersion", 204, .updateApp, .storeNewerVersion,
        "the stored data was written by a newer version; update the app")

    /// The data is intact but belongs to another device, as after a backup was restored elsewhere. The recovery: delete
    /// the user here, activate this device, and revoke the other one at the platform.
    public static let storeRestoredElsewhere = Self(
        "storeRestoredElsewhere", 205, .activateAgain, .storeRestoredElsewhere,
        "the stored data belongs to another device; delete the user here, activate this device, and revoke "
            + "the other one")

    /// The system keeps the data locked, for example until the device is unlocked. The recovery: try again then.
    public static let storeLocked = Self(
        "storeLocked", 206, .tryAgain, .storeLocked,
        "the system keeps the stored data locked; try again when the device is unlocked")

    /// The storage cannot be read or written: the folder does not exist, permission is missing, the file has another
    /// type, or the disk is full.
    public static let storeUnavailable = Self(
        "storeUnavailable", 207, .tryAgain, .storeUnavailable, "the storage cannot be read or written")

    /// The store has no such user, or the user was deleted during the call.
    public static let userUnknown = Self(
        "userUnknown", 209, .activateAgain, .notActivated, "there is no such user on this device; activate the user")

    /// The device cannot create or use a key.
    public static let deviceKeyUnavailable = Self(
        "deviceKeyUnavailable", 210, .tryAgain, .deviceKeyUnavailable,
        "the device cannot create or use a key; try again, and activate again when a key is lost")
}

// The input of the user.
extension OrchestrationError.Code {
    /// The user's input cannot be read: there is no terminal, or the descriptor is not open.
    public static let inputUnavailable = Self(
        "inputUnavailable", 301, .faultOfTheApp, .fault,
        "there is no terminal or open descriptor to read from; run at a terminal, or give an open descriptor")

    /// The input is empty where a secret is needed, or longer than 128 bytes.
    public static let invalidInput = Self(
        "invalidInput", 302, .tryAgain, .invalidInput, "the input is empty, or longer than 128 bytes; ask again")

    /// No reader of a ``PromptQueue`` took a prompt within 10 seconds, or the app has released the
    /// prompt or its ``PromptModel`` while the prompt was open.
    public static let promptUnanswered = Self(
        "promptUnanswered", 304, .faultOfTheApp, .fault,
        "no reader took the prompt, or it was released without an answer; read the prompts, and keep each one")
}

// Flows.
extension OrchestrationError.Code {
    /// The transport returned no answer, even after repetitions. Try again when there is a network.
    public static let transport = Self(
        "transport", 401, .tryAgain, .transport, "the platform could not be reached; try again when there is a network")

    /// The answers to the command were damaged or are not the platform's.
    public static let invalidAnswer = Self(
        "invalidAnswer", 402, .tryAgain, .invalidAnswer,
        "the answers were damaged or are not the platform's; check the address and the tenant, and try again")

    /// Two iterators pulled one stream at the same time. A flow has one consumer; start a flow for each.
    public static let consumedTwice = Self(
        "consumedTwice", 403, .faultOfTheApp, .fault, "two iterators pull the same flow; start a flow for each")

    /// The user id or the domain is outside its limits (1 to 64 characters, no `@`, no `/`, no control character).
    public static let invalidUser = Self(
        "invalidUser", 406, .tryAgain, .invalidUser, "the user id or the domain is outside its limits; correct it")

    /// The user is activated on this device already. To activate again, delete the user first.
    public static let alreadyActivated = Self(
        "alreadyActivated", 407, .nothing, .alreadyActivated,
        "the user is activated on this device already; use the user, or delete the user first")

    /// The activation link is for a platform other than the app's platform.
    public static let linkOfOtherPlatform = Self(
        "linkOfOtherPlatform", 419, .nothing, .linkOfOtherPlatform,
        "the activation link is for another tenant than that of the configuration; use the app of that platform")

    /// The user is not activated on this device, or the activation was not finished.
    public static let notActivated = Self(
        "notActivated", 408, .activateAgain, .notActivated,
        "the user is not activated on this device, or the activation was not finished; activate, or finish "
            + "the activation")

    /// The user is locked on this device: the platform has locked the device after too many wrong passwords, in this
    /// call or before. Ask for an unlock code, and call ``UserHandle/unlock(with:)-(SecretBytes)``. With a new
    /// activation password the user can activate again instead. After an activation that was not complete, the user
    /// must do so. For a user who is locked for another reason, the calls that throw this code throw ``cloneSuspected``
    /// or ``revoked``.
    public static let userLocked = Self(
        "userLocked", 409, .unlock, .deviceLocked,
        "the user is locked on this device; unlock it with an unlock code, or activate again with a new activation "
            + "password")

    /// Another flow or process has changed the password meanwhile. Nothing was sent that was made with the previous
    /// password. Start again, with the current password.
    public static let passwordChanged = Self(
        "passwordChanged", 410, .tryAgain, .changedPassword,
        "the password was changed meanwhile by another flow or process; start again with the current password")

    /// There is no provider for the method, or it cannot ask now.
    public static let providerUnavailable = Self(
        "providerUnavailable", 411, .faultOfTheApp, .fault,
        "there is no provider that can ask for the method; give the orchestrator one that is available")

    /// The platform has not issued the requested crypto application, or the application has another purpose: it signs
    /// and a one-time password was requested, or it makes one-time passwords and a signature was requested.
    public static let applicationUnsuitable = Self(
        "applicationUnsuitable", 413, .faultOfTheApp, .fault,
        "the platform has not issued this crypto application, or it makes codes of another kind; name an "
            + "application of the user information")

    /// The crypto application needs a challenge, and the challenge is missing, empty or over 128 bytes; or a challenge
    /// was given to a crypto application that does not take one.
    public static let invalidChallenge = Self(
        "invalidChallenge", 415, .tryAgain, .invalidChallenge,
        "the challenge is missing, empty, longer than 128 bytes, or not taken by this crypto application; ask "
            + "for the challenge of the site, or leave it out")

    /// The data to seal is empty, has more than 64 MiB, cannot be read, or has changed while it was read; or its text or
    /// its name is outside its limits. Nothing was sealed. The message names the rule.
    public static let invalidSealData = Self(
        "invalidSealData", 417, .tryAgain, .invalidSealData,
        "the data to seal is empty, too large, cannot be read, or has changed while it was read; choose other data, "
            + "or try again")

    /// The same code with the rule that the data breaks.
    static func invalidSealData(_ rule: String) -> Self {
        Self(
            invalidSealData.name, invalidSealData.number, invalidSealData.recovery, invalidSealData.text,
            "\(rule); choose other data, or try again")
    }

    /// The platform accepts no seals of this device: its policy has turned them off, or the device has not synchronized
    /// since they were turned on.
    public static let sealsUnavailable = Self(
        "sealsUnavailable", 418, .nothing, .sealsUnavailable,
        "the platform accepts no seals; do not offer them, and synchronize when they are turned on")
}

// Approvals and commands.
extension OrchestrationError.Code {
    /// The loop continued without a decision about the approval request. Decide at ``FlowEvent/approvalRequired(_:)``.
    /// No answer was sent, and the request can be opened again.
    public static let undecided = Self(
        "undecided", 501, .nothing, .approvalUndecided,
        "an approval request needs a decision before the next event; no answer was sent, and the request can "
            + "be opened again")

    /// The approval request was decided before, or its flow has ended.
    public static let alreadyDecided = Self(
        "alreadyDecided", 502, .nothing, .alreadyDecided,
        "the approval request was decided already, or its flow has ended; decide once")

    /// The call was canceled after the answer to an approval request was sent. The device keeps the answer, and the next
    /// flow of the request sends it again for its receipt.
    public static let outcomeUnknown = Self(
        "outcomeUnknown", 516, .tryAgain, .outcomeUnknown,
        "the answer was sent, and the call was canceled before the platform replied; open the request again for "
            + "its receipt")

    /// The number does not have the form that the approval request asks for. The user can type it again.
    ///
    /// - Parameter digits: How many digits the number has; 0 for a request that asks for no number.
    public static func invalidNumber(digits: Int) -> Self {
        let message =
            digits == 0
            ? "the approval request asks for no number"
            : "the number of the site has \(digits) digits"
        return Self("invalidNumber", 503, .tryAgain, .invalidNumber, message)
    }

    /// An approval request has a field that this version cannot show. It cannot be decided on this device. Update the
    /// app.
    public static let cannotDisplay = Self(
        "cannotDisplay", 504, .updateApp, .cannotDisplay,
        "the approval request has a field that this version cannot show; update the app")

    /// The command is damaged, of a kind that this version does not know, or a request of a device to the platform.
    public static let commandUnknown = Self(
        "commandUnknown", 505, .tryAgain, .commandUnknown,
        "the command is damaged, not for a device, or of a kind that this version does not know; fetch it "
            + "again, or update the app")

    /// No flow of this process waits for the reply: it belongs to another process, it came twice or too late, or the
    /// orchestrator's transport is not a ``RelayTransport``.
    public static let replyNotExpected = Self(
        "replyNotExpected", 507, .faultOfTheApp, .fault,
        "no flow of this process waits for the reply; pass a reply once, to the process that has sent the request")

    /// The number that the user typed is not the matching number. The approval request has ended.
    public static let wrongNumber = Self(
        "wrongNumber", 508, .nothing, .approvalWrongNumber,
        "the number is not the number of the site, and the approval request has ended; start again at the site")

    /// The policy of the platform does not accept the method of the answer. The approval request has ended.
    public static let methodRefused = Self(
        "methodRefused", 509, .nothing, .approvalMethodRefused,
        "the policy does not accept the method of the answer, and the approval request has ended; start again "
            + "at the site, on a device with the method")

    /// The approval request was not answered in time.
    public static let approvalExpired = Self(
        "approvalExpired", 511, .nothing, .approvalExpired,
        "the approval request was not answered in time; start again at the site")

    /// A device of the user has answered the approval request.
    public static let approvalAnswered = Self(
        "approvalAnswered", 512, .nothing, .approvalAnswered, "a device of the user has answered the approval request")

    /// A newer login has replaced the approval request.
    public static let approvalReplaced = Self(
        "approvalReplaced", 513, .nothing, .approvalReplaced,
        "a newer login has replaced the approval request; open the newer one")

    /// The application server has canceled the approval request.
    public static let approvalCanceled = Self(
        "approvalCanceled", 514, .nothing, .approvalCanceled,
        "the application server has canceled the approval request; start again at the site")

    /// No user of this app has such an approval request.
    public static let approvalUnknown = Self(
        "approvalUnknown", 515, .nothing, .approvalUnknown,
        "no user of this app has such an approval request; open it on the device of its user")
}

// The ends of flows.
extension OrchestrationError.Code {
    /// The user canceled at a prompt, or failed the method.
    public static let canceled = Self(
        "canceled", 601, .nothing, .abortedByUser, "the user canceled at a prompt, or failed the method")

    /// The input did not have the form of the password, as often as the policy allows tries; or ten inputs could not be
    /// the new password. No try was counted. The flow ends, because a provider that is not a person may return the same
    /// input indefinitely.
    public static let inputRejectedTooOften = Self(
        "inputRejectedTooOften", 602, .tryAgain, .inputRejectedTooOften,
        "too many inputs had another form than the password, and no try was counted; start again")

    /// A newer flow of the same kind was started for the same user, or for the same approval request.
    public static let superseded = Self(
        "superseded", 603, .nothing, .superseded,
        "a newer flow of the same kind for the same user was started; follow the newer flow")

    /// The text is not an activation password: it does not have twelve characters without spaces and hyphens, a
    /// character cannot occur in one, or two are exchanged. Detected on the device; no try is spent. The text for the
    /// user names the fault.
    public static let activationPasswordMistyped = Self(
        "activationPasswordMistyped", 604, .tryAgain, .activationPasswordMistyped,
        "the text is not an activation password; ask for it again")

    /// The platform did not prove that it knows the activation password: the password is wrong, spent or expired, the
    /// user is another one, or the peer is not the platform. These cases cannot be distinguished, by design.
    public static let activationPasswordNotConfirmed = Self(
        "activationPasswordNotConfirmed", 605, .tryAgain, .activationPasswordNotConfirmed,
        "the platform did not prove that it knows the activation password; check user and password, or ask "
            + "for a new one")

    /// This device has tried activation passwords with this handle three times without success. Ask for a new one. The
    /// limit bounds the guesses of a false platform, which gets one in each run.
    public static let activationPasswordTriedTooOften = Self(
        "activationPasswordTriedTooOften", 606, .activateAgain, .activationPasswordTriedTooOften,
        "this device has tried activation passwords with this beginning three times in vain; ask for a new "
            + "activation password")

    /// The platform was restored from a backup and has suspended this device, until its operator confirms that the
    /// device was not revoked. The data on the device stays valid: ask the operator, and try again.
    public static let suspended = Self(
        "suspended", 607, .contact, .deviceSuspended,
        "the platform was restored and has suspended the device; contact the operator, and try again later")

    /// The platform has seen a newer state of this device than the one in the store: the store was copied, or restored
    /// from a backup. The user is now locked on this device, and later calls end with the same code: activate again.
    public static let cloneSuspected = Self(
        "cloneSuspected", 608, .activateAgain, .cloneSuspected,
        "the store was copied or restored from a backup, and the user is locked on this device; activate again")

    /// The platform has revoked this device: activate again. A user who was activated is now locked on it, and later
    /// calls end with the same code; a device whose activation was not complete was deleted already.
    public static let revoked = Self(
        "revoked", 609, .activateAgain, .deviceRevoked, "the platform has revoked the device; activate again")

    /// The user has the maximum number of devices that the platform's policy allows. Revoke one of them, and activate
    /// again.
    public static let deviceLimitReached = Self(
        "deviceLimitReached", 610, .tryAgain, .deviceLimitReached,
        "the user has as many devices as allowed; revoke one of them, and activate again")

    /// The platform asks to wait, for ``OrchestrationError/retryAfter`` where the answer named a time.
    public static let rateLimited = Self(
        "rateLimited", 611, .wait(nil), .rateLimited,
        "the platform asks to wait; wait as long as it says, and try again")

    /// The check of a method failed during its enrollment. The method is not enrolled.
    public static let methodFailed = Self(
        "methodFailed", 612, .tryAgain, .biometricFailed,
        "the check of a method failed during its enrollment, and the method is not enrolled; enroll again")

    /// The platform refused for a reason that an app cannot treat. ``OrchestrationError/refusalNumber`` is its number.
    public static let refused = Self(
        "refused", 613, .contact, .refused,
        "the platform refused for another reason; report the number of the refusal to the operator")

    /// The platform is newer than the app, and refused for a reason that this version does not know.
    /// ``OrchestrationError/refusalNumber`` is its number. Update the app.
    public static let refusalUnknown = Self(
        "refusalUnknown", 614, .updateApp, .refusalUnknown,
        "the platform refused for a reason that this version does not know; update the app")

    /// The exchange of keys took longer than the platform keeps it, two minutes. Nothing is lost: start again with the
    /// same activation password.
    public static let exchangeExpired = Self(
        "exchangeExpired", 615, .tryAgain, .exchangeExpired,
        "the exchange of keys took longer than two minutes; start again with the same activation password")

    /// The activation was begun and not completed within the platform's limit, 30 minutes at most. The platform has
    /// dropped the device, and the activation password has also expired: ask for a new one.
    public static let activationExpired = Self(
        "activationExpired", 616, .activateAgain, .activationExpired,
        "the activation was not completed in time; ask for a new activation password")

    /// The text is not an unlock code: it does not have twelve characters without spaces and hyphens, a character cannot
    /// occur in one, or two are exchanged. Detected on the device; no try is spent. The text for the user names the
    /// fault.
    public static let unlockCodeMistyped = Self(
        "unlockCodeMistyped", 617, .tryAgain, .unlockCodeMistyped, "the text is not an unlock code; ask for it again")

    /// The platform does not accept the unlock code: it is wrong, used or expired, or belongs to another device.
    /// ``OrchestrationError/remainingTries`` is the number of tries that remain after a wrong code; it is `nil` for any
    /// other code. After an unlock that ended with `transport`, the code may be used because the platform has received
    /// all of it: then the new password works.
    public static let unlockCodeRefused = Self(
        "unlockCodeRefused", 618, .contact, .unlockCodeRefused,
        "the unlock code is wrong, used or expired, or belongs to another device; check it, or ask for a new one")
}

// Faults.
extension OrchestrationError.Code {
    /// A provider, a store or a transport of the app threw another error; see ``OrchestrationError/underlying``.
    public static let unexpected = Self(
        "unexpected", 901, .faultOfTheApp, .fault,
        "code of the app threw an error of its own; read the underlying error")

    /// The SDK has reached a state that it excludes. Please report it.
    public static let `internal` = Self("internal", 902, .contact, .fault, "internal inconsistency; please report this")
}

extension OrchestrationError.Code {
    /// Every code. The article *Errors and warnings* lists the same codes.
    package static let all: [Self] = configuration + storage + input + flows + approvals + ends + faults

    private static let configuration = [invalidConfiguration, invalidArgument]

    private static let storage = [
        storeBusy, storeCorrupt, storeNewerVersion, storeRestoredElsewhere, storeLocked, storeUnavailable, userUnknown,
        deviceKeyUnavailable,
    ]

    private static let input = [inputUnavailable, invalidInput, promptUnanswered]

    private static let flows = [
        transport, invalidAnswer, consumedTwice, invalidUser, alreadyActivated, linkOfOtherPlatform,
        notActivated, userLocked,
        passwordChanged, providerUnavailable, applicationUnsuitable, invalidChallenge,
        invalidSealData, sealsUnavailable,
    ]

    private static let approvals = [
        undecided, alreadyDecided, outcomeUnknown, invalidNumber(digits: 6), cannotDisplay, commandUnknown,
        replyNotExpected, wrongNumber, methodRefused, approvalExpired,
        approvalAnswered, approvalReplaced, approvalCanceled,
        approvalUnknown,
    ]

    private static let ends = [
        canceled, inputRejectedTooOften, superseded, activationPasswordMistyped, activationPasswordNotConfirmed,
        activationPasswordTriedTooOften, suspended, cloneSuspected, revoked, deviceLimitReached, rateLimited,
        methodFailed, refused, refusalUnknown, exchangeExpired, activationExpired, unlockCodeMistyped,
        unlockCodeRefused,
    ]

    private static let faults = [unexpected, `internal`]

    /// The codes of flows whose subject has expired or was dealt with elsewhere. They end with
    /// ``FlowEvent/outdated(_:)``, and all others with ``FlowEvent/aborted(_:)``.
    package static let outdated: Set<Self> = [
        exchangeExpired, activationExpired, approvalExpired, approvalAnswered, approvalReplaced, approvalCanceled,
        approvalUnknown,
    ]
}
