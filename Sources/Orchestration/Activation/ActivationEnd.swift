/// How an activation ends.
enum ActivationEnd: Sendable, Hashable {
    case activated
    /// The platform's tag was wrong: it does not know the code, or is not the platform.
    case codeNotConfirmed
    case aborted(AbortCause)
    case outdated(OutdatedReason)
    case failed(OrchestrationError.Code)
    /// The platform said under its seal that it has dropped the device, so the store forgets it, too. Nothing that is
    /// not sealed ever leads here.
    case dropped(Drop)

    /// Why the platform has dropped a device before it was active.
    enum Drop: Sendable, Hashable {
        case expired, locked, revoked
    }

    /// The end that a sealed refusal of step 3 or 4 means.
    init(_ refusal: ChannelRefusal) {
        if refusal.isPendingExpired {
            self = .dropped(.expired)
            return
        }
        switch refusal.cause {
        case .locked: self = .dropped(.locked)
        case .revoked: self = .dropped(.revoked)
        case let cause: self = .aborted(cause)
        }
    }
}
