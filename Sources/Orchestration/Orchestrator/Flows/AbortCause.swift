public import Primitives

/// The reason why a flow ended without an outcome.
///
/// ``textKey`` is the text to show to the user.
@nonexhaustive
public enum AbortCause: Sendable, Hashable {
    /// The user canceled at a prompt.
    case user

    /// The input had another form than the password, as often as the policy allows tries; or ten inputs could not be
    /// the new password. No try was counted. The flow ends, because a provider that is not a person may return the same
    /// input without end.
    case inputRejectedTooOften

    /// A newer flow of the same kind for the same user was started.
    case superseded

    /// The activation password was not accepted. Ask for it again, and start a new flow.
    case activationPassword(ActivationPasswordRejection)

    /// The platform has locked this device, for example after too many wrong passwords. The user is now locked on it:
    /// ask for a new activation password, and activate again.
    case locked

    /// The platform was restored from a backup and has suspended this device, until its operator confirms that the
    /// device was not revoked. The data on the device stays valid: ask the operator, and try again.
    case suspended

    /// The platform has seen a newer state of this device than the one in the store: the store was copied, or restored
    /// from a backup. The user is now locked on this device: activate again.
    case cloneSuspected

    /// The platform has revoked this device: activate again. A user who was activated is now locked on it; a device whose
    /// activation was not complete is deleted already.
    case revoked

    /// The user has as many devices as the policy of the platform allows.
    case deviceLimitReached

    /// The platform asks to wait, for the given time where the answer named one.
    case rateLimited(retryAfter: Duration?)

    /// The loop went on without a decision about the approval request. No answer was sent, and the request can be
    /// opened again.
    case undecided

    /// The number that the user typed is not the number of the site. The approval request has ended.
    case wrongNumber

    /// The policy of the platform does not accept the method of the answer. The approval request has ended.
    case methodRefused

    /// The check of a method failed during its enrollment. The method is not enrolled.
    case methodFailed

    /// The platform refused for another reason, with this number in the protocol's list of refusals.
    case refused(code: UInt64)

    /// The text for the user. ``PromptCatalog/text(for:)-(AbortCause)`` returns it in the words of the app.
    public var textKey: PromptText {
        switch self {
        case .user: .abortedByUser
        case .inputRejectedTooOften: .inputRejectedTooOften
        case .superseded: .superseded
        case .activationPassword(let rejection): rejection.textKey
        case .locked: .deviceLocked
        case .suspended: .deviceSuspended
        case .cloneSuspected: .cloneSuspected
        case .revoked: .deviceRevoked
        case .deviceLimitReached: .deviceLimitReached
        case .rateLimited(nil): .rateLimited
        case .rateLimited: .rateLimitedForSeconds
        case .undecided: .approvalUndecided
        case .wrongNumber: .approvalWrongNumber
        case .methodRefused: .approvalMethodRefused
        case .methodFailed: .biometricFailed
        case .refused: .refused
        }
    }

    /// The party that has to act so that the next flow succeeds.
    public var blame: Blame {
        switch self {
        case .user, .inputRejectedTooOften, .activationPassword, .locked, .cloneSuspected, .revoked,
            .deviceLimitReached, .wrongNumber, .methodFailed:
            .user
        case .superseded, .undecided: .caller
        case .rateLimited: .environment
        case .suspended, .methodRefused, .refused: .peer
        }
    }

    /// Every cause, with a sample where it has a value.
    package static let all: [AbortCause] =
        [
            .user, .inputRejectedTooOften, .superseded, .locked, .suspended, .cloneSuspected, .revoked,
            .deviceLimitReached, .rateLimited(retryAfter: nil), .rateLimited(retryAfter: .seconds(2)), .undecided,
            .wrongNumber, .methodRefused, .methodFailed, .refused(code: 1),
        ] + ActivationPasswordRejection.all.map(AbortCause.activationPassword)

    /// The number that the text names.
    var count: Int64? {
        switch self {
        case .activationPassword(.invalidCharacter(let position)): Int64(position)
        case .refused(let code): Int64(clamping: code)
        case .rateLimited(let retryAfter?):
            retryAfter.components.seconds + (retryAfter.components.attoseconds > 0 ? 1 : 0)
        case .activationPassword, .rateLimited, .user, .inputRejectedTooOften, .superseded, .locked, .suspended,
            .cloneSuspected, .revoked, .deviceLimitReached, .undecided, .wrongNumber, .methodRefused, .methodFailed:
            nil
        }
    }
}

/// The reason why a flow has nothing left to do.
///
/// ``textKey`` is the text to show to the user.
@nonexhaustive
public enum OutdatedReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// The exchange of keys took longer than the platform keeps it, two minutes. Nothing is lost: start again with the
    /// same activation password.
    case exchangeExpired

    /// The activation was begun and not completed within the platform's limit, 30 minutes at most. The platform has
    /// dropped the device, and the activation password has expired, too: ask for a new one.
    case activationExpired

    /// The approval request was not answered in time.
    case expired

    /// A device of the user has answered the approval request.
    case answered

    /// A newer login has replaced the approval request.
    case replaced

    /// The application server has canceled the approval request.
    case canceled

    /// No user of this app has such an approval request.
    case unknown

    /// The text for the user. ``PromptCatalog/text(for:)-(OutdatedReason)`` returns it in the words of the app.
    public var textKey: PromptText {
        switch self {
        case .exchangeExpired: .exchangeExpired
        case .activationExpired: .activationExpired
        case .expired: .approvalExpired
        case .answered: .approvalAnswered
        case .replaced: .approvalReplaced
        case .canceled: .approvalCanceled
        case .unknown: .approvalUnknown
        }
    }
}
