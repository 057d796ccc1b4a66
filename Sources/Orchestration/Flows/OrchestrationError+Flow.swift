internal import OneTimePassword
internal import Primitives
internal import SecureChannel
internal import Wire

extension OrchestrationError.Code {
    /// The transport brought no answer, also after repetitions. Try again when there is a network.
    public static let transport = Self(
        "transport", .environment, "the platform could not be reached")

    /// No answer to the command was one that the platform can have made: they were damaged, foreign or forged.
    public static let invalidAnswer = Self(
        "invalidAnswer", .peer, "what came back was not the platform's answer to this command")

    /// Two iterators pulled one stream at the same time. A flow has one consumer; start a flow for each.
    public static let consumedTwice = Self(
        "consumedTwice", .caller, "two iterators pull the same flow; a flow has one consumer")

    /// `result()` of a flow whose terminal event was ``FlowEvent/aborted(_:)``; ``OrchestrationError/abortCause`` says why.
    public static let aborted = Self("aborted", .user, "the flow was aborted")

    /// `result()` of a flow whose terminal event was ``FlowEvent/outdated(_:)``.
    public static let outdated = Self("outdated", .user, "what the flow was about is over")

    /// The user id or the domain is outside its limits (1 to 64 characters, no `@`, no `/`, no control character).
    public static let invalidUser = Self("invalidUser", .caller, "the user id or the domain is outside its limits")

    /// The user is activated on this device already. To activate again, delete the user first.
    public static let alreadyActivated = Self(
        "alreadyActivated", .caller, "the user is activated on this device already")

    /// The user is not activated on this device, or the activation was not finished.
    public static let notActivated = Self("notActivated", .caller, "the user is not activated on this device")

    /// The user is locked on this device: the store is a copy, or the platform has revoked the device. Delete the user
    /// and activate again.
    public static let userLocked = Self(
        "userLocked", .environment, "the user is locked on this device; delete the user and activate again")

    /// There is no provider for the method, or it cannot ask now.
    public static let providerUnavailable = Self(
        "providerUnavailable", .caller, "there is no provider that can ask for the method")

    /// The platform has not issued the crypto application that was asked for.
    public static let applicationUnknown = Self(
        "applicationUnknown", .caller, "the platform has not issued this crypto application")

    /// The crypto application is for something else, for example for signatures.
    public static let applicationUnsuitable = Self(
        "applicationUnsuitable", .caller, "this crypto application does not make one-time passwords")

    /// The crypto application answers a challenge, and none was given.
    public static let challengeRequired = Self(
        "challengeRequired", .caller, "this crypto application needs a challenge")

    /// A challenge was given to a crypto application that takes none, or it is empty or over 128 bytes.
    public static let invalidChallenge = Self(
        "invalidChallenge", .caller, "the challenge is empty, too long, or not taken by this crypto application")

    /// The notification identifier is empty or over 1,024 bytes.
    public static let invalidNotificationIdentifier = Self(
        "invalidNotificationIdentifier", .caller, "the notification identifier is empty or over 1,024 bytes")

    /// A provider or a store of the app threw something of its own; see ``OrchestrationError/underlying``.
    public static let unexpected = Self("unexpected", .caller, "code of the app threw an error of its own")

    /// The SDK has reached a state that it excludes. Please report it.
    public static let `internal` = Self("internal", .bug, "the SDK contradicts itself; please report this")
}

extension OrchestrationError {
    /// Creates the error for a flow that was aborted.
    init(aborted cause: AbortCause) {
        self.init(.aborted, underlying: FlowEnd.aborted(cause))
    }

    /// Creates the error for a flow that is outdated.
    init(outdated reason: OutdatedReason) {
        self.init(.outdated, underlying: FlowEnd.outdated(reason))
    }

    /// The cause of an error with the code `aborted`.
    public var abortCause: AbortCause? {
        guard case .aborted(let cause) = underlying as? FlowEnd else { return nil }
        return cause
    }

    /// The reason of an error with the code `outdated`.
    public var outdatedReason: OutdatedReason? {
        guard case .outdated(let reason) = underlying as? FlowEnd else { return nil }
        return reason
    }

    /// Returns the error that an app gets: an `OrchestrationError` or a `CancellationError`, whatever was thrown.
    ///
    /// After cancellation every error is a `CancellationError`. Errors of the SDK's own modules are never blamed on the
    /// app.
    static func leavingTheSDK(_ error: any Error) -> any Error {
        if Task.isCancelled || error is CancellationError { return CancellationError() }
        switch error {
        case is OrchestrationError: return error
        case let error as SecureChannelError where error.blame == .peer:
            return OrchestrationError(.invalidAnswer, underlying: error)
        case is SecureChannelError, is WireError, is OneTimePasswordError:
            return OrchestrationError(.internal, underlying: error)
        default: return OrchestrationError(.unexpected, underlying: error)
        }
    }
}

/// A terminal event other than success, as an error.
private enum FlowEnd: Error {
    case aborted(AbortCause)
    case outdated(OutdatedReason)
}
