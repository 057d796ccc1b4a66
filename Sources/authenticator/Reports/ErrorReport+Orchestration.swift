import CommandLine
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
            let hint = "is the address given with --platform right, and is it running?"
            let advice =
                TrustStore.isFound() ? "" : " for https, install ca-certificates: no certificate authorities were found"
            self.init(
                .transport, failure?.message ?? error.message, hint: failure?.blame == .peer ? nil : hint + advice)
        case .invalidAnswer:
            self.init(.transport, error.message)
        case .storeBusy, .storeCorrupt, .storeNewerVersion, .storeRestoredElsewhere, .storeLocked,
            .storeUnavailable,
            .storeTooLarge, .deviceKeyUnavailable:
            let reason = (error.underlying as? SystemFailure)?.reason
            self.init(.storage, error.message + (reason.map { ": \($0)" } ?? ""))
        case .userLocked:
            self.init(.refused, error.message)
        case .invalidDataField:
            self.init(.usage, (error.underlying as? DataFieldError)?.message ?? error.message)
        case .invalidUser, .invalidConfiguration, .applicationUnknown, .applicationUnsuitable, .challengeRequired,
            .invalidChallenge, .invalidNumber(digits: 0), .commandUnknown, .commandNotForDevice, .replyNotExpected:
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

    /// Creates the report of a flow that is outdated, with the text of the SDK.
    init(_ reason: OutdatedReason) {
        self.init(.outdated, text: PromptCatalog.default.text(for: reason))
    }

    /// Creates the report of a flow that was aborted, with the text of the SDK.
    init(_ cause: AbortCause) {
        self.init(cause.isWrongInput ? .usage : .refused, text: PromptCatalog.default.text(for: cause))
    }
}

extension AbortCause {
    /// Whether the device itself has found an input to be wrong, so that nothing was sent to the platform.
    fileprivate var isWrongInput: Bool {
        switch self {
        case .inputRejectedTooOften, .activationPassword(.wrongLength), .activationPassword(.invalidCharacter),
            .activationPassword(.wrongCheckCharacter):
            true
        default: false
        }
    }
}

extension InputRejection {
    /// Whether the device itself has found the input to be wrong.
    var isWrongInput: Bool {
        switch self {
        case .unsuitable, .confirmationDiffers: true
        case .notRecognized, .wrongPassword: false
        }
    }
}
