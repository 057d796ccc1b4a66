internal import Primitives

extension OrchestrationError {
    /// Returns the text for the user: what happened and, where the user can do something, what to do.
    ///
    /// The text of ``notice`` is not part of it.
    ///
    /// - Parameter catalog: The texts of the app, by default the English ones.
    public func userMessage(in catalog: PromptCatalog = .default) -> String {
        switch code {
        case .activationPasswordMistyped:
            guard let error = underlying as? ActivationPasswordError else { return catalog[code.text] }
            return switch error.code {
            case .wrongLength: catalog[.activationPasswordLength]
            case .invalidCharacter: catalog.text(for: .activationPasswordCharacter, count: error.position ?? 0)
            case .wrongCheckCharacter: catalog[.activationPasswordMistyped]
            }
        case .rateLimited:
            guard let (seconds, attoseconds) = retryAfter?.components else { return catalog[code.text] }
            return catalog.text(for: .rateLimitedForSeconds, count: Int(clamping: seconds) + (attoseconds > 0 ? 1 : 0))
        case .refused, .refusalUnknown:
            return catalog.text(for: code.text, count: refusalNumber.map { Int(clamping: $0) } ?? number)
        default: return catalog.text(for: code.text, count: number)
        }
    }
}
