internal import Primitives

// The names of events and errors in a transcript: names of cases and numbers, without any text of a user, a site or an
// app.
extension FlowEvent {
    var transcriptName: String {
        switch self {
        case .stepCompleted(let step): "\(step)"
        // The reason would describe a password that the user may vary next.
        case .inputRejected(let rejection): "inputRejected: \(Self.name(of: rejection))"
        case .oneTimePasswordReady: "oneTimePasswordReady"
        case .signatureReady: "signatureReady"
        case .sealReady: "sealReady"
        case .approvalRequired(let request): "approvalRequired: \(request.kind), \(request.digits) digits"
        case .warning(let warning): "warning: \(warning.code)"
        case .enrollmentProgressed(let step): "enrollmentProgressed: \(step)"
        case .succeeded(let outcome): "succeeded: \(Self.name(of: outcome))"
        case .outdated(let error): "outdated: \(error.transcriptName)"
        case .aborted(let error): "aborted: \(error.transcriptName)"
        }
    }

    /// Returns the name of a case, without its values.
    private static func name(of value: some Any) -> String { String("\(value)".prefix { $0 != "(" }) }
}

extension OrchestrationError {
    /// The code, the number of a refusal, whether there is a notice, and the code of an underlying error of the same
    /// design. Codes are constants with numbers.
    var transcriptName: String {
        let name = "\(code)" + (refusalNumber.map { " (\($0))" } ?? "") + (notice == nil ? "" : ", with a notice")
        guard let cause = underlying as? any CodedError else { return name }
        // A transport of the app can also throw errors of this form, with its own texts as codes.
        let code = cause.codeName.unicodeScalars.filter { $0.isASCII && $0.properties.generalCategory != .control }
        return "\(name): \(String(String.UnicodeScalarView(code.prefix(64))))"
    }
}

extension CodedError {
    fileprivate var codeName: String { "\(code)" }
}
