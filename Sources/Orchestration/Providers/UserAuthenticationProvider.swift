/// A provider of one method of authentication.
///
/// An orchestrator accepts three kinds, in one list: a ``PasswordProvider`` asks for the password, a
/// ``UserCheckProvider`` checks the user by biometric or face, and a ``MethodKeyProvider`` also keeps the keys of its
/// method. A provider of another kind, or of a method that its kind does not allow, causes `invalidConfiguration`.
public protocol UserAuthenticationProvider: Sendable {
    /// The method of this provider. It does not change.
    var method: AuthenticationMethod { get }

    /// Returns whether the user can be asked now. A flow calls this method before it asks. It must not ask.
    func availability() async -> Availability
}

/// A provider that asks the user for the password, for example with a keypad or at a terminal.
///
/// A flow checks what a provider returns and asks again, with the reason in ``Prompt/rejection``, when a password is
/// weak, its confirmation differs, or the input has the wrong form. A provider answers one prompt at a time and keeps
/// nothing of the input. It should use its own keypad, never the clipboard or a web view, mask the input, and return
/// the secret in memory that it wipes. Of several such providers, a flow uses the first available one.
///
/// Two spellings of one text, such as é as one character and as e with an accent, are one password: the SDK compares
/// the form of RFC 8265, section 4.2.2. For a password with non-ASCII characters, this needs a `String`, which cannot
/// be wiped. The default policy allows digits only.
public protocol PasswordProvider: UserAuthenticationProvider {
    /// Asks the user once.
    ///
    /// - Parameter prompt: The question.
    /// - Returns: The input, which the SDK wipes after use.
    /// - Throws: ``UserAuthenticationError/aborted`` when the user cancels; `CancellationError`, at once, when the task
    ///   is canceled (a provider that blocks must watch for it, and a flow waits for one second at most); any other
    ///   error when it cannot ask.
    func authenticate(_ prompt: Prompt) async throws -> UserInput
}

extension PasswordProvider {
    /// The password.
    public var method: AuthenticationMethod { .password }
}

/// Whether a method can be used now.
@nonexhaustive
public enum Availability: Sendable, Hashable {
    /// The user can be asked.
    case available
    /// The device supports the method, but the user has not set it up.
    case notEnrolled
    /// The device cannot ask: there is no sensor or terminal, or the method is locked.
    case unavailable
}

/// The reason why a provider returns no input.
@nonexhaustive
public enum UserAuthenticationError: Error, Sendable, Hashable, CaseIterable {
    /// The user canceled. The flow ends with `.aborted`.
    case aborted
    /// The user failed the method, for example because a finger was not recognized. A flow falls back to the password,
    /// and states the reason to the platform. A flow that asks for the password ends with `.aborted`.
    case failed
    /// The provider found no living person, for example a picture of a face instead. A flow continues as after
    /// ``failed``, and reports the warning ``Warning/Code/livenessFailed`` first.
    case livenessFailed
    /// The method cannot be used now, for example because it is locked after too many failures. A flow falls back to
    /// the password, and states the reason to the platform. A flow that asks for the password ends with `.aborted`.
    case unavailable
    /// The keys of the method no longer exist, for example because a person was added to the system's check. The method
    /// is no longer enrolled, and the flow falls back to the password.
    case invalidated
}
