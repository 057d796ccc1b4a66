internal import Primitives

extension OrchestrationError {
    /// Returns the text for the user: what happened and, where the user can do something, what to do.
    ///
    /// The result does not include the text of ``notice``.
    ///
    /// - Parameter catalog: The texts of the app, by default the English ones.
    public func userMessage(in catalog: PromptCatalog = .default) -> String {
        switch code {
        case .activationPasswordMistyped:
            return typingFault(.activationPasswordLength, .activationPasswordCharacter, in: catalog)
        case .unlockCodeMistyped: return typingFault(.unlockCodeLength, .unlockCodeCharacter, in: catalog)
        case .unlockCodeRefused:
            guard let remainingTries, remainingTries > 0 else { return catalog[code.text] }
            return catalog.text(for: .unlockCodeRefusedWithTries, count: remainingTries)
        case .rateLimited:
            guard let (seconds, attoseconds) = retryAfter?.components else { return catalog[code.text] }
            return catalog.text(for: .rateLimitedForSeconds, count: Int(clamping: seconds) + (attoseconds > 0 ? 1 : 0))
        case .refused, .refusalUnknown:
            return catalog.text(for: code.text, count: refusalNumber.map { Int(clamping: $0) } ?? number)
        default: return catalog.text(for: code.text, count: number)
        }
    }

    /// Returns the text for an activation password, or a code of the same form, that was mistyped.
    ///
    /// - Parameters:
    ///   - length: The text for a wrong number of characters.
    ///   - character: The text for a character that cannot occur.
    private func typingFault(_ length: PromptText, _ character: PromptText, in catalog: PromptCatalog) -> String {
        guard let error = underlying as? ActivationPasswordError else { return catalog[code.text] }
        return switch error.code {
        case .wrongLength: catalog[length]
        case .invalidCharacter: catalog.text(for: character, count: error.position ?? 0)
        case .wrongCheckCharacter: catalog[code.text]
        }
    }
}
