internal import Primitives

// What a transcript says about events and errors: names of cases and numbers, and nothing that a user, a site or an app has
// written.
extension FlowEvent {
    var transcriptName: String {
        switch self {
        case .stepCompleted(let step): "\(step)"
        case .inputRejected(.unsuitable(let fault)): "inputRejected: \(fault)"
        case .inputRejected(let rejection): "inputRejected: \(Self.name(of: rejection))"
        case .oneTimePasswordReady: "oneTimePasswordReady"
        case .signatureReady: "signatureReady"
        case .approvalRequired(let request): "approvalRequired: \(request.kind), \(request.digits) digits"
        case .warning(let warning): "warning: \(warning.code)"
        case .noticeReceived: "noticeReceived"
        case .succeeded(let outcome): "succeeded: \(Self.name(of: outcome))"
        case .outdated(let reason): "outdated: \(reason)"
        case .aborted(.activationPassword(let rejection)): "aborted: activationPassword, \(Self.name(of: rejection))"
        case .aborted(.refused(let code)): "aborted: refused, \(code)"
        case .aborted(let cause): "aborted: \(Self.name(of: cause))"
        }
    }

    /// Returns the name of a case, without its values.
    private static func name(of value: some Any) -> String { String("\(value)".prefix { $0 != "(" }) }
}

extension OrchestrationError {
    /// The code, the blame, and the code of an underlying error of one design. Codes are constants with numbers.
    var transcriptName: String {
        let name = "\(code) (\(blame))"
        guard let cause = underlying as? any CodedError else { return name }
        return "\(name): \(cause.codeName)"
    }
}

extension CodedError {
    fileprivate var codeName: String { "\(code)" }
}
