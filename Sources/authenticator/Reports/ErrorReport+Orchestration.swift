import CommandLineReports
import Orchestration
import OrchestrationHTTP

extension ErrorReport {
    /// Creates the report of an error of the SDK.
    init(_ error: OrchestrationError) {
        if let cause = error.abortCause {
            self.init(cause)
            return
        }
        if let reason = error.outdatedReason {
            self.init(reason)
            return
        }
        switch error.code {
        case .transport:
            let failure = error.underlying as? HTTPFailure
            self.init(
                .transport, failure?.description ?? error.message,
                hint: failure?.blame == .peer ? nil : "is the address given with --platform right, and is it running?")
        case .invalidAnswer:
            self.init(.transport, error.message)
        case .storeBusy, .storeCorrupt, .storeOutdated, .storeNewerVersion, .storeRestoredElsewhere, .storeLocked,
            .storeUnavailable,
            .storeTooLarge, .deviceKeyUnavailable:
            self.init(.storage, error.message)
        case .userLocked:
            self.init(.refused, error.message)
        case .invalidUser, .invalidConfiguration, .applicationUnknown, .applicationUnsuitable, .challengeRequired,
            .invalidChallenge:
            self.init(.usage, error.message)
        case .inputUnavailable, .providerUnavailable:
            self.init(
                .usage, "there is no terminal or open descriptor to read the password from",
                hint: "give it with --password-fd and an open descriptor")
        case .inputEmpty, .inputTooLong:
            self.init(.usage, error.message)
        case .notActivated, .userUnknown:
            self.init(.failed, error.message, hint: "see 'authenticator users'")
        default:
            self.init(.failed, error.message)
        }
    }

    /// Creates the report of a flow that is outdated.
    init(_ reason: OutdatedReason) {
        switch reason {
        case .exchangeExpired:
            self.init(.outdated, "the exchange took too long", hint: "try again with the same activation password")
        case .activationExpired:
            self.init(
                .outdated, "the activation was not completed in time", hint: "ask for a new activation password")
        }
    }

    /// Creates the report of a flow that was aborted.
    init(_ cause: AbortCause) {
        switch cause {
        case .user: self.init(.refused, "aborted by the user")
        case .superseded: self.init(.refused, "a newer command for the same user took over")
        case .activationPassword(let rejection): self.init(.refused, rejection.words, hint: rejection.hint)
        case .locked: self.init(.refused, "the platform has locked this device after too many wrong passwords")
        case .cloneSuspected:
            self.init(
                .refused, "the store is a copy: the platform has seen a newer one, and the user is locked here",
                hint: "delete the user and activate again")
        case .revoked: self.init(.refused, "the platform does not know this device any more")
        case .deviceLimitReached: self.init(.refused, "the user has as many devices as the platform allows")
        case .rateLimited(let retryAfter):
            let seconds = retryAfter.map { " \($0.components.seconds + ($0.components.attoseconds > 0 ? 1 : 0)) s" }
            self.init(.refused, "the platform asks to wait\(seconds ?? "")")
        case .refused(let code): self.init(.refused, "the platform refused (\(code))")
        }
    }
}

extension ActivationPasswordRejection {
    fileprivate var words: String {
        switch self {
        case .wrongLength: "the activation password must have 12 characters"
        case .invalidCharacter(let position): "character \(position) of the activation password can be in no code"
        case .wrongCheckCharacter: "the activation password is mistyped"
        case .notConfirmed:
            "the activation password was not confirmed: it or the user is wrong, or it is used up or expired"
        case .triedTooOften: "this activation password was tried too often"
        }
    }

    fileprivate var hint: String? {
        switch self {
        case .wrongLength, .invalidCharacter, .wrongCheckCharacter: "no try was spent; type it again"
        case .notConfirmed: "check user, domain, tenant and code; a code lives 10 minutes and bears 5 tries"
        case .triedTooOften: "ask for a new one"
        }
    }
}
