internal import Primitives

/// A typed code that a key of a device makes.
struct CodeMatch: Sendable, Equatable {
    /// The ratchet index of the key.
    let index: UInt64
    /// The generation of the password whose secret made the key; `nil` for a key of another instance.
    let generation: UInt64?
    /// The counter or time step of the code.
    let value: UInt64
    /// The method that the code verifies.
    let method: AuthenticationMethod
    /// Whether this code, or one after it, was accepted before.
    let isUsed: Bool
    /// Whether the device has to synchronize before a code of this index is accepted.
    let mustSynchronize: Bool
    /// The row of the counter as it was read; `nil` when there was none.
    let before: CodeCounterRecord?
    /// The row of the counter once the code is accepted. It names the device and the instance.
    let after: CodeCounterRecord
}

extension CodeMatch {
    init(_ found: (value: UInt64, drift: Int), index: UInt64, _ candidate: CodeComparison.CandidateKey) {
        // Counters stay below 2^63. The last value is never accepted, because no counter follows it.
        let last = UInt64(Int64.max)
        var after = candidate.counter
        after.next = min(found.value, last - 1) + 1
        after.drift = found.drift
        self.init(
            index: index, generation: candidate.generation, value: found.value, method: candidate.method,
            isUsed: found.value < candidate.counter.next || found.value >= last,
            mustSynchronize: candidate.mustSynchronize, before: candidate.isStored ? candidate.counter : nil,
            after: after)
    }
}

/// The value of a typed code, without regard to blocks.
enum CodeVerdict: Sendable, Equatable {
    /// The code logs the user in.
    case accepted(CodeMatch, AuthenticationMethod)
    /// The code is right and is used up, but its method may not log in.
    case notAllowed(CodeMatch)
    /// The code is refused and not counted as a failure.
    case refused(LoginDecision.Reason)
    /// The code is refused and counted as a failure.
    case wrong

    /// Decides on a code.
    ///
    /// - Parameters:
    ///   - match: The result of the comparison.
    ///   - use: How the code was compared.
    ///   - challenge: The reason why the login's challenge takes no code; `nil` when it takes one, or the login names
    ///     no challenge.
    ///   - allowed: The methods that log in.
    ///   - isEveryDeviceRestored: Whether the account has devices and none of them has synchronized since a restore.
    init(
        _ match: CodeMatch?, use: CryptoApplications.Use, challenge refusal: LoginDecision.Reason? = nil,
        allowed: Set<AuthenticationMethod>, isEveryDeviceRestored: Bool
    ) {
        switch use {
        case .unsuitable:
            self = .refused(.applicationNotAllowed)
            return
        case .time, .counter, .challenge, .signature, .seal:
            break
        }
        if let refusal {
            self = .refused(refusal)
            return
        }
        guard let match else {
            // The ratchets and counters of the devices may be ahead of a backup. Their codes then look wrong.
            self = isEveryDeviceRestored ? .refused(.notSynchronized) : .wrong
            return
        }
        guard !match.mustSynchronize else {
            self = .refused(.notSynchronized)
            return
        }
        // A code that was typed twice is not a guess. Counting it would punish a double click.
        guard !match.isUsed else {
            self = .refused(.usedCode)
            return
        }
        self = allowed.contains(match.method) ? .accepted(match, match.method) : .notAllowed(match)
    }

    /// The refusal that is the same for every account, even for an account that does not exist or is blocked. It
    /// depends only on what the application server named.
    var refusalOfEveryAccount: LoginDecision.Reason? {
        switch self {
        case .refused(let reason) where reason.isOfEveryAccount: reason
        case .accepted, .notAllowed, .refused, .wrong: nil
        }
    }

    /// The match of a code that this verdict uses up.
    var usedMatch: CodeMatch? {
        switch self {
        case .accepted(let match, _), .notAllowed(let match): match
        case .refused, .wrong: nil
        }
    }
}
