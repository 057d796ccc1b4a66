import CommandLine
import Orchestration
import OrchestrationHTTP

extension ErrorReport {
    /// Creates the report of an error of the SDK: the text for the user, the advice, and the code.
    ///
    /// The user of a command line also corrects its arguments. For wrong arguments, the report contains the text for
    /// developers.
    init(_ error: OrchestrationError) {
        let status = ExitStatus(error.code)
        let code = "\(error.code) (\(error.number))"
        switch error.code {
        case .transport:
            let failure = error.underlying as? HTTPFailure
            let hint = "is the address given with --platform right, and is it running?"
            let advice =
                TrustStore.isFound() ? "" : " for https, install ca-certificates: no certificate authorities were found"
            self.init(
                status, failure?.message ?? error.message, hint: failure?.isAnswer == true ? nil : hint + advice,
                code: code)
        case .inputUnavailable, .providerUnavailable:
            self.init(
                status, "there is no terminal or open descriptor to read the password from",
                hint: "give it with --password-fd and an open descriptor", code: code)
        case .invalidArgument:
            self.init(status, (error.underlying as? DataFieldError)?.message ?? error.message, code: code)
        case .notActivated, .userUnknown:
            self.init(status, error.message, hint: "see 'authenticator users'", code: code)
        case .invalidUser, .invalidChallenge, .invalidInput, .invalidSealData, .sealsUnavailable,
            .invalidNumber(digits: 0), .commandUnknown:
            self.init(status, error.message, code: code)
        case _ where error.recovery == .faultOfTheApp:
            self.init(status, error.message, code: code)
        default:
            let reason = (error.underlying as? SystemFailure)?.reason
            self.init(status, text: error.userMessage(), reason: reason, code: code)
        }
    }
}

extension ExitStatus {
    /// The exit code for an error of the SDK.
    fileprivate init(_ code: OrchestrationError.Code) {
        self =
            switch code {
            case _ where OrchestrationError.Code.outdated.contains(code): .outdated
            case .transport, .invalidAnswer: .transport
            case .storeBusy, .storeCorrupt, .storeNewerVersion, .storeRestoredElsewhere, .storeLocked,
                .storeUnavailable, .deviceKeyUnavailable:
                .storage
            // Faults that the device itself found. Nothing was sent to the platform.
            case .invalidUser, .invalidConfiguration, .invalidArgument, .applicationUnsuitable, .invalidChallenge,
                .invalidNumber(digits: 0), .commandUnknown, .replyNotExpected, .inputUnavailable, .providerUnavailable,
                .invalidInput, .inputRejectedTooOften, .activationPasswordMistyped, .unlockCodeMistyped,
                .linkOfOtherPlatform, .invalidSealData, .sealsUnavailable:
                .usage
            case .canceled, .superseded, .undecided, .userLocked, .suspended, .cloneSuspected, .revoked,
                .deviceLimitReached, .rateLimited, .wrongNumber, .methodRefused, .methodFailed, .refused,
                .refusalUnknown, .activationPasswordNotConfirmed, .activationPasswordTriedTooOften,
                .unlockCodeRefused:
                .refused
            default: .failed
            }
    }
}

extension HTTPFailure {
    /// Whether the platform, or another server, has answered.
    fileprivate var isAnswer: Bool {
        switch code {
        case .unreachable, .timedOut: false
        case .status, .notACommand, .notAStream, .tooLarge: true
        }
    }
}

extension InputRejection {
    /// Whether the device itself found a fault in the input.
    var isWrongInput: Bool {
        switch self {
        case .unsuitable, .confirmationDiffers: true
        case .notRecognized, .wrongPassword: false
        }
    }
}
