internal import Primitives

// Configuration.
extension OrchestrationError.Code {
    /// An argument is outside its documented limits, for example a salt of fewer than 16 bytes or a name with
    /// characters that are not allowed.
    public static let invalidConfiguration = Self(
        "invalidConfiguration", .caller, "an argument is outside its documented limits")

    /// The same code with the rule that the argument breaks.
    package static func invalidConfiguration(_ rule: String) -> Self {
        Self(invalidConfiguration.name, .caller, rule)
    }
}

// The stored data of users.
extension OrchestrationError.Code {
    /// Another process or task held the user's data for longer than the waiting time. Nothing was changed; try again.
    public static let storeBusy = Self(
        "storeBusy", .environment, "another process has held the user's data for too long; try again")

    /// The stored bytes are damaged. Nothing of them is used. The way out: delete the user and activate again.
    public static let storeCorrupt = Self(
        "storeCorrupt", .environment, "the stored data is damaged; delete the user and activate again")

    /// The data was written by a newer version of the SDK. The way out: update the app.
    public static let storeNewerVersion = Self(
        "storeNewerVersion", .environment, "the stored data was written by a newer version; update the app")

    /// The data is intact but belongs to another device, as after a backup was restored elsewhere. The way out: delete
    /// the user here, activate this device, and revoke the other one at the platform.
    public static let storeRestoredElsewhere = Self(
        "storeRestoredElsewhere", .user,
        "the stored data belongs to another device; delete the user and activate this device")

    /// The system keeps the data locked, for example until the device is unlocked. The way out: try again then.
    public static let storeLocked = Self(
        "storeLocked", .environment, "the system keeps the stored data locked; try again when the device is unlocked")

    /// The storage cannot be read or written: no such folder, no permission, another kind of file, a full disk.
    public static let storeUnavailable = Self(
        "storeUnavailable", .environment, "the storage cannot be read or written")

    /// A value is larger than a store keeps under one name, 256 KiB.
    public static let storeTooLarge = Self(
        "storeTooLarge", .caller, "a value is larger than a store keeps under one name")

    /// The store has no such user, or the user was deleted during the call.
    public static let userUnknown = Self("userUnknown", .caller, "there is no such user on this device")

    /// The device cannot create or use a key.
    public static let deviceKeyUnavailable = Self(
        "deviceKeyUnavailable", .environment, "the device cannot create or use a key")
}

// The input of the user.
extension OrchestrationError.Code {
    /// There is nothing to read the user's input from: no terminal, or a descriptor that is not open.
    public static let inputUnavailable = Self(
        "inputUnavailable", .environment, "there is no terminal or open descriptor to read from")

    /// The input is empty where a secret is needed.
    public static let inputEmpty = Self("inputEmpty", .user, "the input is empty")

    /// The input is longer than 128 bytes.
    public static let inputTooLong = Self("inputTooLong", .user, "the input is longer than 128 bytes")

    /// No reader of a ``PromptQueue`` took a prompt within ``PromptQueue/readerLimit``, or the app has released the
    /// prompt or its ``PromptModel`` while the prompt was open.
    public static let promptUnanswered = Self(
        "promptUnanswered", .caller,
        "no reader took the prompt, or it was released without an answer; read the prompts, and keep each one")
}

// Flows.
extension OrchestrationError.Code {
    /// The transport brought no answer, also after repetitions. Try again when there is a network.
    public static let transport = Self(
        "transport", .environment, "the platform could not be reached")

    /// The answers to the command were damaged or are not the platform's.
    public static let invalidAnswer = Self(
        "invalidAnswer", .peer, "the answers were damaged or are not the platform's")

    /// Two iterators pulled one stream at the same time. A flow has one consumer; start a flow for each.
    public static let consumedTwice = Self(
        "consumedTwice", .caller, "two iterators pull the same flow; a flow has one consumer")

    /// The call of a flow whose terminal event was ``FlowEvent/aborted(_:)``. See ``OrchestrationError/abortCause``.
    public static let aborted = Self("aborted", .user, "the flow was aborted")

    /// The call of a flow whose terminal event was ``FlowEvent/outdated(_:)``.
    public static let outdated = Self("outdated", .user, "the subject of the flow has expired")

    /// The user id or the domain is outside its limits (1 to 64 characters, no `@`, no `/`, no control character).
    public static let invalidUser = Self("invalidUser", .caller, "the user id or the domain is outside its limits")

    /// The user is activated on this device already. To activate again, delete the user first.
    public static let alreadyActivated = Self(
        "alreadyActivated", .caller, "the user is activated on this device already")

    /// The user is not activated on this device, or the activation was not finished.
    public static let notActivated = Self("notActivated", .caller, "the user is not activated on this device")

    /// The user is locked on this device: the platform has locked or revoked the device, or the store is a copy. Ask for
    /// a new activation password, and activate again.
    public static let userLocked = Self(
        "userLocked", .environment, "the user is locked on this device; activate again with a new activation password")

    /// Another flow or process has changed the password meanwhile. Nothing was sent that was made with the earlier one.
    /// Start again, with the present password.
    public static let passwordChanged = Self(
        "passwordChanged", .environment,
        "the password was changed meanwhile by another flow or process; start again with the present password")

