/// Why a flow ended without an outcome.
public enum AbortCause: Sendable, Hashable {
    /// The user gave up at a prompt.
    case user

    /// A newer flow of the same kind for the same user was started.
    case superseded

    /// The activation password was not taken. The app asks for it again and starts a new flow (requirement D9).
    case activationPassword(ActivationPasswordRejection)

    /// The platform locked the password of this device after too many wrong ones.
    case locked

    /// The platform has seen a newer state of this device than the one in the store: the store was copied, or
    /// restored from a backup. The user is now locked on this device; delete the user and activate anew.
    case cloneSuspected

    /// The platform has revoked this device. The user is now locked on it; delete the user and activate anew.
    case revoked

    /// The user has as many devices as the platform's policy allows.
    case deviceLimitReached

    /// The platform asks to wait.
    ///
    /// - Parameter retryAfterMilliseconds: how long, when the platform says so.
    case rateLimited(retryAfterMilliseconds: Int64?)

    /// The platform refused for another reason.
    ///
    /// - Parameter code: the number in the protocol's list of refusals.
    case refused(code: UInt64)
}
