internal import Primitives

/// What a typed code is worth, before the throttle has its say.
enum CodeVerdict: Equatable {
    /// It logs the user in.
    case accepted(CodeMatch, AuthenticationMethod)
    /// It is right and is used up, but its method may not log in.
    case notAllowed(CodeMatch)
    /// It is refused and not counted.
    case refused(LoginDecision.Reason)
    /// It is refused and counted.
    case wrong

    /// - Parameters:
    ///   - match: what was found.
    ///   - use: what the application that the login names is for.
    ///   - allowed: the methods that log in.
    ///   - isEveryDeviceRestored: whether the account has devices and none of them has synchronized since a restore.
    init(
        _ match: CodeMatch?, use: CryptoApplications.Use, allowed: Set<AuthenticationMethod>,
        isEveryDeviceRestored: Bool
    ) {
        switch use {
        case .other, .none:
            self = .refused(.applicationNotAllowed)
            return
        case .time, .counter:
            break
        }
        guard let match else {
            // Their ratchets and counters may be ahead of ours: what they make looks wrong and is not.
            self = isEveryDeviceRestored ? .refused(.notSynchronized) : .wrong
            return
        }
        guard !match.origin.isRestored else {
            self = .refused(.notSynchronized)
            return
        }
        // A code typed twice is no guess at a password, and counting it would punish a double click.
        guard !match.isUsed else {
            self = .refused(.usedCode)
            return
        }
        let method: AuthenticationMethod = match.origin.instance == .password ? .password : .possession
        self = allowed.contains(method) ? .accepted(match, method) : .notAllowed(match)
    }
}