    /// There is no provider for the method, or it cannot ask now.
    public static let providerUnavailable = Self(
        "providerUnavailable", .caller, "there is no provider that can ask for the method")

    /// The platform has not issued the crypto application that was asked for.
    public static let applicationUnknown = Self(
        "applicationUnknown", .caller, "the platform has not issued this crypto application")

    /// The crypto application is for something else: a one-time password was asked of one that signs, or a signature of
    /// one that makes one-time passwords.
    public static let applicationUnsuitable = Self(
        "applicationUnsuitable", .caller, "this crypto application makes codes of another kind")

    /// The crypto application answers a challenge, and none was given.
    public static let challengeRequired = Self(
        "challengeRequired", .caller, "this crypto application needs a challenge")

    /// A challenge was given to a crypto application that takes none, or it is empty or over 128 bytes.
    public static let invalidChallenge = Self(
        "invalidChallenge", .caller, "the challenge is empty, too long, or not taken by this crypto application")

    /// A field of a local transaction is outside its limits, or there are none or more than eight. The
    /// ``OrchestrationError/underlying`` error is a `DataFieldError` that names the field.
    public static let invalidDataField = Self(
        "invalidDataField", .caller, "a field of the transaction is outside its limits, or there are not 1 to 8")

    /// The name of an event or the data about it are empty, too long, or have a control character; or the settings
    /// leave no device data to send.
    public static let invalidDeviceData = Self(
        "invalidDeviceData", .caller, "the event or the device data are outside their limits, or there are none")

    /// The notification identifier is empty or over 1,024 bytes.
    public static let invalidNotificationIdentifier = Self(
        "invalidNotificationIdentifier", .caller, "the notification identifier is empty or over 1,024 bytes")

    /// The call of a flow that asks for a decision about an approval request. Iterate the flow, and decide at
    /// ``FlowEvent/approvalRequired(_:)``. No answer was sent.
    public static let decisionRequired = Self(
        "decisionRequired", .caller, "an approval request needs a decision; iterate the flow and decide at its event")

    /// The approval request was decided before, or its flow has ended.
    public static let alreadyDecided = Self(
        "alreadyDecided", .caller, "the approval request was decided already, or its flow has ended")

    /// The call was canceled after the answer to an approval request was sent. The device keeps the answer, and the next
    /// flow of the request sends it again for its receipt.
    public static let outcomeUnknown = Self(
        "outcomeUnknown", .environment, "the answer was sent, and the call was canceled before the platform replied")

    /// The number has another form than the approval request asks for. The user can type it again.
    ///
    /// - Parameter digits: How many digits the number has; 0 for a request that asks for no number.
    public static func invalidNumber(digits: Int) -> Self {
        let message =
            digits == 0
            ? "the approval request asks for no number"
            : "the number of the site has \(digits) digits"
        return Self("invalidNumber", .user, message)
    }

    /// An approval request has a field that this version cannot show. It cannot be decided on this device. Update
    /// the app.
    public static let cannotDisplay = Self(
        "cannotDisplay", .environment,
        "the approval request has a field that this version cannot show; update the app")

    /// The command is of a kind that this version does not know, or is damaged.
    public static let commandUnknown = Self(
        "commandUnknown", .peer, "the command is damaged, or of a kind that this version does not know")

    /// The command is a request of a device to the platform. Send it to the platform.
    public static let commandNotForDevice = Self(
        "commandNotForDevice", .caller, "the command is a request of a device; send it to the platform")

    /// No flow of this process waits for the reply: it belongs to another process, it came twice or too late, or the
    /// orchestrator's transport is not a ``RelayTransport``.
    public static let replyNotExpected = Self(
        "replyNotExpected", .caller, "no flow of this process waits for the reply")

    /// A provider or a store of the app threw something of its own; see ``OrchestrationError/underlying``.
    public static let unexpected = Self("unexpected", .caller, "code of the app threw an error of its own")

    /// The SDK has reached a state that it excludes. Please report it.
    public static let `internal` = Self("internal", .bug, "internal inconsistency; please report this")
}

extension OrchestrationError.Code {
    /// Every code. The article *Errors and warnings* lists the same.
    package static let all: [Self] = configuration + storage + input + flows + approvals + [unexpected, `internal`]

    private static let configuration = [invalidConfiguration]

    private static let storage = [
        storeBusy, storeCorrupt, storeNewerVersion, storeRestoredElsewhere, storeLocked,
        storeUnavailable, storeTooLarge, userUnknown, deviceKeyUnavailable,
    ]

    private static let input = [inputUnavailable, inputEmpty, inputTooLong, promptUnanswered]

    private static let flows = [
        transport, invalidAnswer, consumedTwice, aborted, outdated, invalidUser, alreadyActivated, notActivated,
        userLocked, passwordChanged, providerUnavailable, applicationUnknown, applicationUnsuitable, challengeRequired,
        invalidChallenge, invalidDataField, invalidDeviceData, invalidNotificationIdentifier,
    ]

    private static let approvals = [
        decisionRequired, alreadyDecided, outcomeUnknown, invalidNumber(digits: 6), cannotDisplay, commandUnknown,
        commandNotForDevice, replyNotExpected,
    ]
}
